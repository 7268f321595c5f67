import { expect, test } from 'vitest';
import { bench, court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import { changeKinds } from '../../../shared/api/deliberation.ts';
import { measure, sourcesOf } from './deliberation.fixture.ts';
import { hearingToVerdictFigure as figure } from './firstAnswers.ts';
import { dataOf, drawnIn, paint, seriesOf } from './report.fixture.ts';

// The hearing of a bench says YES, and NO is true: each verdict of NO is a correction.
const trials = [
  bench('a', { NO: 3 }, 'NO'),
  bench('b', { YES: 3 }, 'YES'),
  bench('c', { YES: 2, NO: 1 }, 'YES'),
  court('d', [0.2, 0.3, 0.4, 0.1], 0.9),
  court('e', [0.2, 0.3, 0.4, 0.1], 0.1),
];
const report = [
  { arm: 'court', measures: [measure('corrections', 0), measure('degradations', 0.5)] },
  { arm: 'bench', measures: [measure('corrections', 1 / 3), measure('degradations', 0)] },
];
const data = dataOf(figure, sourcesOf(figuresOf(trials), report));

test('each trial is in one cell, and the cells of an arm make up its n', () => {
  const rows = data.table.rows.map((row) => row.slice(0, 6));
  // right-right, wrong-right, right-wrong, wrong-wrong
  expect(rows).toEqual([
    ['court', 2, 1, 0, 1, 0],
    ['bench', 3, 0, 1, 0, 2],
  ]);
  for (const [, n, ...cells] of rows) expect(cells.reduce((sum: number, cell) => sum + Number(cell), 0)).toBe(n);
});

test('ribbons fill both edges without a gap', () => {
  const series = drawnIn(data);
  const drawn = changeKinds.map((kind) => series[kind]?.[1] as number[]);
  for (const edge of [(ribbon: number[]) => ribbon[1] ?? -1, (ribbon: number[]) => ribbon[3] ?? -1]) {
    const ends = drawn
      .map((ribbon) => [edge(ribbon), edge(ribbon) + (ribbon[2] ?? 0) - (ribbon[1] ?? 0)] as const)
      .toSorted(([from, to], [otherFrom, otherTo]) => from - otherFrom || to - otherTo);
    expect(ends[0]?.[0]).toBe(0);
    expect(ends.at(-1)?.[1]).toBeCloseTo(1, 12);
    ends.slice(1).forEach(([from], place) => {
      expect(from).toBeCloseTo(ends[place]?.[1] ?? -1, 12);
    });
  }
  expect(series.degraded?.[0]).toEqual([0, 0.5, 1, 0.5, 1]);
  // The corrected one of three goes from the left of the upper edge to that of the lower one, where right verdicts are.
  expect(series.corrected?.[1]).toEqual([1, 0, 1 / 3, 0, 1]);
});

test('the upper edge has the colour of the first answer, the lower one that of the verdict', () => {
  const coloursOf = (kind: string) => {
    const series = seriesOf(data)[kind] as unknown as {
      data: number[][];
      renderItem(params: null, api: object): { children: { style: { fill: string } }[] } | undefined;
    };
    const drawn = series.data.flatMap((row) => {
      const api = { value: (place: number) => row[place], coord: ([x = 0, y = 0]) => [600 * x, 84 * y], size: () => [600, 84] };
      const [, upper, lower] = series.renderItem(null, api)?.children ?? [];
      return upper === undefined ? [] : [[upper.style.fill, lower?.style.fill]];
    });
    return drawn[0];
  };
  const [good, bad] = [paint.colour('good'), paint.colour('bad')];
  expect(coloursOf('corrected')).toEqual([bad, good]);
  expect(coloursOf('degraded')).toEqual([good, bad]);
  expect(coloursOf('stayedWrong')).toEqual([bad, bad]);
});

test('the caption has the rates of the report, with their intervals', () => {
  expect(data.caption).toContain('bench: corrected 33.3% [23.3%, 43.3%], degraded 0% [-10%, 10%]');
  expect(data.caption).toContain('Of courtroom the first answer is the preliminary hearing’s.');
  expect(data.caption).toContain('Only 2 cases');
});

test('without a first answer or a truth it is absent', () => {
  const none = figuresOf([court('x', [0.2], 0.1, { truth: null })]);
  expect(figure.plot(sourcesOf(none))).toBeNull();
});
