import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawExamples, examplesFor } from './examples.ts';

function training(counts: Record<string, number>): { id: string; label: string }[] {
  return Object.entries(counts).flatMap(([label, count]) =>
    Array.from({ length: count }, (_, index) => ({ id: `${label}${index}`, label })),
  );
}

function labelsOf(cases: readonly { id: string; label: string }[]): (id: string) => string | undefined {
  const labels = new Map(cases.map(({ id, label }) => [id, label]));
  return (id) => labels.get(id);
}

function tally(ids: readonly string[], labelOf: (id: string) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const id of ids) counts[labelOf(id) ?? '?'] = (counts[labelOf(id) ?? '?'] ?? 0) + 1;
  return counts;
}

describe('drawExamples', () => {
  it('has the base rate of the training split', () => {
    const cases = training({ NO: 204, YES: 78 });
    const { chosen, reserves } = drawExamples(cases, 30, 42);
    expect(tally(chosen, labelsOf(cases))).toEqual({ NO: 22, YES: 8 });
    expect(tally(reserves, labelsOf(cases))).toEqual({ NO: 1, YES: 1 });
  });

  it('gives ties to the more frequent label, then by spelling', () => {
    const cases = training({ b: 1, a: 1, c: 1 });
    expect(tally(drawExamples(cases, 2, 1).chosen, labelsOf(cases))).toEqual({ a: 1, b: 1 });
  });

  it('draws distinct cases near the base rate, for any order of the training split', () => {
    const counts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 12 }), { minKeys: 1 });
    fc.assert(
      fc.property(counts, fc.nat(), fc.nat({ max: 48 }), (labels, seed, wished) => {
        const cases = training(labels);
        const shots = Math.min(wished, cases.length);
        const drawn = drawExamples(cases, shots, seed);
        expect(drawExamples(cases.toReversed(), shots, seed)).toEqual(drawn);
        expect(drawn.chosen).toHaveLength(shots);
        expect(new Set([...drawn.chosen, ...drawn.reserves]).size).toBe(shots + drawn.reserves.length);
        const found = tally(drawn.chosen, labelsOf(cases));
        for (const [label, count] of Object.entries(labels)) {
          expect(Math.abs((found[label] ?? 0) - (shots * count) / cases.length)).toBeLessThan(1);
          const left = count - (found[label] ?? 0);
          expect(tally(drawn.reserves, labelsOf(cases))[label] ?? 0).toBe(left > 0 ? 1 : 0);
        }
      }),
    );
  });

  it('mixes the labels', () => {
    const { chosen } = drawExamples(training({ a: 20, b: 20 }), 20, 5);
    expect(new Set(chosen.slice(0, 10).map((id) => id[0])).size).toBe(2);
  });

  it('refuses more shots than training cases', () => {
    expect(() => drawExamples(training({ a: 2 }), 3, 1)).toThrow('3 examples asked for, but the training split has 2');
    expect(() => drawExamples([], 1, 1)).toThrow('has 0 labelled cases');
    expect(drawExamples([], 0, 1)).toEqual({ chosen: [], reserves: [] });
  });
});

describe('examplesFor', () => {
  const cases = training({ a: 6, b: 6 });
  const labelOf = labelsOf(cases);
  const drawn = drawExamples(cases, 4, 9);

  it('gives the examples in their order to a case that is none of them', () => {
    expect(examplesFor(drawn, labelOf, 'elsewhere')).toEqual(drawn.chosen);
    for (const reserve of drawn.reserves) expect(examplesFor(drawn, labelOf, reserve)).toEqual(drawn.chosen);
  });

  it('puts a reserve with the same label in the place of the case on trial', () => {
    drawn.chosen.forEach((id, index) => {
      const examples = examplesFor(drawn, labelOf, id);
      expect(examples).toHaveLength(4);
      expect(examples).not.toContain(id);
      expect(labelOf(examples[index] ?? '')).toBe(labelOf(id));
      expect(examples.toSpliced(index, 1)).toEqual(drawn.chosen.toSpliced(index, 1));
    });
  });

  it('takes a reserve with another label where there is none with the same', () => {
    const few = training({ a: 1, b: 3 });
    const some = { chosen: ['a0', 'b1'], reserves: ['b2'] };
    expect(examplesFor(some, labelsOf(few), 'a0')).toEqual(['b2', 'b1']);
  });

  it('refuses where nothing can take the place', () => {
    expect(() => examplesFor({ chosen: ['a0'], reserves: [] }, labelOf, 'a0')).toThrow('no other case to take its place');
  });
});
