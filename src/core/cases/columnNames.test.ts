import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnTitle, shownFacts, suggestedTerms } from './columnNames.ts';

it.each([
  ['number_of_arrests_by_2002', { name: 'Number of arrests by 2002' }],
  ['numberOfArrestsBy2002', { name: 'Number of arrests by 2002' }],
  ['priors-count', { name: 'Priors count' }],
  ['income_usd', { name: 'Income', unit: 'USD' }],
  ['needs_power_kW', { name: 'Needs power', unit: 'kW' }],
  ['stall_length_m', { name: 'Stall length', unit: 'm' }],
  ['distance_from_home_m', { name: 'Distance from home', unit: 'm' }],
  ['arrived_m', { name: 'Arrived m' }],
  ['bodyWeightKg', { name: 'Body weight', unit: 'kg' }],
  ['HIVStatus', { name: 'HIV status' }],
  ['ärzte_zahl', { name: 'Ärzte zahl' }],
  ['  prior claims  ', { name: 'prior claims' }],
  [' income_usd ', { name: 'Income', unit: 'USD' }],
  ['y_arrestedafter2002', { name: 'Y arrestedafter 2002' }],
])('the words of %s suggest a name', (column, terms) => {
  expect(suggestedTerms(column)).toEqual(terms);
});

it.each(['age', 'numberofarrests', 'usd', 'Years of school', '', '__', '年齢', 'x2'])('%j suggests nothing', (column) => {
  expect(suggestedTerms(column)).toEqual({});
});

it('a suggestion has the letters and digits of the column, in their order, and no others', () => {
  const letters = (text: string) => text.toLowerCase().replace(/[\s_.-]/g, '');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' }), { maxLength: 5 }), (parts) => {
      const { name, unit } = suggestedTerms(parts.join('_'));
      if (name !== undefined && unit === undefined) expect(letters(name)).toBe(letters(parts.join('_')));
    }),
  );
});

it('facts keep the names that models read, and columns called like parts of every object have no other', () => {
  const terms = { names: { income: 'Yearly income' }, units: { income: 'USD', age: 'years' } };
  const facts = ['income', 'age', 'sex', 'constructor', '__proto__'].map((name) => ({ name, value: '1' }));
  expect(shownFacts(facts, terms).map(({ shown }) => shown)).toEqual([
    'Yearly income (USD)',
    'age (years)',
    undefined,
    undefined,
    undefined,
  ]);
  expect(shownFacts(facts, terms)).toMatchObject(facts);
  expect(columnTitle('constructor', {})).toBe('constructor');
  expect(shownFacts(facts, { ...terms, names: { 'age (years)': 'x', sex: 'age' }, namesInPrompts: true })).toEqual(facts);
});
