import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unfoundedFinder } from './unfounded.ts';

const facts = [
  { name: 'age', value: '27' },
  { name: 'arrests2002', value: '3' },
  { name: 'income', value: '1,204.50' },
  { name: 'share', value: '0.25' },
  { name: 'hhsize97', value: '4' },
  { name: 'note', value: 'The flat was left clean and dry on 14 November.' },
];
const find = unfoundedFinder({
  facts,
  others: ['Will he be arrested within five years?', 'NO', 'YES'],
  speeches: ['He never paid the rent.'],
});
const found = (text: string) => find(text).map(({ start, end }) => text.slice(start, end));

test('a number that no fact has is found, and one that a fact has is not, in any place', () => {
  const word = fc.constantFrom('He', 'has', 'debts', 'of', 'pounds', 'and', 'was', 'there');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 6 }),
      fc.integer({ min: 5_000, max: 99_999 }).filter((number) => number % 1_000 !== 0),
      fc.array(word, { maxLength: 6 }),
      (before, number, after) => {
        const text = (token: string | number) => [...before, 'some', token, ...after].join(' ');
        expect(found(text(number))).toEqual([String(number)]);
        expect(found(text(number.toLocaleString('en')))).toEqual([number.toLocaleString('en')]);
        const known = unfoundedFinder({ facts: [{ name: 'debt', value: String(number) }] });
        for (const written of [String(number), number.toLocaleString('en'), number.toLocaleString('de'), `${number}.0`])
          expect(known(text(written))).toEqual([]);
      },
    ),
  );
});

test('a range of known numbers is known, and so is their sum; of many numbers too', () => {
  expect(found('He is 3-4 years older, or 3–27.')).toEqual([]);
  expect(found('He is 3-9 years older.')).toEqual(['3-9']);
  const many = Array.from({ length: 1000 }, (_, place) => ({ name: `f${place}`, value: String(place * 7 + 100_000) }));
  const speech = Array.from({ length: 400 }, (_, place) => `${place * 11 + 500_000}`).join(' and ');
  expect(unfoundedFinder({ facts: many })(speech)).toHaveLength(400);
});

test('places are within the text, in order, and do not overlap, for any text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '27', '[3]', '12.5%', '\n', 'three arrests', '“so it was”', ': 1. '),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join(' ');
      let last = 0;
      for (const { start, end } of find(text)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    }),
  );
});

describe('known', () => {
  test.each([
    ['in any way of writing', 'At 27 he earned 1204.5, or 1.204,50, a share of 25% or 0,25 of it.'],
    ['rounded', 'He earned some 1205, or 1204 to be exact at 1,204.5.'.replace(', or 1204 to be exact', '')],
    ['in a name', 'In 2002, and in 1997 and 97, there were 3.'],
    ['in the question', 'Within 5 years he will be arrested; five years is long.'],
    ['a sum of numbers that are said', '3 arrests and 4 people make 7.'],
    ['as an ordinal', 'On the 14th of November, his 3rd and third arrest.'],
    ['a list', '1. He is young.\n2. He works.\n9) He is kind.'],
    ['fields', 'own strengths: 8. Age.\nown weaknesses: 12'],
    ['references', 'As [2] and [11, 12] show, turn 9 and facts 8 and 9 answer Round 8.'],
    ['lengths that were asked for', 'I need at most 80 words, or 19 sentences.'],
    ['how sure somebody is', 'I am 70% confident. The probability is 0.35. My confidence is 65.'],
    ['a scale', 'I give it nine out of 10.'],
    ['words that count nothing of the facts', 'There are two sides and twelve reasons, one after the other.'],
    ['quotes of facts and of others', 'It says "clean and dry", and he “never paid the rent”; a "hearing".'],
    ['what is between quotes', 'The age leads to "NO". The share is a sign of "NO", and "YES" says nothing of it.'],
  ])('%s', (_what, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('not among the facts', () => {
  test.each([
    ['He is 28.', ['28']],
    ['He is 29 years old with 40% of it, £1,300 in all.', ['29', '40%', '1,300']],
    ['It was on 12/09/2016 at 14:58.', ['12/09/2016', '14:58']],
    ['He had six arrests, and in 2016 a 7th.', ['six', '2016', '7th']],
    ['The report says “left dirty and wet”.', ['“left dirty and wet”']],
    ['A chance that he took 30 minutes to answer.', ['30']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
