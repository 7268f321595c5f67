import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DatasetDefinition, datasetSchema } from '../../shared/experiment.ts';
import { howDrawn, sampleOf } from './sample.ts';

const definition = (sample: Partial<DatasetDefinition['sample']>) =>
  datasetSchema.parse({ path: 'd.csv', label: { column: 'y' }, groups: ['sex'], question: '?', sample });

const kase = (id: string, truth: string | null, sex = 'f', content = id) => ({
  id,
  facts: [{ name: 'x', value: content }],
  question: null,
  truth,
  groups: { sex },
});

const population = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.constantFrom('A', 'B', 'C')), {
  selector: ([id]) => id,
  maxLength: 60,
});
const casesOf = (pairs: readonly (readonly [string, string])[]) => pairs.map(([id, truth]) => kase(id, truth));

test('every beginning of a sample by label has the labels in proportion, up to rounding, and extends a smaller one', () => {
  fc.assert(
    fc.property(population, fc.nat({ max: 60 }), fc.nat(), (pairs, n, seed) => {
      const truthOf = new Map(pairs);
      const all = sampleOf(casesOf(pairs), definition({ by: 'y' }), seed);
      expect(all.toSorted()).toEqual([...truthOf.keys()].toSorted());
      const beginning = sampleOf(casesOf(pairs.toReversed()), definition({ by: 'y', n: n + 1 }), seed);
      expect(beginning).toEqual(all.slice(0, n + 1));
      for (const label of ['A', 'B', 'C']) {
        const size = pairs.filter(([, truth]) => truth === label).length;
        const taken = beginning.filter((id) => truthOf.get(id) === label).length;
        expect(Math.abs(taken - (size * beginning.length) / Math.max(1, pairs.length))).toBeLessThan(2);
      }
    }),
  );
});

test('so many of each value: ten by thirty, and fewer where there are fewer', () => {
  const cases = ['A', 'B', 'C'].flatMap((truth, index) =>
    Array.from({ length: index === 2 ? 2 : 9 }, (_, at) => kase(`${truth}${at}`, truth)),
  );
  const ids = sampleOf(cases, definition({ by: 'y', each: 4 }), 7);
  const counts = Map.groupBy(ids, (id) => id[0]);
  expect([...counts].map(([label, { length }]) => [label, length]).toSorted()).toEqual([
    ['A', 4],
    ['B', 4],
    ['C', 2],
  ]);
  expect(sampleOf(cases, definition({ by: 'y' }), 7)).toHaveLength(20);
});

test('a group column divides as the label does, and a missing truth is a separate value', () => {
  const cases = [kase('1', 'A', 'f'), kase('2', 'A', 'm'), kase('3', null, 'm'), kase('4', null, 'f')];
  const sexOf = (ids: readonly string[]) => ids.map((id) => cases.find((each) => each.id === id)?.groups.sex).toSorted();
  expect(sexOf(sampleOf(cases, definition({ by: 'sex', n: 2 }), 3))).toEqual(['f', 'm']);
  expect(sampleOf(cases, definition({ by: 'y', each: 1 }), 3)).toHaveLength(2);
});

test('cases with the same content are taken once, in any spelling; the first of the shuffle stays', () => {
  const cases = [kase('1', 'A', 'f', '0.70 Old'), kase('2', 'B', 'f', '0.7  old'), kase('3', 'A', 'f', 'other')];
  const all = sampleOf(cases, definition({}), 5);
  const once = sampleOf(cases, definition({ distinct: true }), 5);
  expect(all).toHaveLength(3);
  expect(once).toEqual(all.filter((id) => id === '3' || id === all.find((each) => each !== '3')));
});

test.each([
  [{}, { test: 1 }, false, 'by lot, with the experiment’s seed 7'],
  [{}, { test: 0.2, train: 0.8 }, false, 'by lot among the test cases, with the experiment’s seed 7'],
  [
    {},
    { test: 0.2, train: 0.8, by: 'day' },
    false,
    'by lot among the test cases, the latest by day, with the experiment’s seed 7',
  ],
  [
    { from: 'train' },
    { test: 0.2, train: 0.8, by: 'day' },
    false,
    'by lot among the training cases, the earliest by day, with the experiment’s seed 7',
  ],
  [{}, { test: 0.2, train: 0.8, by: 'day' }, true, 'all test cases, the latest by day'],
  [{ from: 'train', n: 16 }, { test: 0.2, train: 0.8 }, true, 'all training cases, dealt by the experiment’s seed 7'],
  [{ from: 'all' }, { test: 0.2, train: 0.8, by: 'day' }, false, 'by lot, with the experiment’s seed 7'],
  [{ ids: ['a'] }, { test: 1 }, true, 'by their ids, which the experiment names'],
])('cases drawn with %j from shares %j, all of them: %j, are said to be so', (sample, split, isWhole, words) => {
  const definition = datasetSchema.parse({ path: 'x.csv', kind: 'text', sample, split });
  expect(howDrawn(definition, 7, isWhole)).toBe(words);
});
