// Counts of what a model did, from the exports of a record: docs/experiment-file.md and docs/record-format.md
// have their fields.
import { z } from 'zod';

const trialSchema = z.looseObject({
  trial: z.string(),
  arm: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  confidence: z.number().nullable(),
});

const eventSchema = z.looseObject({ trial: z.string(), kind: z.string(), payload: z.string() });

const answerSchema = z.looseObject({
  at: z.string(),
  key: z.string(),
  done: z.string().nullable(),
  rejected: z.string().optional(),
  failure: z.looseObject({ kind: z.string() }).optional(),
  flags: z.array(z.string()).optional(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  wallMs: z.number(),
});

export type Trial = z.infer<typeof trialSchema>;
/** One request to a model and what came of it, with the arm that made it; null for what several arms share. */
export type Call = z.infer<typeof answerSchema> & { readonly arm: string | null };

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

export const readTrials = (text: string): Trial[] => lines(text).map((line) => trialSchema.parse(JSON.parse(line)));

/** @param events `events-jsonl` of an experiment */
export function readCalls(events: string, trials: readonly Trial[]): Call[] {
  const arms = new Map(trials.map(({ trial, arm }) => [trial, arm]));
  return lines(events)
    .map((line) => eventSchema.parse(JSON.parse(line)))
    .filter(({ kind }) => kind === 'call-answer')
    .map(({ trial, payload }) => ({ ...answerSchema.parse(JSON.parse(payload)), arm: arms.get(trial) ?? null }));
}

/** Milliseconds that intervals cover together. */
export function covered(intervals: readonly (readonly [start: number, end: number])[]): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [start, end] of intervals.toSorted(([a], [b]) => a - b)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export type Counts = Readonly<ReturnType<typeof countCalls>>;

export function countCalls(trials: readonly Trial[], calls: readonly Call[]) {
  const ended = trials.filter(({ status }) => status === 'done');
  const first = calls.filter(({ key }) => key.endsWith('/attempt-1'));
  const whyRefused = ({ failure, rejected }: Call) => failure?.kind ?? rejected;
  return {
    /** Trials that have ended. */
    trials: ended.length,
    decided: ended.filter(({ outcome }) => outcome === 'decided').length,
    /** Requests that were sent, further attempts included. */
    calls: calls.length,
    firstAnswers: first.length,
    /** First answers that were read. */
    usable: first.filter((call) => whyRefused(call) === undefined).length,
    /** Why first answers were not read: outcome -> how many. */
    refused: tally(first.map(whyRefused).filter((why) => why !== undefined)),
    /** Calls that ran into their limit of tokens. */
    cut: calls.filter(({ done }) => done === 'length').length,
    /** Calls that were ended because they repeated themselves. */
    looped: calls.filter(({ done }) => done === 'loop').length,
    /** What answers that were read are marked with: flag -> how many. */
    flags: tally(calls.flatMap(({ flags }) => flags ?? [])),
    promptTokens: sum(calls.map(({ promptTokens }) => promptTokens)),
    completionTokens: sum(calls.map(({ completionTokens }) => completionTokens)),
    /** Time during which at least one call was under way, in seconds. */
    seconds: covered(calls.map(({ at, wallMs }) => [Date.parse(at) - wallMs, Date.parse(at)])) / 1000,
    /** Stated confidences of the verdicts, 0 to 1. */
    confidences: ended.flatMap(({ confidence }) => (confidence === null ? [] : [confidence])),
  };
}
