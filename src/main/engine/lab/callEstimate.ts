// Estimates calls beforehand: from those on the record, else from their prompts and from answers that are made up.
import { z } from 'zod';
import { type SampleLengths, sampleAnswer } from '../../../core/answers/sample.ts';
import { randomSource } from '../../../core/cases/shuffle.ts';
import type { PreparedCall } from '../../../core/record/effects.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import type { CompletionRequest, JsonSchema } from '../../../shared/model.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { fileRefOf, type ReadFile } from '../datasets/dataset.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { fullModelName } from './backends.ts';

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
  readonly seconds: Range | null;
  readonly measured: boolean;
  readonly model: string;
  readonly speed: ModelSpeed | null;
}

export type Estimate = (call: PreparedCall, protocol: string) => CallEstimate;

/** Estimates calls from recorded ones, else from prompts and schemas. @param longer characters that the mean case has more */
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

const filling = 'These words stand for those of a model. ';

function fixedTexts(part: unknown): string[] {
  if (Array.isArray(part)) return part.flatMap(fixedTexts);
  if (typeof part === 'string') return [part];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(fixedTexts) : [];
}

/** A valid answer to a request as JSON text: choices and numbers by its seed, one sentence over and over for free text. */
export function inventAnswer(
  { schema, options: { seed } }: { schema: JsonSchema; options: Pick<CompletionRequest['options'], 'seed'> },
  lengths: SampleLengths = 'random',
): string {
  const fixed = new Set(fixedTexts(schema));
  // A schema counts characters, of which some are two units of a text.
  const fill = (text: string) => filling.repeat(Math.ceil(text.length / filling.length)).slice(0, [...text].length);
  return JSON.stringify(sampleAnswer(schema, randomSource(seed, 'rehearsal'), lengths), (_key, value: unknown) =>
    typeof value === 'string' && !fixed.has(value) ? fill(value) : value,
  );
}

export interface ModelSpeed {
  /** `modelAt` of the server and the model. */
  readonly of: string;
  /** Tokens a second; null where servers did not separate reading from writing: then the time of both is in `completion`. */
  readonly prompt: number | null;
  readonly completion: number;
  readonly calls: number;
  readonly source: 'record' | 'measurement';
}

/** What the calls of one step took: of one protocol and model, in one place, with answers of one shape. */
export interface PastStep {
  readonly step: string;
  /** Median tokens; of the prompt only over trials of the same data file, null where there are none. */
  readonly promptTokens: number | null;
  readonly completionTokens: number;
}

export interface PastCalls {
  readonly speeds: readonly ModelSpeed[];
  readonly steps: readonly PastStep[];
}

export const noPastCalls: PastCalls = { speeds: [], steps: [] };

/** What was measured just now counts more than what is on the record. */
export const withMeasured = (past: PastCalls, measured: readonly ModelSpeed[]): PastCalls => ({
  ...past,
  speeds: [...past.speeds.filter(({ of }) => measured.every((speed) => speed.of !== of)), ...measured],
});

/** Rows of the record that are looked through: enough for medians, and a moment's work in a record of any length. */
const newestRows = 20_000;
/** Shorter answers say little about how fast a model writes. */
const leastTokens = 8;

const setupSchema = z.object({
  model: z.string(),
  url: z.string(),
  standin: z.boolean().nullable(),
  schema: z.record(z.string(), z.unknown()),
});

/** A model on a server; all servers of this machine are one place. A demo model is its address only: its needs mean nothing. */
export function modelAt(url: string, model: string, standin = false): string {
  const place = standin ? url : isOnThisMachine(url) ? 'this machine' : new URL(url).hostname;
  return `${fullModelName(model)} at ${place}`;
}

/** A step of a protocol, whichever turn or speaker of a number it is, by the shape of its answer. */
export function stepOf(protocol: string, key: string, schema: JsonSchema, of: string): string {
  const step = key.replace(/\/attempt-\d+$/, '').replaceAll(/\d+/g, '#');
  return [protocol, step, Object.keys(schema.properties ?? {}).join(','), of].join(' | ');
}

/** The middle value; of an even number the lower of the two. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}

/** @returns whether the newest data of an experiment are from the file; not known where the salt was erased */
export function onFile(store: Store, experiment: string, file: ReadFile): boolean {
  const row = store.experiments.get(experiment);
  const recorded = store.experiments.history(experiment).at(-1)?.payload.dataset.file;
  return row !== undefined && recorded === fileRefOf(store.datasets.get(row.dataset).salt, file);
}

/** What the newest calls on the record took. @param file the data that are planned for */
export function pastCalls(store: Store, file: ReadFile): PastCalls {
  const setupOf = readOnce((ref: string) => setupSchema.safeParse(JSON.parse(store.blobs.get(ref) ?? 'null')).data);
  const trialOf = readOnce((trial: string) => store.trials.get(trial));
  const sameFile = readOnce((experiment: string) => onFile(store, experiment, file));
  const calls = store.events.newest('call-answer', newestRows).flatMap((stored) => {
    const [event] = parseChain([stored]);
    const setup = event?.kind === 'call-answer' ? setupOf(event.payload.setup) : undefined;
    // An answer that was cut short or not given says nothing about the others.
    if (event?.kind !== 'call-answer' || setup === undefined || event.payload.done !== 'stop') return [];
    const trial = trialOf(stored.trial);
    const of = modelAt(setup.url, setup.model, setup.standin === true);
    const { promptTokens, completionTokens, promptMs, completionMs, modelMs, loadMs, wallMs } = event.payload;
    return {
      of,
      step: stepOf(trial?.protocol ?? '', event.payload.key, setup.schema, of),
      promptTokens,
      completionTokens,
      promptMs: promptMs ?? null,
      completionMs: completionMs ?? (modelMs - loadMs || wallMs),
      here: trial !== undefined && sameFile(trial.experiment),
    };
  });
  const speeds = [...Map.groupBy(calls, ({ of }) => of)].flatMap(([of, made]): ModelSpeed[] => {
    const long = made.filter(({ completionTokens, completionMs }) => completionTokens >= leastTokens && completionMs > 0);
    const completion = median(long.map((call) => (call.completionTokens / call.completionMs) * 1000));
    const read = made.flatMap(({ promptMs, promptTokens }) => (promptMs ? [(promptTokens / promptMs) * 1000] : []));
    return completion === null ? [] : [{ of, prompt: median(read), completion, calls: long.length, source: 'record' }];
  });
  const steps = [...Map.groupBy(calls, ({ step }) => step)].map(([step, made]) => ({
    step,
    promptTokens: median(made.filter(({ here }) => here).map(({ promptTokens }) => promptTokens)),
    completionTokens: median(made.map(({ completionTokens }) => completionTokens)) ?? 0,
  }));
  return { speeds, steps };
}
