import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentionsIn } from './mentions.ts';

const facts = [
  { name: 'prior_arrests', value: '2' },
  { name: 'age', value: '22' },
  { name: 'jobs in the last year', value: '0' },
  { name: 'highest degree', value: 'none' },
  { name: 'occupation', value: 'roofer' },
  { name: 'family in jail', value: 'no' },
  { name: 'homeless', value: 'no' },
];

const found = (text: string, given = facts) =>
  mentionsIn(text, given).map(({ fact, start, end }) => [given[fact]?.name, text.slice(start, end)]);

test.each<[string, [string, string][]]>([
  ['His prior arrests weigh.', [['prior_arrests', 'prior arrests']]],
  ['Two arrests weigh much.', [['prior_arrests', 'Two arrests']]],
  [
    'At the age of 22 he was young.',
    [
      ['age', 'age'],
      ['age', '22'],
    ],
  ],
  ['A roofer works hard.', [['occupation', 'roofer']]],
  [
    'He holds no degree, and the highest is none.',
    [
      ['highest degree', 'degree'],
      ['highest degree', 'highest'],
      ['highest degree', 'none'],
    ],
  ],
  ["The occupation's risk is known.", [['occupation', "occupation's"]]],
])('%s', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  // A word within another, half of a name, a number or a common word alone, the words of a name in two sentences.
  'Cabbages and managers.',
  'That was prior to everything.',
  'There were 22 people and 2 dogs.',
  'No, none of it is so.',
  'The year was long. He had jobs. It was the last.',
])('%s mentions nothing', (text) => {
  expect(found(text)).toEqual([]);
});

test('a value that two facts share identifies neither', () => {
  const shared = [
    { name: 'father', value: 'teacher' },
    { name: 'mother', value: 'teacher' },
  ];
  expect(found('A teacher knows.', shared)).toEqual([]);
  expect(found('The mother is a teacher.', shared)).toEqual([
    ['mother', 'mother'],
    ['mother', 'teacher'],
  ]);
});

test('of a long text quotations are found, and nothing else', () => {
  const parcel = [{ name: 'text', value: 'The parcel came a week late and the vase in it was broken.' }];
  expect(found('The parcel was broken.', parcel)).toEqual([]);
  expect(found('It was in it and on it.', parcel)).toEqual([]);
  expect(found('They admit that "the vase in it was broken"; it came a week late.', parcel)).toEqual([
    ['text', 'the vase in it was broken'],
    ['text', 'came a week late'],
  ]);
});

test('an idiom with one word of a name is no mention of it', () => {
  const parking = [
    { name: 'sign_hidden', value: 'yes' },
    { name: 'ticket_was_visible', value: 'yes' },
  ];
  const names = (text: string) => found(text, parking).filter(([, words]) => words !== 'yes');
  expect(names('I take the fact that ticket_was_visible is yes as a sign of guilt.')).toEqual([
    ['ticket_was_visible', 'ticket'],
    ['ticket_was_visible', 'visible'],
  ]);
  expect(names('I take the fact that sign_hidden is yes as a sign of guilt.')).toEqual([['sign_hidden', 'sign_hidden']]);
});

test('other scripts', () => {
  expect(found('Er war arbeitslos, sein Beruf war Dachdecker.', [{ name: 'Beruf', value: 'Dachdecker' }])).toHaveLength(2);
  expect(found('Возраст важен.', [{ name: 'возраст', value: '22' }])).toEqual([['возраст', 'Возраст']]);
});

test('ranges are in order and inside the text, for any text', () => {
  const word = fc.constantFrom(
    'two',
    '2',
    'age',
    'arrests',
    'prior',
    'none',
    'degree',
    'highest',
    '.',
    '\n',
    ', ',
    ' ',
    '22',
    '’s',
    '🙂',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join(' ');
      const mentions = mentionsIn(text, facts);
      for (const [index, { fact, start, end }] of mentions.entries()) {
        expect(facts[fact]).toBeDefined();
        expect(0 <= start && start < end && end <= text.length).toBe(true);
        expect(start).toBeGreaterThanOrEqual(mentions[index - 1]?.start ?? 0);
      }
    }),
  );
});
