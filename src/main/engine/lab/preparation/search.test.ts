import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tellingOf } from '../../../../core/retrieval/sameText.ts';
import type { TrainingCase } from './search.ts';
import { openSearch, type Search } from './search.ts';

const trainingCase = (id: string, label: string, narrative: string): TrainingCase => ({
  id,
  ref: `ref-${id}`,
  label,
  narrative,
  telling: tellingOf(narrative),
});
const own = Float32Array.from([1, 0]);
const space = 'space';
const ways: readonly Search['by'][] = [{ method: 'random', seed: 3 }, { method: 'tf-idf' }, { method: 'embeddings', space, own }];

const doubles = ['The roof leaks.', 'the ROOF  leaks.', ' The roof\tleaks.\n', 'The roof leaks．', 'ＴＨＥ roof leaks.'];

describe.each(ways)('$method', (by) => {
  test('finds no double of the case on trial, however it is written', () => {
    const training = [
      ...doubles.map((text, index) => trainingCase(`double-${index}`, 'a', text)),
      trainingCase('own', 'a', 'Something else, under the id of the case on trial.'),
      trainingCase('near', 'a', 'The roof leaked.'),
    ];
    const search = openSearch(training);
    search.addVectors(
      space,
      training.map(() => own),
    );
    const kase = { id: 'own', ref: 'ref-own', narrative: 'The roof leaks.' };
    const { precedents } = search.search({ kase, labels: ['a'], perLabel: 10, by });
    expect(precedents.map((found) => found.case)).toEqual(['ref-near']);
  });

  test('the order in which the training cases stand makes no difference', () => {
    const words = fc.array(fc.constantFrom('roof', 'rain', 'late', 'parcel'), { minLength: 1, maxLength: 5 });
    const all = fc.array(
      fc.tuple(words, fc.constantFrom('a', 'b'), fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(1))),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(all, fc.nat(), (drawn, turn) => {
        const training = drawn.map(([text, label], index) => trainingCase(`c${index}`, label, text.join(' ')));
        const vectors = drawn.map(([, , vector]) => Float32Array.from(vector));
        const turned = <T>(list: readonly T[]) => [...list.slice(turn % list.length), ...list.slice(0, turn % list.length)];
        const found = [training, turned(training)].map((cases, index) => {
          const search = openSearch(cases);
          search.addVectors(space, index === 0 ? vectors : turned(vectors));
          const kase = { id: 'own', ref: 'own', narrative: 'roof late' };
          return search.search({ kase, labels: ['b', 'a'], perLabel: 2, by });
        });
        expect(found[1]).toEqual(found[0]);
      }),
      { numRuns: 50 },
    );
  });
});

test('counts the training cases of the wanted labels that have no vector, and neither the case itself nor its doubles', () => {
  const training = [
    trainingCase('1', 'a', 'one'),
    trainingCase('2', 'a', 'two'),
    trainingCase('3', 'b', 'three'),
    trainingCase('4', 'c', 'four'),
    trainingCase('own', 'a', 'five'),
    trainingCase('6', 'b', 'FIVE'),
  ];
  const search = openSearch(training);
  search.addVectors(space, [own, null, null, null, null, null]);
  const kase = { id: 'own', ref: 'ref-own', narrative: 'five' };
  const by = { method: 'embeddings', space, own } as const;
  expect(search.search({ kase, labels: ['a', 'b'], perLabel: 2, by })).toEqual({
    precedents: [{ case: 'ref-1', label: 'a', similarity: 1 }],
    withoutVector: 2,
  });
});

test('vectors of two lengths are never compared', () => {
  const training = [trainingCase('1', 'a', 'one'), trainingCase('2', 'a', 'two')];
  const search = openSearch(training);
  expect(() => search.addVectors(space, [own, Float32Array.from([1, 0, 0])])).toThrow(/2 and 3 numbers/);
  search.addVectors(space, [own, own]);
  const by = { method: 'embeddings', space, own: Float32Array.from([1, 0, 0]) } as const;
  const kase = { id: 'own', ref: 'ref-own', narrative: 'five' };
  expect(() => search.search({ kase, labels: ['a'], perLabel: 1, by })).toThrow(/3 numbers in a space of 2/);
});
