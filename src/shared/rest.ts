// What is left of an experiment that was begun, in the words of screens and of the command line.
import { z } from 'zod';
import { count, duration, quantity } from './sizes.ts';

/** Of the trials that have not ended, if they take what the finished ones took: seconds with one trial at a time, its calls one after the other. */
export const restSchema = z.strictObject({
  calls: z.number(),
  seconds: z.number(),
  /** Trials at a time in the newest start. */
  at_a_time: z.int().min(1),
  /** An arm has few finished trials or none; then its calls are those of the plan, each as long as those of the other arms. */
  first_guess: z.boolean(),
});
export type Rest = z.infer<typeof restSchema>;

/** `about 40 calls and up to 5 min, …`. @param rest null where no trial has ended */
export function restWords(rest: Rest | null): string {
  if (rest === null) return 'not known until a trial has ended';
  const { calls, seconds, at_a_time: trials, first_guess } = rest;
  const pace = trials === 1 ? '' : `, ${count(trials)} trials at a time as in the last start`;
  const number = Math.max(1, Math.round(calls));
  const time = seconds / trials < 1 ? 'less than a second' : `up to ${duration(seconds / trials)}`;
  const what = `about ${quantity(number, 'call')} and ${time}${pace}`;
  return first_guess ? `${what}, a first guess` : `${what}, if the rest is like the trials that have ended`;
}
