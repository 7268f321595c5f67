import { expect, test } from 'vitest';
import { personalColumns } from './cases.ts';

const table = (rows: readonly Readonly<Record<string, string>>[]) =>
  rows.map((row, index) => ({
    id: String(index),
    facts: Object.entries(row).map(([name, value]) => ({ name, value })),
    question: null,
    truth: null,
    groups: {},
  }));
const found = (...rows: Readonly<Record<string, string>>[]) =>
  personalColumns(Object.keys(rows[0] ?? {}), table(rows)).map(({ column, what }) => `${column}: ${what}`);

test.each([
  [{ firstName: 'x' }, 'firstName: names'],
  [{ 'Applicant name': 'x' }, 'Applicant name: names'],
  [{ E_MAIL: '' }, 'E_MAIL: e-mail addresses'],
  [{ contact: 'a.b@example.org' }, 'contact: e-mail addresses'],
  [{ call: '+49 30 1234567' }, 'call: telephone numbers'],
  [{ pay: 'DE89 3704 0044 0532 0130 00' }, 'pay: bank accounts'],
  [{ key: '078-05-1120' }, 'key: numbers of identity papers'],
  [{ date_of_birth: '1990-01-01' }, 'date_of_birth: dates of birth'],
  [{ home_address: 'x' }, 'home_address: addresses'],
  [{ Street: 'x' }, 'Street: addresses'],
  [{ street_line_1: 'x' }, 'street_line_1: addresses'],
  [{ mailingAddress: 'x' }, 'mailingAddress: addresses'],
  [{ client: '192.168.0.1' }, 'client: network addresses'],
])('%j looks personal', (row, expected) => {
  expect(found(row)).toEqual([expected]);
});

const rowsOf = (column: string, values: string) => values.split('; ').map((value) => ({ [column]: value }));

test.each([
  ['parent', 'Anna Berg; Jörg van der Heide; Мария Иванова; José-Luis García Ruiz; Berg, Anna'],
  ['owner', 'ANNA BERG; J. Smith; Siobhán O’Neill; Νίκος Παππάς; unknown'],
])('the values of %j are names of people', (column, values) => {
  expect(found(...rowsOf(column, values))).toEqual([`${column}: names`]);
});

test.each([
  ['quarter', 'Upper Town; Upper Town; Mill Row; Mill Row; Old Harbour; Old Harbour'],
  ['where', 'Kiln Street; Station Road; Neuer Weg; Long Lane; Main Square'],
  ['film', 'Blue Velvet; Taxi Driver; Star Wars; Rear Window; Raging Bull'],
  ['remark', 'Sent late; Paid Twice; New heating; No answer yet; Roof leaks'],
  ['code', 'A1 B2; C3 D4; E5 F6; G7 H8; I9 J0'],
  ['asked', 'Anna Berg; Paul Fuchs'],
])('the values of %j are not', (column, values) => {
  expect(found(...rowsOf(column, values))).toEqual([]);
});

test('columns of public tables do not look personal, nor does one with an odd value', () => {
  const row = {
    age: '25',
    race: 'Black',
    sex: 'Male',
    priors_count: '3',
    'marital-status': 'single',
    charge: 'Battery',
    workclass: 'x',
  };
  const names = {
    'employer type': 'x',
    column_name_length: '3',
    'number of telephones': '1',
    fnlwgt: '226802',
    month: '2024-05-01',
    street_lights: '4',
    height_above_street_cm: '210',
  };
  expect(found(row)).toEqual([]);
  expect(found(names)).toEqual([]);
  expect(found({ note: 'a@b.org' }, { note: 'none' }, { note: 'asked by post' })).toEqual([]);
});
