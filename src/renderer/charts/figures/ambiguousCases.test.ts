import { expect, test } from 'vitest';
import { court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import type { AmbiguityStatistics } from '../../../shared/statistics.ts';
import { behindMark } from '../kit/plot.ts';
import { ambiguousCasesFigure as figure } from './ambiguousCases.ts';
import { measure, sourcesOf } from './deliberation.fixture.ts';
import { dataOf, drawnIn, mark } from './report.fixture.ts';

const estimate = (value: number | null) => {
  const {
    name: _name,
    label: _label,
    side: _side,
    turn: _turn,
    over: _over,
    n: _n,
    cases: _cases,
    count: _count,
    ...rest
  } = measure('', value ?? 0);
  return value === null ? { ...rest, value: null, low: null, high: null, why_null: 'never right' } : rest;
};
const row = (
  arm: string,
  part: 'total' | 'normal' | 'ambiguous',
  n: number,
  accuracy: number,
  gain: number | null | undefined,
) => ({
  arm,
  part,
  n,
  cases: n,
  accuracy: estimate(accuracy),
  gain: gain === undefined ? null : { paired_cases: n, ...estimate(gain) },
});
const ambiguity: AmbiguityStatistics = {
  why_null: null,
  share: { count: 2, n: 8, ...estimate(0.25) },
  unknown: 1,
  disagreeing: 0,
  reference: 'single',
  arms: [
    row('single', 'total', 8, 0.5, undefined),
    row('single', 'normal', 6, 0.6, undefined),
    row('single', 'ambiguous', 2, 0, undefined),
    row('court', 'total', 8, 0.75, 0.5),
    row('court', 'normal', 6, 0.6, 0),
    row('court', 'ambiguous', 2, 1, null),
  ],
};
/** The hearings of one arm find `b` ambiguous; `c` has no hearings. */
const lone = (id: string) => {
  const { line, decided } = court(id, [0.6], 0.2);
  return { line: { ...line, arm: 'single', trial: `single/${id}` }, decided };
};
const ways = figuresOf(
  [
    court('a', [0.6], 0.2, { ambiguous: false }),
    court('b', [0.6], 0.2, { ambiguous: true }),
    court('c', [0.6], 0.2),
    ...['a', 'b', 'c'].map(lone),
  ],
  { arms: ['court', 'single'].map((name) => ({ name, protocol: 'agentic-sim' })) },
);
const sources = (found: AmbiguityStatistics | undefined) =>
  sourcesOf(
    ways,
    ['single', 'court'].map((arm) => ({ arm, measures: [] })),
    found === undefined ? {} : { ambiguity: found },
  );
const data = dataOf(figure, sources(ambiguity));

test('accuracies of all arms, and gains over the reference, part by part', () => {
  const series = drawnIn(data);
  expect(series['accuracy/total']).toEqual([
    [0.5, 0],
    [0.75, 1],
  ]);
  expect(series['accuracy/ambiguous']).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(series['gain/total']).toEqual([
    ['-', 0],
    [0.5, 1],
  ]);
  // Undefined where the reference is never right: no mark, and no interval.
  expect(series['gain/ambiguous']?.[1]).toEqual(['-', 1]);
  expect(series['gain/ambiguous-interval']?.[1]).toEqual([1, '-', '-']);
  expect(data.table.rows.at(-1)).toEqual(['court', 'ambiguous cases', 2, 2, 1, 0.9, 1.1, null, null, null, 2]);
});

test('the caption has the share with its interval, the reference, and what is not known', () => {
  const caption = data.caption;
  expect(caption).toMatch(/^2 of 8 cases are ambiguous: 25% \[15%, 35%\]; /);
  expect(caption).toContain('(accuracy − that of single) / that of single');
  expect(caption).toContain('Whether 1 further case is ambiguous is not known.');
  expect(caption).toContain('Only 2 cases');
});

test('a gain is of the cases that both have', () => {
  expect(behindMark(data, mark('gain/normal', 1))).toMatchObject({
    trials: ['court/a', 'single/a'],
    subset: { known: ['truth'] },
    matched: { arms: ['court', 'single'], by: 'case' },
    counts: { of: 'cases' },
  });
});

test('where it is not recorded it is absent', () => {
  for (const none of [undefined, { ...ambiguity, why_null: 'not asked', arms: [] }]) {
    expect(figure.plot(sources(none))).toBeNull();
  }
});
