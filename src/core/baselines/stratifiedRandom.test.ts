import { describe, expect, it } from 'vitest';
import { expectedAccuracy, stratifiedRandom } from './frequencyBaselines.ts';

const labels = ['NO', 'MAYBE', 'YES'];
const training = ['NO', 'YES', 'NO', 'NO'].map((truth) => ({ truth }));
const cases = (n: number) => Array.from({ length: n }, (_, index) => ({ id: `case-${index}` }));
const drawn = (n: number, seed: number) => stratifiedRandom(training, cases(n), labels, seed).predictions;

describe('stratifiedRandom', () => {
  it('draws each label as often as the training split has it', () => {
    const predictions = drawn(4000, 1);
    const count = (label: string) => predictions.filter(({ prediction }) => prediction === label).length;
    expect(count('MAYBE')).toBe(0);
    // Four standard deviations of 4000 draws at 1/4: 4 * √(4000 * 3/16) = 110.
    expect(Math.abs(count('YES') - 1000)).toBeLessThan(110);
    expect(count('NO') + count('YES')).toBe(4000);
  });

  it('has the distribution that it draws from as belief', () => {
    expect(drawn(1, 1)[0]?.belief).toEqual({ NO: 0.75, MAYBE: 0, YES: 0.25 });
  });

  it('keeps the draws of the cases when the sample grows, and changes them with the seed', () => {
    expect(drawn(200, 5).slice(0, 50)).toEqual(drawn(50, 5));
    expect(drawn(50, 6)).not.toEqual(drawn(50, 5));
  });

  it('draws whole sets where cases can have several labels', () => {
    const sets = [{ truth: ['NO', 'YES'] }, { truth: [] }];
    const { predictions } = stratifiedRandom(sets, cases(50), labels, 1);
    expect(new Set(predictions.map(({ prediction }) => JSON.stringify(prediction)))).toEqual(new Set(['["NO","YES"]', '[]']));
    expect(predictions[0]?.belief).toEqual({ NO: 0.5, MAYBE: 0, YES: 0.5 });
  });
});

describe('expectedAccuracy', () => {
  const truths = new Map([
    ['case-0', 'NO'],
    ['case-1', 'NO'],
    ['case-2', 'YES'],
    ['case-3', 'MAYBE'],
  ]);

  it('is the mean probability of the truth', () => {
    // (0.75 + 0.75 + 0.25 + 0) / 4; the fifth case has no known truth.
    expect(expectedAccuracy(drawn(5, 1), truths)).toBe(0.4375);
  });

  it('is null without a known truth and without beliefs', () => {
    expect(expectedAccuracy(drawn(5, 1), new Map())).toBeNull();
    expect(expectedAccuracy([{ case: 'case-0', prediction: ['NO'], belief: null }], truths)).toBeNull();
  });
});
