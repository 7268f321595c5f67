import { expect, test } from 'vitest';
import { drawnTable } from './drawnTable.ts';

const kase = (truth: string | null, group: string, facts: Record<string, string>) => ({
  truth,
  groups: { town: group },
  facts: Object.entries(facts).map(([name, value]) => ({ name, value })),
});
const dataset = { kind: 'tabular', names: { noise: 'Noise' }, units: { noise: 'dB' } } as const;

test('each side counts its cases: numbers have a median and a range, other values a share, and missing ones a row', () => {
  const drawn = [kase('NO', 'a', { noise: '40', bar: 'yes' }), kase('YES', 'b', { noise: '51', bar: 'no' })];
  const others = [
    kase('NO', 'a', { noise: '60', bar: 'yes' }),
    kase('NO', 'a', { noise: '70.5', bar: 'yes' }),
    kase('NO', 'b', { noise: '66', bar: 'no' }),
    kase(null, 'b', { bar: 'yes' }),
  ];
  expect(drawnTable(drawn, others, dataset)).toEqual({
    head: ['fact', 'value', '2 drawn', '4 not drawn'],
    rows: [
      ['Truth', 'NO', '1 of 2 (50%)', '3 of 4 (75%)'],
      ['Truth', 'YES', '1 of 2 (50%)', '0 of 4 (0%)'],
      ['Truth', 'not stated', '0 of 2 (0%)', '1 of 4 (25%)'],
      ['town', 'a', '1 of 2 (50%)', '2 of 4 (50%)'],
      ['town', 'b', '1 of 2 (50%)', '2 of 4 (50%)'],
      ['Noise (dB)', 'median (least to greatest)', '45.5 (40 to 51)', '66 (60 to 70.5)'],
      ['Noise (dB)', 'not stated', '0 of 2 (0%)', '1 of 4 (25%)'],
      ['bar', 'yes', '1 of 2 (50%)', '3 of 4 (75%)'],
      ['bar', 'no', '1 of 2 (50%)', '1 of 4 (25%)'],
    ],
  });
});

test('texts that hardly repeat are left out, rare values are counted together, and facts of other kinds are not compared', () => {
  const cases = Array.from({ length: 40 }, (_none, place) =>
    kase(null, 'a', { text: `words ${place}`, street: `street ${Math.min(11, place % 20)}` }),
  );
  const [drawn, others] = [cases.slice(0, 20), cases.slice(20)];
  const rows = drawnTable(drawn, others, dataset)?.rows ?? [];
  expect(rows.map(([fact, value]) => `${fact}: ${value}`)).toEqual([
    'town: a',
    ...[11, 0, 1, 10, 2, 3, 4, 5].map((place) => `street: street ${place}`),
    'street: 4 other values',
  ]);
  expect(rows.at(-1)).toEqual(['street', '4 other values', '4 of 20 (20%)', '4 of 20 (20%)']);
  expect(drawnTable(drawn, others, { ...dataset, kind: 'text' })?.rows).toEqual([
    ['town', 'a', '20 of 20 (100%)', '20 of 20 (100%)'],
  ]);
  expect(drawnTable(drawn, [], dataset)).toBeNull();
});
