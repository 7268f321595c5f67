import { describe, expect, it } from 'vitest';
import { fitLogisticRegression, logisticProbabilities } from './logisticRegression.ts';
import { referenceTexts } from './reference.fixture.ts';
import { learnTerms } from './terms.ts';

const texts = (...values: string[]) => values.map((value) => ({ facts: [{ name: 'text', value }] }));

/** The row of a text: as many numbers as there are terms. */
const row = (training: readonly string[], text: string, most = 100) => {
  const { columns, values, width } = learnTerms(texts(...training), most).encode(texts(text));
  const dense = Array.from({ length: width }, () => 0);
  columns.forEach((column, place) => {
    dense[column] = values[place] ?? 0;
  });
  return dense;
};

describe('terms', () => {
  it.each(referenceTexts)('give the probabilities of scikit-learn: $name', (set) => {
    const terms = learnTerms(set.training, set.most);
    expect(terms.width).toBe(set.terms);
    const model = fitLogisticRegression(terms.encode(set.training), set.classes, set.labels.length);
    expect(model.isConverged).toBe(true);
    const probabilities = logisticProbabilities(model, terms.encode(set.onTrial));
    const expected = set.probabilities.flat();
    expect(probabilities).toHaveLength(expected.length);
    const worst = expected.reduce((most, value, index) => Math.max(most, Math.abs(value - (probabilities[index] ?? 0))), 0);
    expect(worst).toBeLessThan(1e-5);
    const coefficients = model.weights.filter((_, index) => index % (terms.width + 1) !== terms.width);
    expect(Math.hypot(...coefficients)).toBeCloseTo(set.coefficientNorm, 5);
  });

  it('are words and pairs of words that two training cases have', () => {
    // In both: "red", "fox", "red fox"; in one alone: "quick" and all other pairs. One letter is no word.
    const [first, ...others] = row(['The RED fox', 'a quick red fox'], 'red fox red x');
    expect(others).toHaveLength(2);
    // "red" twice, (1 + ln 2); the pair and "fox" once; all as rare: ln(3/3) + 1.
    const length = Math.hypot(1 + Math.log(2), 1, 1);
    expect([first, ...others].toSorted()).toEqual(
      [1 / length, 1 / length, (1 + Math.log(2)) / length].map((value) => expect.closeTo(value, 12)),
    );
  });

  it('keep the most frequent, of equally frequent ones the first by their characters', () => {
    const training = ['bb aa. cc cc', 'cc aa; bb'];
    // "cc" three times, "aa" and "bb" twice; no pair is in both.
    expect(row(training, 'cc', 2)).toEqual([1, 0]);
    expect(row(training, 'aa', 2)).toEqual([0, 1]);
    expect(row(training, 'bb', 2)).toEqual([0, 0]);
  });

  it('have nothing to say of an empty text or of new words alone', () => {
    const training = ['good day', 'good night', ''];
    expect(row(training, '')).toEqual([0]);
    expect(row(training, 'entirely new')).toEqual([0]);
  });

  it('are told apart by the part of the case that they are in', () => {
    const pair = (premise: string, hypothesis: string) => ({
      facts: [
        { name: 'premise', value: premise },
        { name: 'hypothesis', value: hypothesis },
      ],
    });
    const terms = learnTerms([pair('rain', 'sun'), pair('sun', 'rain'), pair('rain', 'rain'), pair('sun', 'sun')], 100);
    expect(terms.width).toBe(4);
    expect(terms.parts).toEqual(['premise', 'hypothesis']);
    const { columns } = terms.encode([pair('sun', 'rain'), pair('rain', 'sun')]);
    expect(new Set(columns).size).toBe(4);
  });
});
