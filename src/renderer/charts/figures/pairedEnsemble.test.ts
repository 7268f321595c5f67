import { expect, test } from 'vitest';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { pairedEnsembleFigure as figure } from './pairedEnsemble.ts';
import { armOf, dataOf, seriesOf, sourcesOf } from './report.fixture.ts';

/** Twenty cases of which every other one is YES; the first so many are answered right, the others wrong. */
const right = (count: number) =>
  Array.from({ length: 20 }, (_none, place) => {
    const [truth, other] = place % 2 === 0 ? ['YES', 'NO'] : ['NO', 'YES'];
    return [truth, place < count ? truth : other] as const;
  });
const arm = (name: string, model: string, protocol: string, count: number): TrialLine[] =>
  armOf(name, right(count), { models: [model], protocol });

const lines = [
  ...arm('cot a', 'a', 'standard', 4),
  ...arm('court a', 'a', 'agentic-sim', 20),
  ...arm('cot b', 'b', 'standard', 10),
  ...arm('court b', 'b', 'agentic-sim', 12),
  ...arm('cot c', 'c', 'standard', 16),
  ...arm('alone', 'd', 'vote', 8),
];
const data = dataOf(figure, sourcesOf(lines, { resamples: 200 }));

test('models that both protocols tried are paired, the best F1 under the first one first', () => {
  expect(data.table.rows.map(([model]) => model)).toEqual(['b', 'b', 'a', 'a']);
  const series = seriesOf(data);
  expect(series['accuracy-0']?.data).toEqual([
    [0.5, 0],
    [0.2, 1],
  ]);
  expect(series['accuracy-1']?.data).toEqual([
    [0.6, 0],
    [1, 1],
  ]);
  expect(data.caption).toContain('Not drawn: vote.');
});

test('the correlation is over all arms of a protocol, with no interval under four', () => {
  // Half of the first `count` cases are YES: tp = fn' and so F1 equals accuracy, and they correlate wholly.
  const [, , , ...cells] = data.table.rows[0] ?? [];
  expect(cells.slice(-4)).toEqual([expect.closeTo(1, 9), null, null, 3]);
});

test('a sentence counts the models for which the exact test bears the difference out', () => {
  // a is right in 16 cases more, b in 2: p = 2 / 2^16 and 0.5 before they are adjusted.
  expect(data.finding?.sentence).toBe(
    '1 of 2 models are right more often under agentic-sim than under standard, none less often.',
  );
  const alike = dataOf(
    figure,
    sourcesOf(lines.filter(({ arm: name }) => !name.endsWith(' a')).concat(arm('court c', 'c', 'agentic-sim', 15)), {
      resamples: 200,
    }),
  );
  expect(alike.finding).toBeNull();
});

const protocols = (plot: typeof data) => [...new Set(plot.table.rows.map(([, protocol]) => protocol))];

test('arms of one protocol with different parameters are different conditions', () => {
  const two = ['system1', 'cot'].flatMap((style) =>
    ['a', 'b'].flatMap((model) => arm(`${style} ${model}`, model, 'standard', 9)),
  );
  const params = Object.fromEntries(two.map(({ arm: name }) => [name, { style: name.split(' ')[0] }]));
  expect(protocols(dataOf(figure, sourcesOf(two, { params })))).toEqual(['standard, style system1', 'standard, style cot']);
});

test('a default that is spelled out is the same condition, and a parameter that is left out is shown with its default', () => {
  const two = ['written', 'usual', 'fast'].flatMap((way) =>
    ['a', 'b'].flatMap((model) => arm(`${way} ${model}`, model, 'standard', 9)),
  );
  const written: Record<string, object> = { written: { style: 'system1', shots: 30 }, usual: { style: 'system1' }, fast: {} };
  const params = Object.fromEntries(two.map(({ arm: name }) => [name, { ...written[name.split(' ')[0] ?? ''] }]));
  const found = dataOf(figure, sourcesOf(two, { params }));
  expect(protocols(found)).toEqual(['standard, style system1', 'standard, style cot']);
  expect(found.caption).not.toContain('Not drawn');
});

test('one model alone has no pair', () => {
  expect(figure.plot(sourcesOf(lines.filter(({ models }) => models[0] === 'a')))).toBeNull();
});
