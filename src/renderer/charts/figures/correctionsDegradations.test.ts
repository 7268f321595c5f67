import { expect, test } from 'vitest';
import { correctionsDegradationsFigure as figure } from './firstAnswers.ts';
import { armOf, dataOf, seriesOf, sourcesOf } from './report.fixture.ts';

/** First answers and verdicts of cases whose truth is YES: a number of each change. */
function changed(arm: string, { corrected = 0, degraded = 0, stayedRight = 0, stayedWrong = 0 }) {
  const kinds = [
    ...Array(corrected).fill(['NO', 'YES']),
    ...Array(degraded).fill(['YES', 'NO']),
    ...Array(stayedRight).fill(['YES', 'YES']),
    ...Array(stayedWrong).fill(['NO', 'NO']),
  ] as [string, string][];
  const lines = armOf(
    arm,
    kinds.map(([, verdict]) => ['YES', verdict] as const),
  );
  const paths = kinds.map(([initial], place) => [`${arm}/c${place}`, { steps: [], initial }] as const);
  return { lines, paths };
}

const sources = (...arms: ReturnType<typeof changed>[]) =>
  sourcesOf(
    arms.flatMap(({ lines }) => lines),
    { paths: new Map(arms.flatMap(({ paths }) => paths)), resamples: 200 },
  );

const data = dataOf(figure, sources(changed('court', { corrected: 3, degraded: 1, stayedRight: 4, stayedWrong: 2 })));

test('corrections go to the right, degradations to the left, and the net is their difference', () => {
  const series = seriesOf(data);
  expect(series.corrections?.data).toEqual([0.3]);
  expect(series.degradations?.data).toEqual([-0.1]);
  expect(series.net?.data).toEqual([[expect.closeTo(0.2, 12), 0]]);
  // Wilson interval of 1 of 10 is 0.0179 to 0.4042: on the left its ends change places.
  expect(series['degradations-interval']?.data).toEqual([[0, expect.closeTo(-0.4042, 4), expect.closeTo(-0.0179, 4)]]);
  const cells = data.table.rows[0] ?? [];
  // 3 of 5 that began wrong, 1 of 5 that began right; exact test of 3 against 1: p = 2 * (1 + 4) / 16.
  expect([cells[12], cells[17], cells.at(-1)]).toEqual([3 / 5, 1 / 5, 0.625]);
});

test('a sentence names the arms whose changes go one way more often than chance', () => {
  const strong = changed('court', { corrected: 10, degraded: 1 });
  // p = 2 * 12 / 2048 = 0.0117; of 1 against 7 it is 2 * 9 / 256 = 0.0703.
  expect(dataOf(figure, sources(strong)).finding?.sentence).toBe('More first answers are corrected than spoiled: court.');
  expect(dataOf(figure, sources(changed('court', { corrected: 1, degraded: 7 }))).finding).toBeNull();
  expect(data.finding).toBeNull();
  // Among five arms the least of the p-values counts five times: 0.0586.
  const others = ['a', 'b', 'c', 'd'].map((name) => changed(name, { corrected: 1, degraded: 1 }));
  expect(dataOf(figure, sources(strong, ...others)).finding).toBeNull();
});

test('cases that were tried several times count once in the exact test, as in the finding', () => {
  const { lines, paths } = changed('court', { corrected: 10 });
  const twice = lines.map((line) => ({ ...line, replicate: 1, trial: `${line.trial}/1` }));
  const again = paths.map(([trial, path]) => [`${trial}/1`, path] as const);
  const several = dataOf(figure, sourcesOf([...lines, ...twice], { paths: new Map([...paths, ...again]), resamples: 200 }));
  // 10 cases that all change one way: p = 2 / 1024.
  expect(several.table.rows[0]?.at(-1)).toBeCloseTo(2 / 1024, 12);
  expect(several.finding?.sentence).toBe('More first answers are corrected than spoiled: court.');
});

test('without first answers it is absent', () => {
  expect(figure.plot(sourcesOf(armOf('cot', [['YES', 'YES']])))).toBeNull();
});
