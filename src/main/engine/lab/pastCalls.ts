import { z } from 'zod';
import { refOf } from '../../../core/record/hash.ts';
import type { JsonSchema } from '../../../shared/model.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { fullModelName } from './backends.ts';

/** How fast a server runs a model. */
export interface ModelSpeed {
  /** `modelAt` of the server and the model. */
  readonly of: string;
  /** Tokens a second; null where servers did not separate reading from writing: then the time of both is in `completion`. */
  readonly prompt: number | null;
  readonly completion: number;
  /** Calls that it is the median of. */
  readonly calls: number;
  readonly source: 'record' | 'measurement';
}

/** What the calls of one step took: of one protocol and model, in one place, with answers of one shape. */
export interface PastStep {
  /** `stepOf`. */
  readonly step: string;
  /** Median tokens; of the prompt only over trials of the same data file, null where there are none. */
  readonly promptTokens: number | null;
  readonly completionTokens: number;
}

/** Plain data: it goes between threads. */
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

/**
 * A model on a server: all servers of this machine are one place, on any port. The demo model is no
 * place but its address: what it needs says nothing about a model of the same name.
 */
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

function onFile(store: Store, experiment: string, fileHash: string): boolean {
  const row = store.experiments.get(experiment);
  const recorded = store.experiments.history(experiment).at(-1)?.payload.dataset.file;
  return row !== undefined && recorded === refOf(store.datasets.get(row.dataset).salt, fileHash);
}

/** What the newest calls on the record took. @param fileHash of the data file that is planned for */
export function pastCalls(store: Store, fileHash: string): PastCalls {
  const setupOf = readOnce((ref: string) => setupSchema.safeParse(JSON.parse(store.blobs.get(ref) ?? 'null')).data);
  const trialOf = readOnce((trial: string) => store.trials.get(trial));
  const sameFile = readOnce((experiment: string) => onFile(store, experiment, fileHash));
  const calls = store.events.newest('call-answer', newestRows).flatMap((stored) => {
    const [event] = parseChain([stored]);
    const setup = event?.kind === 'call-answer' ? setupOf(event.payload.setup) : undefined;
    // An answer that was cut short or not given says nothing about the others.
    if (event?.kind !== 'call-answer' || setup === undefined || event.payload.done !== 'stop') return [];
    const trial = trialOf(stored.trial);
    const of = modelAt(setup.url, setup.model, setup.standin === true);
    const { promptTokens, completionTokens, promptMs, completionMs, modelMs, loadMs, wallMs } = event.payload;
    return [
      {
        of,
        step: stepOf(trial?.protocol ?? '', event.payload.key, setup.schema, of),
        promptTokens,
        completionTokens,
        promptMs: promptMs ?? null,
        completionMs: completionMs ?? (modelMs - loadMs || wallMs),
        here: trial !== undefined && sameFile(trial.experiment),
      },
    ];
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
