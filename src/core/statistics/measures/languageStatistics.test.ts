import { expect, test } from 'vitest';
import { randomSource } from '../../cases/shuffle.ts';
import { languageStatistics, type MeasuredSpeech, type SpokenTrial } from './languageStatistics.ts';

const resampling = { resamples: 400, seed: 1, level: 0.95 };
const none = { words: 20, hedging: 0, certainty: 0, concession: 0, agreement: 0, tone: 0, repetition: null, facts_cited: 0 };
const speech = (hedging: number, more: Partial<MeasuredSpeech> = {}): MeasuredSpeech => ({
  ...{ role: 'agentA', step: 'round-1', contentiousness: null, values: { ...none, hedging } },
  ...more,
});
const statisticsOf = (trials: readonly SpokenTrial[], attributes: readonly string[] = [], drawing = resampling) =>
  languageStatistics({ arm: 'court', trials, of: trials.length }, attributes, drawing);

test('by hand: means by role and round over cases, and the slope over contentiousness within trials', () => {
  const trial = (id: string, early: number, late: number): SpokenTrial => ({
    ...{ case: id, groups: {} },
    speeches: [
      speech(early, { contentiousness: 0.9 }),
      speech(late, { contentiousness: 0.4, step: 'round-2' }),
      { ...speech(0), role: 'agentB', values: null },
    ],
  });
  const found = statisticsOf([trial('c0', 1, 3), trial('c0', 3, 3), trial('c1', 0, 1)]);
  expect(found).toMatchObject({ speeches: 9, unmeasured: 3, trials: 3 });
  const hedging = found.steps.map(({ measures }) => measures.find(({ name }) => name === 'hedging')?.value);
  // c0: (1 + 3) / 2 = 2, c1: 0; agent B is in another language.
  expect(hedging).toEqual([1, 2, null]);
  expect(found.steps[0]?.contentiousness).toBeCloseTo(0.9, 12);
  // Slopes: -2 / 0.5 and 0 of c0, -1 / 0.5 of c1; only of agent A, whose contentiousness is known.
  const [over, ...others] = found.over_contentiousness;
  expect([over?.role, others]).toEqual(['agentA', []]);
  expect(over?.measures.find(({ name }) => name === 'hedging')?.value).toBeCloseTo((-4 / 2 - 2) / 2, 12);
});

test('a planted difference between groups is found, and without one the test errs at its rate', () => {
  const lots = randomSource(5, 'test');
  const drawn = (planted: number, drawing = resampling) =>
    statisticsOf(
      Array.from({ length: 60 }, (_, index) => {
        const sex = index % 2 === 0 ? 'female' : 'male';
        return { case: `c${index}`, groups: { sex }, speeches: [speech(4 * lots.next() + (sex === 'male' ? planted : 0))] };
      }),
      ['sex'],
      drawing,
    ).groups.map(({ value, differences }) => ({ value, hedging: differences.find(({ name }) => name === 'hedging') }));
  const [female, male] = drawn(2);
  expect([female?.value, male?.value]).toEqual(['female', 'male']);
  // Of two groups there is one difference, and one test.
  expect(female?.hedging).toBeUndefined();
  expect(male?.hedging?.low).toBeGreaterThan(0);
  expect(male?.hedging?.p_value).toBeLessThan(0.01);
  const rejected = Array.from(
    { length: 100 },
    () => (drawn(0, { ...resampling, resamples: 1 })[1]?.hedging?.p_value ?? 0) <= 0.05,
  ).filter(Boolean).length;
  expect(rejected).toBeLessThan(13);
});
