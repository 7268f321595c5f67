import { expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { askedOf, debateOf } from './debate.ts';
import { forfeited, said } from './entries.fixture.ts';

let seq = 0;
const next = () => seq++;

const speech = (key: string, role: string, subtopic: number) =>
  said(next(), `${key}/topic_${subtopic}`, role, { turn: 'opening', text: `${key} ${subtopic}`, subtopic });
const topics = (settledBy: 'agents' | 'moderator', ...titles: string[]): TranscriptEntry => ({
  kind: 'subtopics',
  seq: next(),
  key: `subtopics/${settledBy}`,
  role: 'critic',
  settledBy,
  subtopics: titles.map((title) => ({ title, scope: 'All.' })),
  balanced: true,
  balance: 'So.',
});
const level = (name: string, value: number): TranscriptEntry => ({
  kind: 'measure',
  seq: next(),
  key: `${name}/contentiousness`,
  role: '',
  name: 'contentiousness',
  value,
});
const sheet = (role: string, first: 'agentA' | 'agentB', winner: 'agentA' | null): TranscriptEntry => ({
  kind: 'panel',
  seq: next(),
  key: `panel/${role}/${first}`,
  role,
  first,
  scores: [
    { agentA: 8, agentB: 5 },
    { agentA: 5, agentB: winner === null ? 8 : 7 },
  ],
  winner,
  declared: 'agentA',
  opinion: null,
});
const ask = (key: string, asks: 'subtopics' | 'remark'): TranscriptEntry => ({
  kind: 'moderation',
  seq: next(),
  key,
  role: 'moderator',
  asks,
  subtopics: [],
});

test('a debate is read round by round: speeches by subtopic, what is missing, and the list that holds', () => {
  const debate = debateOf([
    topics('agents', 'one', 'two', 'three'),
    topics('moderator', 'two', 'one'),
    level('opening', 0.9),
    speech('opening/agentA', 'agentA', 1),
    speech('opening/agentA', 'agentA', 2),
    forfeited(next(), 'opening/agentB/forfeit', 'agentB'),
    level('round-1', 0.75),
    speech('round-1/agentA', 'agentA', 2),
    { kind: 'forfeit', seq: next(), key: 'round-1/critic/forfeit', role: 'critic', failure: 'malformed' },
  ]);
  expect(debate.subtopics.map(({ title }) => title)).toEqual(['two', 'one']);
  expect(debate.rounds.map(({ title, contentiousness, unscored }) => [title, contentiousness, unscored])).toEqual([
    ['Opening', 0.9, false],
    ['Round 1', 0.75, true],
  ]);
  const [opening, first] = debate.rounds;
  expect(opening?.sides.agentA.speeches.map((found) => found?.text)).toEqual(['opening/agentA 1', 'opening/agentA 2']);
  expect(opening?.sides.agentB).toMatchObject({ speeches: [null, null], forfeit: { failure: 'timeout' } });
  expect(first?.sides.agentA.speeches.map((found) => found?.text)).toEqual([undefined, 'round-1/agentA 2']);
});

test('sheets have totals, and both orders of a judge are compared', () => {
  const { panel, agreement } = debateOf([
    sheet('judge1', 'agentA', 'agentA'),
    sheet('judge1', 'agentB', null),
    sheet('judge2', 'agentA', null),
  ]);
  expect(panel.map(({ totals }) => [totals.agentA, totals.agentB])).toEqual([
    [13, 12],
    [13, 13],
    [13, 13],
  ]);
  expect(agreement).toEqual({ same: 0, judges: 1 });
});

test('what the moderator has not answered is asked for, and a remark is kept', () => {
  const answered: TranscriptEntry = {
    kind: 'moderated',
    seq: next(),
    key: 'subtopics/moderation',
    role: 'moderator',
    moderation: { action: 'accept' },
  };
  expect(askedOf([ask('subtopics/moderation', 'subtopics')])?.asks).toBe('subtopics');
  expect(askedOf([ask('subtopics/moderation', 'subtopics'), answered])).toBeNull();
  const remark = { action: 'remark', to: 'agentB', text: 'Mind the costs.' } as const;
  const entries = [answered, ask('remark/moderation', 'remark'), { ...answered, key: 'remark/moderation', moderation: remark }];
  expect([askedOf(entries), debateOf(entries).remark]).toEqual([null, remark]);
});
