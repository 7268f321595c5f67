import { describe, expect, it } from 'vitest';
import type { DatasetCase } from '../../shared/domain.ts';
import { type BaselineTask, type Lessons, lessons } from './learning.ts';

const training = Array.from({ length: 40 }, (_, index) => ({
  id: `c${index}`,
  truth: index % 2 === 0 ? 'NO' : 'YES',
  facts: [],
  question: null,
  groups: {},
})) satisfies DatasetCase[];

const task = (seed: number): BaselineTask => ({
  kind: 'text',
  labels: ['NO', 'MAYBE', 'YES'],
  multiLabel: false,
  training,
  onTrial: [],
  seed,
});

/** Of cases of 10 characters each. */
const drawn = (seed: number, most: number) => lessons(task(seed), training, () => 10, most) as Lessons;

describe('lessons', () => {
  it('are all training cases, in their order, where these are not too many', () => {
    const all = drawn(1, 400);
    expect(all.used).toEqual(training);
    expect(all.present).toEqual(['NO', 'YES']);
    expect([...all.classes.subarray(0, 3)]).toEqual([0, 1, 0]);
    expect(all.about).toMatchObject({ trained_on: 40, seed: null, notes: ['no training case has "MAYBE"'] });
  });

  it('are drawn by the seed up to the size that they may have, and say so', () => {
    const some = drawn(1, 399);
    expect(some.used).toHaveLength(39);
    expect(some.about).toMatchObject({ trained_on: 39, seed: 1 });
    expect(some.about.notes[0]).toBe('39 of 40 training cases, drawn by the seed, were used');
    // A smaller size takes the first of the same draw.
    expect(drawn(1, 205).used).toEqual(some.used.slice(0, 20));
    expect(drawn(2, 205).used).not.toEqual(drawn(1, 205).used);
  });
});
