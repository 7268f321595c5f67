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

test('a word such as before, next to the number that is the value, is no mention of the name that has it', () => {
  const late = [{ name: 'Late returns before', value: '2' }];
  expect(found('It came 2 days before the party.', late)).toEqual([]);
  expect(found('He had 2 late returns.', late)).toEqual([['Late returns before', '2 late returns']]);
});

test('a name that is spoken whole is marked whole, with its unit and its everyday words', () => {
  const grant = [
    { name: 'own_share_pct', value: '30' },
    { name: 'asked_EUR', value: '4927' },
    { name: 'applied_on', value: '2024-02-01' },
  ];
  expect(found('An own_share_pct of 30 and asked_eur; applied_on is early.', grant)).toEqual([
    ['own_share_pct', 'own_share_pct'],
    ['own_share_pct', '30'],
    ['asked_EUR', 'asked_eur'],
    ['applied_on', 'applied_on'],
  ]);
  expect(found('Its own share is asked of us.', grant)).toEqual([
    ['own_share_pct', 'own share'],
    ['asked_EUR', 'asked'],
  ]);
});

test('a name, and a value, in the longer name of another fact is no mention, whether the court or people call it so', () => {
  const swimming = [
    { name: 'course', value: 'diving' },
    { name: 'lessons_in_course', value: '10' },
    { name: 'lessons_missed', value: '7' },
    { name: 'diving_level', value: '3' },
    { name: 'n_course', value: '40', shown: 'people of the course' },
  ];
  const named = (text: string) => [...new Set(found(text, swimming).map(([name]) => name))];
  expect(named('The fact that lessons_in_course is 10 speaks for it.')).toEqual(['lessons_in_course']);
  expect(named('The lessons in course are few, and the people of the course many.')).toEqual(['lessons_in_course']);
  expect(named('The diving level is 3; lessons_in_course were missed.')).toEqual(['diving_level', 'lessons_in_course']);
  expect(named('The course, of lessons_in_course 10, is diving.')).toEqual(['course', 'lessons_in_course']);
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
    ['ticket_was_visible', 'ticket_was_visible'],
  ]);
  expect(names('I take the fact that sign_hidden is yes as a sign of guilt.')).toEqual([['sign_hidden', 'sign_hidden']]);
});

const late = [
  { name: 'delay_min', value: '153', shown: 'delay (min)' },
  { name: 'distance', value: '1,480.0', shown: 'Distance (km)' },
  { name: 'fare_eur', value: '500' },
  { name: 'fee', value: '€20' },
  { name: 'stay_days', value: '1' },
  { name: 'reason', value: 'Missing staff' },
  { name: 'contract', value: 'part time' },
  { name: 'refund', value: 'never paid' },
  { name: 'lounge_m2', value: '85' },
  { name: 'fuel', value: '9.5', shown: 'Fuel (m³)' },
];
test.each<[string, string[]]>([
  ['It came 153 minutes late.', ['delay_min']],
  ['A 153-minute wait, or 153min.', ['delay_min']],
  ['The delay was long.', ['delay_min']],
  ['They flew 1480 kilometres.', ['distance']],
  ['She paid €500 for it.', ['fare_eur']],
  ['She paid 500 euros.', ['fare_eur']],
  ['They kept 20 EUR of it.', ['fee']],
  ['Its 85 m² are 85 square meters.', ['lounge_m2']],
  ['The lounge was full.', ['lounge_m2']],
  ['They burned 9.5 cubic metres.', ['fuel']],
  ['They burned 9.5 m², over 85 m.', []],
  ['The staff were missing that day.', ['reason']],
  ['It was staff that was clearly missing.', ['reason']],
  ['Missing staff is no excuse.', ['reason']],
  // Another unit, no unit, another number, an idiom; words far apart, denied, of an idiom, or in a denying value.
  ['It came 153 hours late; 153 came.', []],
  ['It came 15.3 minutes late.', []],
  ['One day it may come.', []],
  ['The staff worked, and two bags were missing.', []],
  ['No staff were missing. Missing is the staff.', ['reason']],
  ['No staff were missing.', []],
  ['He took part this time, and for part of the time.', []],
  ['Once paid it is never the same.', []],
])('%s of a late flight', (text, names) => {
  expect([...new Set(found(text, late).map(([name]) => name))]).toEqual(names);
});

test('a unit is of one fact where another has the same number, and part of a name where another name has the rest', () => {
  const waits = [
    { name: 'delay_min', value: '40' },
    { name: 'drive_min', value: '40' },
    { name: 'temp_min', value: '3' },
    { name: 'temp_max', value: '9' },
    { name: 'jobs in the last years', value: '2' },
  ];
  expect(found('It took 40 minutes at this temp for 2 years.', waits)).toEqual([['jobs in the last years', '2 years']]);
  expect(found('It took 40 minutes at this temp for 9 years.', waits)).toEqual([]);
});

test('a minimum is no minute, and an m is neither metres nor millions', () => {
  const weather = [
    { name: 'temp_min', value: '3' },
    { name: 'temp_max', value: '9' },
    { name: 'revenue_m', value: '85' },
    { name: 'rope', value: '12 m' },
  ];
  expect(found('After 3 minutes he ran 85 metres and spent 12 minutes, or 12 metres.', weather)).toEqual([]);
  expect(found('It was 12 m long.', weather)).toEqual([['rope', '12 m']]);
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
