// Times of the clock at which something begins and ends by itself.
import { z } from 'zod';

const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** `22:00-07:00`: from when until when a run may ask its models, every day, by the clock of the machine. */
export const betweenSchema = z
  .string()
  .regex(new RegExp(`^${clock}-${clock}$`), 'give hours as 22:00-07:00')
  .refine((between) => between.slice(0, 5) !== between.slice(6), 'the hours end when they begin; give two times');

/** Both hosts have it, and this folder makes no dates itself: a day is a changed copy of the one that was handed in. */
declare function structuredClone<T>(value: T): T;

/** When the clock shows a time on the day of `now` or one so many days later. A time that a change of clocks skips comes an hour later; of one that comes twice, the first counts. */
function onDay(time: string, now: Date, day: number): Date {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number);
  const at = structuredClone(now);
  // From noon, which every day has.
  at.setHours(12);
  at.setDate(at.getDate() + day);
  at.setHours(hours, minutes, 0, 0);
  return at;
}

/** The next time that the clock shows `22:00`; null where the words are no time. */
export function nextTime(time: string, now: Date): Date | null {
  const at = [0, 1].map((day) => onDay(time, now, day)).find((each) => !(each <= now));
  return at === undefined || Number.isNaN(at.getTime()) ? null : at;
}

/** Whether `now` is in the hours, and when that changes. @param between as `betweenSchema` has it */
export function hoursAt(between: string, now: Date): { readonly isOpen: boolean; readonly until: Date } {
  const [from = '', to = ''] = between.split('-');
  // Of a day on which a change of clocks skips them, there are no such hours.
  const next = [-1, 0, 1, 2]
    .map((day) => ({ begin: onDay(from, now, day), end: onDay(to, now, to < from ? day + 1 : day) }))
    .find(({ begin, end }) => begin < end && end > now);
  if (next === undefined) throw new Error(`${between} are no hours`);
  const isOpen = next.begin <= now;
  return { isOpen, until: isOpen ? next.end : next.begin };
}

/** `22:00 to 07:00`. */
export const hoursWords = (between: string): string => between.replace('-', ' to ');
