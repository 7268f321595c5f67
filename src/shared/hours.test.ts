import { afterEach, beforeEach, expect, test } from 'vitest';
import { betweenSchema, hoursAt, nextTime } from './hours.ts';

let zone: string | undefined;
beforeEach(() => {
  zone = process.env.TZ;
  process.env.TZ = 'Europe/Vienna';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = (iso: string) => new Date(iso);
const hours = (between: string, iso: string) => {
  const { isOpen, until } = hoursAt(between, at(iso));
  return `${isOpen ? 'open' : 'closed'} until ${until.toISOString()}`;
};

test('hours may go over midnight or not, begin with their first minute and end before their last', () => {
  expect(hours('22:00-07:00', '2026-11-30T12:00+01:00')).toBe('closed until 2026-11-30T21:00:00.000Z');
  expect(hours('22:00-07:00', '2026-11-30T22:00+01:00')).toBe('open until 2026-12-01T06:00:00.000Z');
  expect(hours('22:00-07:00', '2026-11-30T06:59+01:00')).toBe('open until 2026-11-30T06:00:00.000Z');
  expect(hours('22:00-07:00', '2026-11-30T07:00+01:00')).toBe('closed until 2026-11-30T21:00:00.000Z');
  expect(hours('12:30-13:00', '2026-11-30T12:45+01:00')).toBe('open until 2026-11-30T12:00:00.000Z');
  expect(hours('12:30-13:00', '2026-11-30T13:00+01:00')).toBe('closed until 2026-12-01T11:30:00.000Z');
});

test('a time that is skipped when summer begins comes an hour later, and only on that day', () => {
  expect(nextTime('02:30', at('2026-03-28T12:00+01:00'))?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  // At half past three of that day, the next half past two is that of the day after.
  expect(nextTime('02:30', at('2026-03-29T03:30+02:00'))?.toISOString()).toBe('2026-03-30T00:30:00.000Z');
  expect(hours('02:30-07:00', '2026-03-29T01:59+01:00')).toBe('closed until 2026-03-29T01:30:00.000Z');
  expect(hours('22:00-02:30', '2026-03-29T03:15+02:00')).toBe('open until 2026-03-29T01:30:00.000Z');
  // Of hours that are skipped, nothing is left that day; the day before is as usual.
  expect(hours('02:30-03:15', '2026-03-28T03:00+01:00')).toBe('open until 2026-03-28T02:15:00.000Z');
  expect(hours('02:30-03:15', '2026-03-28T12:00+01:00')).toBe('closed until 2026-03-30T00:30:00.000Z');
});

test('of a time that comes twice when summer ends, the first counts, and what it began is not ended by the second', () => {
  expect(nextTime('02:30', at('2026-10-25T00:00+02:00'))?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(nextTime('02:30', at('2026-10-25T02:10+01:00'))?.toISOString()).toBe('2026-10-26T01:30:00.000Z');
  // The clock shows ten past two for the second time: the hours began before.
  expect(hours('02:30-07:00', '2026-10-25T02:10+01:00')).toBe('open until 2026-10-25T06:00:00.000Z');
  expect(hours('22:00-02:30', '2026-10-25T02:10+01:00')).toBe('closed until 2026-10-25T21:00:00.000Z');
});

test('what is no time, and hours without length, are refused', () => {
  expect(['', 'x:y'].map((text) => nextTime(text, new Date()))).toEqual([null, null]);
  expect(
    ['22:00-07:00', '22-7', '24:00-07:00', '7:00-8:00', '07:00-07:00', '22:00-07:00 '].map(
      (text) => betweenSchema.safeParse(text).success,
    ),
  ).toEqual([true, ...[false, false, false, false, false]]);
});
