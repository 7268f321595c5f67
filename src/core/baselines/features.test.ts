import { describe, expect, it } from 'vitest';
import { learnEncoding } from './features.ts';

const rows = (name: string, values: readonly (string | null)[]) =>
  values.map((value) => ({ facts: value === null ? [] : [{ name, value }] }));

const encoded = (training: readonly (string | null)[], cases: readonly (string | null)[]) => {
  const { values, width } = learnEncoding(rows('x', training)).encode(rows('x', cases));
  return cases.map((_, row) => [...values.subarray(row * width, (row + 1) * width)]);
};

describe('learnEncoding', () => {
  it('standardises numbers with mean and deviation of the training cases', () => {
    // 2, 4, 9: mean 5, variance (9 + 1 + 16) / 3 = 26/3.
    const deviation = Math.sqrt(26 / 3);
    const [low, mean, far] = encoded(['2', ' 4', '9.0e0'], ['2', '5', '105']).map(([value]) => value);
    expect(low).toBeCloseTo(-3 / deviation, 12);
    expect(mean).toBeCloseTo(0, 12);
    expect(far).toBeCloseTo(100 / deviation, 12);
  });

  it('puts a missing number at the mean and says so in a separate column', () => {
    // Of the known, 1 and 3: mean 2, deviation 1.
    expect(encoded(['1', '3', null], ['3', null, 'unknown'])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
  });

  it('has no indicator where no training case lacks the number', () => {
    expect(encoded(['1', '3'], [null])).toEqual([[0]]);
  });

  it('takes large numbers without overflow', () => {
    expect(encoded(['1e300', '-1e300'], ['1e300', '-1e300'])).toEqual([[1], [-1]]);
  });

  it('gives each word a column, an empty cell being a word too', () => {
    // Frequency first, then appearance: blue, red, empty.
    expect(encoded(['red', 'blue', 'blue', 'red', 'blue', null, null], ['blue', 'red', null, 'green'])).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });

  it('has no column for a word that one training case has', () => {
    expect(encoded(['a', 'a', 'b', 'b', 'c'], ['a', 'c'])).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });

  it('takes the fifty most frequent words', () => {
    const words = Array.from({ length: 60 }, (_, index) => Array.from({ length: index < 55 ? 2 : 3 }, () => `w${index}`)).flat();
    const { width, encode } = learnEncoding(rows('x', words));
    expect(width).toBe(50);
    const { values } = encode(rows('x', ['w59', 'w44', 'w45']));
    expect([0, 1, 2].map((row) => values.subarray(row * 50, (row + 1) * 50).reduce((sum, value) => sum + value, 0))).toEqual([
      1, 1, 0,
    ]);
  });

  it('takes a column as words as soon as one training value is no number', () => {
    expect(encoded(['1', '1', '2', '2', 'many', 'many'], ['2'])).toEqual([[0, 1, 0]]);
  });

  it('drops and names columns that are constant and columns that read like text', () => {
    const training = Array.from({ length: 10 }, (_, index) => ({
      facts: [
        { name: 'age', value: String(20 + index) },
        { name: 'state', value: 'open' },
        { name: 'zero', value: '0' },
        { name: 'story', value: `case number ${index}` },
      ],
    }));
    expect(learnEncoding(training)).toMatchObject({
      columns: ['age'],
      dropped: [
        { column: 'state', why: 'the same in every training case' },
        { column: 'zero', why: 'the same in every training case' },
        { column: 'story', why: '10 different values in 10 training cases: too varied to learn from' },
      ],
    });
  });

  it('keeps a constant column where its presence tells cases apart', () => {
    expect(encoded(['yes', null, 'yes', null], ['yes', null])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(encoded(['7', null], ['7', null])).toEqual([[0], [1]]);
  });

  it('does not look at a column that no training case has', () => {
    const encoding = learnEncoding(rows('x', ['1', '2']));
    expect(encoding.columns).toEqual(['x']);
    expect([...encoding.encode(rows('y', ['1'])).values]).toEqual([0]);
  });
});
