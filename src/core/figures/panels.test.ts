import { expect, test } from 'vitest';
import type { Panel } from '../../shared/api/protocolFigures.ts';
import { panelSums, totalPoints, winnerByPoints } from './panel.ts';

type Sheet = Panel['sheets'][number];

const sheet = (
  role: string,
  first: Sheet['first'],
  a: readonly number[],
  b: readonly number[],
  declared: Sheet['declared'],
): Sheet => ({
  role,
  first,
  scores: a.map((agentA, index) => ({ agentA, agentB: b[index] ?? 0 })),
  winner: winnerByPoints(totalPoints(a.map((agentA, index) => ({ agentA, agentB: b[index] ?? 0 })))),
  declared,
});

test('equal totals are a tie, by the points and not by what a judge declares', () => {
  // The 38 to 38 of table 6.6, which the paper counts as won.
  const tied = sheet('judge1', 'agentB', [8, 7, 8, 7, 8], [7, 8, 7, 8, 8], 'agentA');
  const { won, declaredOtherwise, sheets } = panelSums([{ sheets: [tied] }]);
  expect([won, declaredOtherwise, sheets]).toEqual([{ agentA: 0, agentB: 0, tie: 1 }, 1, 1]);
});

test('means are of each judge, order and subtopic by itself, and of those sheets that have it', () => {
  const sums = panelSums([
    { sheets: [sheet('judge1', 'agentA', [8, 6], [4, 6], 'agentA'), sheet('judge2', 'agentA', [1, 1], [9, 9], 'agentB')] },
    { sheets: [sheet('judge1', 'agentA', [4], [8], 'agentB')] },
  ]);
  expect(sums.topics).toEqual([
    { role: 'judge1', number: 1, first: 'agentA', sheets: 2, mean: { agentA: 6, agentB: 6 } },
    { role: 'judge1', number: 2, first: 'agentA', sheets: 1, mean: { agentA: 6, agentB: 6 } },
    { role: 'judge2', number: 1, first: 'agentA', sheets: 1, mean: { agentA: 1, agentB: 9 } },
    { role: 'judge2', number: 2, first: 'agentA', sheets: 1, mean: { agentA: 1, agentB: 9 } },
  ]);
  expect(sums.agreement).toEqual({ same: 0, judges: 0 });
});

test('judges agree if both orders of one debate have the same result', () => {
  const both = (b: readonly number[]) => [
    sheet('judge1', 'agentA', [5], [4], 'agentA'),
    sheet('judge1', 'agentB', [5], b, 'agentA'),
  ];
  expect(panelSums([{ sheets: both([4]) }, { sheets: both([6]) }]).agreement).toEqual({ same: 1, judges: 2 });
});

test('no panel has no sums', () => {
  expect(panelSums([])).toMatchObject({ topics: [], sheets: 0, won: { agentA: 0, agentB: 0, tie: 0 } });
});
