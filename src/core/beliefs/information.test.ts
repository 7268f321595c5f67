import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import information from '../../../docs/reference/values/information.json' with { type: 'json' };
import { alignedOver, overClasses } from './classNames.ts';
import {
  crossEntropy,
  entropy,
  informationGain,
  jensenShannonDivergence,
  klDivergence,
  mutualInformation,
  normalised,
  normalisedEntropy,
  normalisedMutualInformation,
  orderedDistance,
  totalVariation,
} from './information.ts';

/** Lists as appendices 7.D and 7.E of "SocraSynth and EVINCE" print them, in percent. */
const dengue = { 'Dengue Fever': 60, Chikungunya: 25, 'Zika Virus': 15 };
const dengueThird = { 'Dengue Fever': 60, Chikungunya: 35, 'Zika Virus': 5 };
const hepatitisC = {
  'Hepatitis C (HCV)': 40,
  'Hepatitis B (HBV)': 30,
  Cirrhosis: 15,
  'Obstructive Jaundice': 10,
  'Acute Liver Failure': 5,
};
const hepatitisB = {
  'Hepatitis B (HBV)': 35,
  'Hepatitis C (HCV)': 25,
  'Obstructive Jaundice (due to gallstones, pancreatic cancer, or bile duct obstruction)': 20,
  'Alcoholic Hepatitis': 15,
  'Hepatitis A (HAV)': 5,
};
const hepatitisCInWords = {
  'Hepatitis C (HCV)': 40,
  'Hepatitis B (HBV)': 30,
  'Cirrhosis (due to various causes such as chronic hepatitis, alcohol abuse, or non-alcoholic fatty liver disease)': 15,
  'Obstructive Jaundice (due to gallstones, pancreatic cancer, or bile duct obstruction)': 10,
  'Acute Liver Failure (due to various causes such as viral hepatitis, drug-induced liver injury, or autoimmune hepatitis)': 5,
};
const third = {
  'Hepatitis C (HCV)': 35,
  'Hepatitis B (HBV)': 25,
  Cirrhosis: 20,
  'Obstructive Jaundice': 15,
  'Acute Liver Failure': 5,
};
const thirdOther = { ...third, 'Hepatitis B (HBV)': 30, 'Obstructive Jaundice': 10 };

function compared(first: Readonly<Record<string, number>>, second: Readonly<Record<string, number>>) {
  const rows = alignedOver(overClasses(first), overClasses(second));
  const [p, q] = rows.map(normalised);
  if (p === undefined || q === undefined) throw new Error('two rows');
  return { jsd: jensenShannonDivergence(p, q), wd: totalVariation(p, q), mi: mutualInformation(p, q) };
}

describe('the two debates of chapter 7', () => {
  test.each([
    // The second list adds up to 0.95; the paper prints JSD 1.366, above ln 2.
    ['dengue 1', dengue, { 'Viral Infection': 60, 'Autoimmune Disease': 20, 'Bacterial Infection': 15 }, Math.LN2, 1],
    ['dengue 2', dengue, { 'Dengue Fever': 50, Chikungunya: 30, 'Viral Infection': 20 }, 0.1247, 0.25],
    ['dengue 3', dengueThird, dengueThird, 0, 0],
    // Swapped in round 2: a symmetric measure cannot differ, and the paper prints 0.2172 and 0.1222.
    ['jaundice 1', hepatitisC, hepatitisB, 0.1568, 0.35],
    ['jaundice 2', hepatitisB, hepatitisCInWords, 0.1568, 0.35],
    // The paper prints 0.0037 too.
    ['jaundice 3', third, thirdOther, 0.0037, 0.05],
  ])('%s', (_round, first, second, jsd, wd) => {
    const found = compared(first, second);
    expect(found.jsd).toBeCloseTo(jsd, 4);
    expect(found.wd).toBeCloseTo(wd, 12);
  });
});

describe('compared with scipy', () => {
  test.each(information.sets)('$name', ({ first, second, expected }) => {
    const [p, q] = [normalised(first), normalised(second)];
    const found = {
      entropyFirst: entropy(p),
      entropySecond: entropy(q),
      normalisedEntropyFirst: normalisedEntropy(p),
      klFirstSecond: klDivergence(p, q),
      klSecondFirst: klDivergence(q, p),
      crossEntropyFirstSecond: crossEntropy(p, q),
      jensenShannon: jensenShannonDivergence(p, q),
      totalVariation: totalVariation(p, q),
      ordered: orderedDistance(p, q),
      mutualInformation: mutualInformation(p, q),
      normalisedMutualInformation: normalisedMutualInformation(p, q),
    };
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) {
      expect(Math.abs((found[name as keyof typeof found] ?? Number.NaN) - value), name).toBeLessThan(1e-9);
    }
  });
});

const pairOfDistributions = fc
  .integer({ min: 2, max: 8 })
  .chain((n) => {
    const numbers = fc
      .array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 100, noNaN: true })), { minLength: n, maxLength: n })
      .filter((list) => list.some((number) => number > 0));
    return fc.tuple(numbers, numbers);
  })
  .map(([p, q]) => [normalised(p), normalised(q)] as const);

const within = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThanOrEqual(low - 1e-12);
  expect(value).toBeLessThanOrEqual(high + 1e-12);
};

describe('properties', () => {
  test('bounds', () => {
    fc.assert(
      fc.property(pairOfDistributions, ([p, q]) => {
        within(entropy(p), 0, Math.log(p.length));
        within(normalisedEntropy(p), 0, 1);
        within(jensenShannonDivergence(p, q), 0, Math.LN2);
        within(totalVariation(p, q), 0, 1);
        within(orderedDistance(p, q), 0, totalVariation(p, q));
        within(klDivergence(p, q), 0, -Math.log(1e-9) + 1e-6);
        within(mutualInformation(p, q), 0, Math.min(entropy(p), entropy(q)) + 1e-9);
        within(normalisedMutualInformation(p, q), 0, 1);
        within(informationGain(p, q), -Math.log(p.length), Math.log(p.length));
      }),
    );
  });
});

describe('ends of the ranges', () => {
  test('0 / 0 of the normalised mutual information', () => {
    expect(normalisedMutualInformation([0, 1], [0, 1])).toBe(1);
    expect(normalisedMutualInformation([1, 0], [0, 1])).toBe(0);
    expect(normalisedMutualInformation([1, 0], [0.5, 0.5])).toBe(0);
  });

  test('one class', () => {
    expect([normalisedEntropy([1]), orderedDistance([1], [1])]).toEqual([0, 0]);
  });

  test('numbers that are no distribution are refused', () => {
    for (const numbers of [[0, 0], [], [1, -1], [1, Number.NaN], [Number.POSITIVE_INFINITY]]) {
      expect(() => normalised(numbers), String(numbers)).toThrow(RangeError);
    }
    expect(normalised([60, 20, 20])).toEqual([0.6, 0.2, 0.2]);
    expect(() => totalVariation([1], [0.5, 0.5])).toThrow(/over 1 and 2 classes/);
  });
});
