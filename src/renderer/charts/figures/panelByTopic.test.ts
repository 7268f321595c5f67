import { describe, expect, test } from 'vitest';
import type { Panel } from '../../../shared/api/protocolFigures.ts';
import type { Plot } from '../kit/figure.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { panelByTopicFigure as figure } from './panelByTopic.ts';
import { dataOf, mark, paint, pointsOf, seriesOf, size } from './report.fixture.ts';
import { sourcesOf } from './traces.fixture.ts';

type Sheet = Panel['sheets'][number];

const sheet = (
  role: string,
  first: Sheet['first'],
  scores: readonly [number, number][],
  declared: Sheet['declared'] = 'agentA',
): Sheet => {
  const totals = [0, 1].map((side) => scores.reduce((sum, points) => sum + (points[side] ?? 0), 0));
  const [a = 0, b = 0] = totals;
  return {
    role,
    first,
    scores: scores.map(([agentA, agentB]) => ({ agentA, agentB })),
    winner: a === b ? null : a > b ? 'agentA' : 'agentB',
    declared,
  };
};

const panel = (trial: string, arm: string, sheets: readonly Sheet[]): Panel => ({
  trial,
  arm,
  case: trial,
  subtopics: ['Costs', 'Rights'],
  sheets: [...sheets],
});

const one = panel('t1', 'debate', [
  sheet('judge1', 'agentA', [
    [8, 6],
    [7, 7],
  ]),
  sheet('judge1', 'agentB', [
    [9, 5],
    [6, 5],
  ]),
]);

const axesOf = (plot: Plot) => optionOf(plot, paint, size) as { xAxis: object; yAxis: { data: readonly string[] } };

describe('the panel of one debate', () => {
  const data = dataOf(figure, sourcesOf({ panels: [one], panelled: 1 }));

  test('has a field for each subtopic, order, judge and side, with the titles of the subtopics', () => {
    expect(axesOf(data)).toMatchObject({
      yAxis: { data: ['Costs · A first', 'Rights · A first', 'Costs · B first', 'Rights · B first'] },
      xAxis: { data: ['J1 A', 'J1 B'] },
    });
    expect(pointsOf(seriesOf(data), 'points').map((point) => point.slice(0, 3))).toEqual([
      [0, 0, 8],
      [1, 0, 6],
      [0, 1, 7],
      [1, 1, 7],
      [0, 2, 9],
      [1, 2, 5],
      [0, 3, 6],
      [1, 3, 5],
    ]);
  });

  test('says who wins, and whether both orders agree', () => {
    expect(data.caption).toContain(
      'Of 2 sheets A wins 2 and B 0; in 1 of 1 pair of orders the judge comes to the same result in both.',
    );
    expect(data.finding?.sentence).toBe('Agent A wins on every sheet of this panel');
  });

  test('leads to its trial', () => {
    expect(behindMark(data, mark('points', 3))).toEqual({ trials: ['t1'], counts: { n: 1, of: 'sheets' } });
    expect(behindMark(data, mark('points/words', 3))).toBeNull();
    expect(data.table.behind(0)).toEqual({ trials: ['t1'], counts: { n: 1, of: 'sheets' } });
    expect(data.table.rows[1]).toEqual(['debate', 'judge1', 1, 'A', 'B', 6, 1]);
  });
});

describe('panels of several debates', () => {
  const other = panel('t2', 'debate', [
    sheet('judge1', 'agentA', [
      [2, 4],
      [5, 3],
    ]),
    sheet('judge1', 'agentB', [
      [1, 9],
      [1, 9],
    ]),
  ]);
  const data = dataOf(figure, sourcesOf({ panels: [one, other], panelled: 5 }));

  test('are summed up by the number of the subtopic, a tie as one of three results', () => {
    expect(axesOf(data).yAxis.data[0]).toBe('1 · A first');
    expect(pointsOf(seriesOf(data), 'points')[0]).toEqual([0, 0, 5]);
    expect(data.table.rows[0]?.at(-1)).toBe(2);
    const caption = data.caption;
    // The second debate: 7 to 7 with A first, 2 to 18 with B first; both declared for A.
    expect(caption).toContain(
      'Of 4 sheets A wins 2 and B 1, and 1 is a tie; in 1 of 2 pairs of orders the judge comes to the same result in both; 2 sheets declare another winner',
    );
    expect(caption).toContain('3 further debates are not included');
    expect(caption).toMatch(/Only 2 trials: a few more could change the result\.$/);
  });

  test('have no sentence of who wins, and lead to all debates of the arm', () => {
    expect(data.finding).toBeNull();
    expect(behindMark(data, mark('points', 0))).toEqual({ trials: ['t1', 't2'], counts: { n: 2, of: 'sheets' } });
  });

  test('of several arms are separate', () => {
    const arms = dataOf(figure, sourcesOf({ panels: [one, { ...other, arm: 'mild' }], panelled: 2 }));
    expect(axesOf(arms).yAxis.data[0]).toBe('debate · 1 · A first');
    expect(behindMark(arms, mark('points', arms.table.rows.length - 1))).toEqual({
      trials: ['t2'],
      counts: { n: 1, of: 'sheets' },
    });
    expect(arms.caption).toContain('mild: of 2 sheets');
  });
});
