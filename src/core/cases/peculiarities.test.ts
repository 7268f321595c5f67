import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeatedCases, tellingColumns } from './peculiarities.ts';

/** Cases of rows: the truth, then the facts. */
const casesOf = (rows: readonly (readonly [string, Readonly<Record<string, string>>])[]) =>
  rows.map(([truth, facts], index) => ({
    id: String(index),
    facts: Object.entries(facts).map(([name, value]) => ({ name, value })),
    question: null,
    truth,
    groups: {},
  }));

const half = (index: number) => (index % 2 === 0 ? 'YES' : 'NO');
const rows = (count: number, facts: (index: number) => Record<string, string>) =>
  casesOf(Array.from({ length: count }, (_none, index) => [half(index), facts(index)] as const));

describe('columns that give away the label', () => {
  test('by their values, by an empty cell, by their numbers, and nearly', () => {
    const cases = rows(200, (index) => ({
      outcome: index % 2 === 0 ? 'granted' : 'refused',
      ...(index % 2 === 0 ? { closed: 'x' } : {}),
      score: String(index % 2 === 0 ? 50 + index : -index),
      nearly: index === 7 ? 'a' : index % 2 === 0 ? 'a' : 'b',
      hint: index % 10 === 3 ? 'a' : index % 2 === 0 ? 'a' : 'b',
      id: String(index),
    }));
    expect(tellingColumns(['outcome', 'closed', 'score', 'nearly', 'hint', 'id'], cases)).toEqual(
      new Map([
        ['outcome', 'every'],
        ['closed', 'every'],
        ['score', 'every'],
        ['nearly', 'nearly every'],
      ]),
    );
  });

  test('too few cases, and one label nearly alone, prove nothing', () => {
    const outcome = (index: number) => ({ outcome: half(index) });
    expect(tellingColumns(['outcome'], rows(18, outcome))).toEqual(new Map());
    expect(tellingColumns(['outcome'], rows(20, outcome))).toEqual(new Map([['outcome', 'every']]));
    const alone = casesOf(
      Array.from({ length: 100 }, (_none, index) => [index < 2 ? 'YES' : 'NO', { x: index < 2 ? '1' : '0' }] as const),
    );
    expect(tellingColumns(['x'], alone)).toEqual(new Map());
  });

  test('values drawn without regard to the label prove nothing', () => {
    const drawn = fc.array(fc.tuple(fc.constantFrom('YES', 'NO'), fc.constantFrom('a', 'b', 'c')), {
      minLength: 200,
      maxLength: 300,
    });
    fc.assert(
      fc.property(drawn, (pairs) => {
        const cases = casesOf(pairs.map(([truth, value]) => [truth, { value }] as const));
        // The same cells with the truth among them show that the check looks.
        const withTruth = casesOf(pairs.map(([truth]) => [truth, { value: truth }] as const));
        const yes = pairs.filter(([truth]) => truth === 'YES').length;
        fc.pre(yes > 20 && yes < pairs.length - 20);
        const mixed = pairs.filter(([truth, value]) => value === 'a' && truth === 'YES').length > 9;
        const other = pairs.filter(([truth, value]) => value === 'a' && truth === 'NO').length > 9;
        fc.pre(mixed && other);
        expect(tellingColumns(['value'], cases)).toEqual(new Map());
        expect(tellingColumns(['value'], withTruth)).toEqual(new Map([['value', 'every']]));
      }),
    );
  });
});

test('cases with the same content are named, and those among them that contradict', () => {
  const cases = casesOf([
    ['YES', { a: '1', b: 'x' }],
    ['YES', { a: '1', b: 'X ' }],
    ['NO', { a: '1', b: 'x' }],
    ['NO', { a: '2', b: 'x' }],
    ['NO', { a: '2', b: 'x', on: '2024-02-01' }],
    ['NO', { a: '2', b: 'x', on: '3.12.2024' }],
    ['NO', { on: '2024-02-01' }],
    ['NO', { on: '2024-02-02' }],
  ]);
  expect(repeatedCases(cases, 'tabular')).toEqual([
    { id: cases[1]?.id, of: cases[0]?.id, contradicts: false, apart: [] },
    { id: cases[2]?.id, of: cases[0]?.id, contradicts: true, apart: [] },
    { id: cases[4]?.id, of: cases[3]?.id, contradicts: false, apart: ['on'] },
    { id: cases[5]?.id, of: cases[3]?.id, contradicts: false, apart: ['on'] },
  ]);
});

test('a case repeats the one that is the very same rather than one of another date, and has or lacks the date itself', () => {
  const [first, second] = [
    { on: '2024-01-01', a: 'x' },
    { on: '2024-02-01', a: 'x' },
  ];
  const found = (...facts: Record<string, string>[]) =>
    repeatedCases(casesOf(facts.map((each) => ['YES', each])), 'tabular').map(({ id, of, apart }) => [id, of, ...apart]);
  expect(found(first, second, second)).toEqual([
    ['1', '0', 'on'],
    ['2', '1'],
  ]);
  expect(found(first, { a: 'x' })).toEqual([['1', '0', 'on']]);
  expect(found({ on: '2024-01-01' }, { on: '2024-01-01' })).toEqual([['1', '0']]);
  const questions = casesOf([
    ['YES', {}],
    ['YES', {}],
  ]).map((kase) => ({ ...kase, question: 'Why?' }));
  expect(repeatedCases(questions, 'open')).toHaveLength(1);
});
