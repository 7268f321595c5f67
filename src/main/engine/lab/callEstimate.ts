import type { PreparedCall } from '../../../core/record/effects.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { inventAnswer } from './inventAnswer.ts';
import { type ModelSpeed, modelAt, type PastCalls, stepOf } from './pastCalls.ts';

/** A number that is not known beforehand: at least, at most. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const addedRanges = (ranges: readonly Range[]): Range => ({
  min: sum(ranges.map(({ min }) => min)),
  max: sum(ranges.map(({ max }) => max)),
});

/** Characters per token of English text, roughly: for estimates only. */
export const charactersPerToken = 4;

export const tokensIn = (text: string): number => Math.ceil(text.length / charactersPerToken);

export interface CallEstimate {
  readonly promptTokens: number;
  /** Of past calls the median; else from the shortest to the longest answer that the schema admits. */
  readonly completionTokens: Range;
  /** Null where nothing is known of the model's speed. */
  readonly seconds: Range | null;
  /** The tokens of the answer are those of past calls. */
  readonly measured: boolean;
  readonly model: string;
  readonly speed: ModelSpeed | null;
}

export type Estimate = (call: PreparedCall, protocol: string) => CallEstimate;

/**
 * Estimates calls from those on the record where there are any, else from their prompts and schemas.
 * @param longer characters by which the mean case is longer than the one in the prompts
 */
export function callEstimates(past: PastCalls, backends: Readonly<Record<string, BackendDefinition>>, longer: number): Estimate {
  const speeds = new Map(past.speeds.map((speed) => [speed.of, speed]));
  const steps = new Map(past.steps.map((step) => [step.step, step]));
  return ({ key, backend, request }, protocol) => {
    const { model, messages, schema, options } = request;
    const url = backends[backend]?.url ?? '';
    // A model before the demo model: where both were asked at one address, the demo model's pace is the invented one.
    const places = url === '' ? [] : [modelAt(url, model), modelAt(url, model, true)];
    const speed = places.flatMap((of) => speeds.get(of) ?? [])[0] ?? null;
    const step = places.flatMap((of) => steps.get(stepOf(protocol, key, schema, of)) ?? [])[0];
    const capped = (tokens: number) => Math.min(tokens, options.numPredict);
    const bound = (lengths: 'shortest' | 'longest') =>
      capped(step?.completionTokens ?? tokensIn(inventAnswer({ schema, options }, lengths)));
    const characters = messages.reduce((total, { content }) => total + content.length, longer);
    const promptTokens = step?.promptTokens ?? Math.ceil(characters / charactersPerToken);
    const completionTokens = { min: bound('shortest'), max: bound('longest') };
    const time = (completion: number, { prompt, completion: pace }: ModelSpeed) =>
      (prompt === null ? 0 : promptTokens / prompt) + completion / pace;
    return {
      promptTokens,
      completionTokens,
      seconds: speed && { min: time(completionTokens.min, speed), max: time(completionTokens.max, speed) },
      measured: step !== undefined,
      model,
      speed,
    };
  };
}

/** Several calls together; their time is null where that of any is not known. */
export function addedEstimates(
  estimates: readonly CallEstimate[],
): Pick<CallEstimate, 'promptTokens' | 'completionTokens' | 'seconds'> {
  const times = estimates.flatMap(({ seconds }) => seconds ?? []);
  return {
    promptTokens: sum(estimates.map(({ promptTokens }) => promptTokens)),
    completionTokens: addedRanges(estimates.map(({ completionTokens }) => completionTokens)),
    seconds: times.length < estimates.length ? null : addedRanges(times),
  };
}
