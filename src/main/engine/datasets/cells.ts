// Cells that are more than text: weights, dates and times.
import { z } from 'zod';
import { numberIn } from '../../../core/imported/prediction.ts';
import { quoted } from './spelling.ts';

/** A sampling weight; null for a cell that is none. */
export function weightIn(cell: string): number | null {
  const number = numberIn(cell);
  return number !== null && number > 0 ? number : null;
}

export const noWeight = (cell: string): string =>
  `${quoted(cell)} is no sampling weight; every case needs a number above 0, such as 1 or 1523.7`;

const day = z.iso.date();
const moment = z.iso.datetime({ offset: true, local: true });

/** Milliseconds since 1970 of an ISO date, or of a moment, which is UTC where it names no zone; null for anything else. */
function dateIn(cell: string): number | null {
  if (day.safeParse(cell).success) return Date.parse(cell);
  const text = cell.replace(' ', 'T');
  if (!moment.safeParse(text).success) return null;
  return Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

/** A date of a table that has its own type for it, as 2014-05-31 or, where it is not midnight, 2014-05-31T12:30:00. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.valueOf())) return '';
  return date
    .toISOString()
    .replace(/(\.0+)?Z$/, '')
    .replace(/T00:00:00$/, '');
}

/** Reads one column of times, all dates or all numbers, as the first cell is. Gives the reason as text for a cell that is none. */
export function timeReader(): (cell: string) => number | string {
  let read: typeof dateIn | undefined;
  return (cell) => {
    const text = cell.trim();
    const time = read === undefined ? (dateIn(text) ?? numberIn(text)) : read(text);
    if (time === null) {
      const wanted =
        read === undefined
          ? 'a date such as 2014-05-31, or a number'
          : read === dateIn
            ? 'a date such as 2014-05-31'
            : 'a number';
      return `${quoted(cell)} cannot be split by; ${read === undefined ? 'each case needs' : 'as in the rows before, each case needs'} ${wanted}`;
    }
    read ??= dateIn(text) === null ? numberIn : dateIn;
    return time;
  };
}
