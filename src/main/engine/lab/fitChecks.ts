// What is asked of servers before a run: whether its models fit, and how fast they are.
import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import type { Fit } from '../../../shared/api/models.ts';
import { type Check, warning } from '../../../shared/checks.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';
import { BackendOutage, CallFailure, type CompletionRequest, type CompletionResult } from '../../../shared/model.ts';
import type { NetworkDispatcher } from '../models/dispatcher.ts';
import { type ListedModel, ollamaLibrary, openCatalogue } from '../models/library/client.ts';
import { type FitsAsked, fitsOf, freeAt, type MachineMemory, namedModels } from '../models/library/fits.ts';

import type { LanguageModel } from '../models/port.ts';
import { fullModelName, type NeededModels, neededModels } from './backends.ts';
import { type ModelSpeed, modelAt } from './callEstimate.ts';
import { callsAtATime } from './lanes.ts';

export interface FitSource {
  read(signal: AbortSignal): Promise<{ readonly standin: boolean; readonly installed: readonly { readonly name: string }[] }>;
  fits(asked: FitsAsked, signal: AbortSignal): Promise<Fit[]>;
}

export interface Slots {
  readonly count: number;
  /** Whether the server was started with them; else they are the calls that the run makes at a time. */
  readonly known: boolean;
}

/** What Ollama does not say of itself: how many slots it has. */
const assumed = (count: number): string =>
  ` Counted with a slot for each of the ${count} calls at a time; the server has as many as its OLLAMA_NUM_PARALLEL says.`;

/**
 * Warns of models that will not be wholly on the GPU, or nowhere, with the context of their calls and the slots of the
 * server. It is an estimate, and never in the way of a plan: where the server does not answer, or is a demo model without
 * weights, there is none.
 * @param needed tokens of context by model
 */
export async function fitChecks(source: FitSource, needed: NeededModels, slots: Slots, signal: AbortSignal): Promise<Check[]> {
  if (![...needed.values()].some((context) => context > 0)) return [];
  try {
    const { standin, installed } = await source.read(signal);
    if (standin) return [];
    const there = new Set(installed.map(({ name }) => fullModelName(name)));
    const asked = [...needed].filter(([name, context]) => context > 0 && there.has(fullModelName(name)));
    const contexts = [...new Set(asked.map(([, context]) => context))];
    const namesWith = (context: number) => asked.flatMap(([name, its]) => (its === context ? [name] : []));
    const lists = await Promise.all(
      contexts.map((context) => source.fits({ context, slots: slots.count, models: namesWith(context) }, signal)),
    );
    return asked.flatMap(([name, context]) => {
      const list = lists[contexts.indexOf(context)] ?? [];
      const fit = list.find(({ model }) => fullModelName(model) === fullModelName(name));
      if (fit?.verdict !== 'no' && fit?.verdict !== 'partly') return [];
      return [warning(`model ${name}: ${fit.reason}${slots.known || slots.count === 1 ? '' : assumed(slots.count)}`)];
    });
  } catch (error) {
    if (error instanceof AssizeError || error instanceof BackendOutage) return [];
    throw error;
  }
}

/** A server that is asked once, and only for what is named. */
function fitSource(dispatcher: NetworkDispatcher, url: string, memory: () => Promise<MachineMemory>): FitSource {
  const library = ollamaLibrary(dispatcher, { url });
  const catalogue = openCatalogue();
  let listed: Promise<ListedModel[]> | null = null;
  const installed = (signal: AbortSignal) => {
    listed ??= library.installed(signal);
    return listed;
  };
  return {
    async read(signal) {
      const [{ standin }, models] = await Promise.all([library.version(signal), installed(signal)]);
      return { standin, installed: models };
    },
    async fits({ models = [], ...asked }, signal) {
      const known = await catalogue(library, namedModels(models, await installed(signal)), signal);
      return fitsOf(known, asked, await freeAt(library, memory, signal));
    },
  };
}

export async function fitChecksOf(
  dispatcher: NetworkDispatcher,
  { backends, runtime }: Pick<Experiment, 'runtime'> & { readonly backends: Readonly<Record<string, BackendDefinition>> },
  needed: ReadonlyMap<string, NeededModels>,
  options: { readonly concurrency: number | null; readonly memory: () => Promise<MachineMemory>; readonly signal: AbortSignal },
): Promise<Check[]> {
  const checks = await Promise.all(
    [...needed].map(([name, models]) => {
      const backend = backends[name];
      if (backend?.kind !== 'ollama') return [];
      const count = runtime.reproducible ? 1 : callsAtATime(backend, options.concurrency, null);
      const source = fitSource(dispatcher, backend.url, options.memory);
      return fitChecks(source, models, { count, known: false }, options.signal);
    }),
  );
  return checks.flat();
}

/** Seconds that the writing of the measured answer is to take, and its bounds in tokens. */
const writingSeconds = 6;
const [fewestTokens, mostTokens] = [16, 256];
/** The first call loads the model and shows roughly how fast it is. */
const firstTokens = 16;

const sentence = 'The witness saw a blue car leave the yard at about nine, and heard the gate fall shut behind it. ';

/** Models that write, with the context that the run would give them: another one would reload them. */
function speakingModels({ arms, runtime }: Pick<Experiment, 'arms' | 'runtime'>): Map<string, NeededModels> {
  const speaking = arms.map((arm) => ({
    ...arm,
    cast: Object.fromEntries(Object.entries(arm.cast).filter(([role]) => !isEmbeddingRole(role))),
  }));
  return neededModels({ arms: speaking, runtime, backends: {} });
}

function request(model: string, numCtx: number, numPredict: number, content: string): CompletionRequest {
  // Long enough for a measure; llama.cpp refuses grammars that repeat a thing over 2000 times.
  const text = { type: 'string', minLength: 500, maxLength: 1500 };
  return {
    model,
    messages: [{ role: 'user', content }],
    schema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    options: { temperature: 1, seed: 1, numCtx, numPredict },
  };
}

/** Asks once, and times what the server does not report: it reads until the first text, and writes from then on. */
async function timed(model: LanguageModel, asked: CompletionRequest, signal: AbortSignal, now: () => number) {
  const startedAt = now();
  let firstTextAt: number | null = null;
  const result: CompletionResult = await model.complete(asked, signal, () => {
    firstTextAt ??= now();
  });
  const { promptTokens, completionTokens, promptMs, completionMs } = result;
  const readMs = promptMs ?? (firstTextAt ?? now()) - startedAt;
  const wroteMs = completionMs ?? now() - (firstTextAt ?? startedAt);
  return {
    standin: result.standin,
    prompt: readMs > 0 && promptTokens > 0 ? (promptTokens / readMs) * 1000 : null,
    completion: wroteMs > 0 && completionTokens > 0 ? (completionTokens / wroteMs) * 1000 : null,
  };
}

async function measureModel(server: LanguageModel, model: string, numCtx: number, signal: AbortSignal, now: () => number) {
  const first = await timed(server, request(model, numCtx, firstTokens, 'Write down what you see.'), signal, now);
  const tokens = Math.min(mostTokens, Math.max(fewestTokens, Math.round((first.completion ?? 0) * writingSeconds)));
  // A prompt that the server has read before would cost it nothing.
  const content = `Go on with report ${Math.floor(Math.random() * 1e9)}.\n${sentence.repeat(12)}`;
  return timed(server, request(model, numCtx, tokens, content), signal, now);
}

/**
 * Measures each model of an experiment, one after the other, with one prompt and one short answer: about ten seconds
 * once it is loaded. The checks name a model that cannot be measured. Throws interrupted when the signal fires.
 * @param now monotonic clock, in ms
 */
export async function measureModels(
  servers: ReadonlyMap<string, LanguageModel>,
  experiment: Pick<Experiment, 'arms' | 'runtime'>,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
) {
  const speeds: ModelSpeed[] = [];
  const checks: Check[] = [];
  for (const [name, models] of speakingModels(experiment)) {
    const server = servers.get(name);
    if (server === undefined) throw new Error(`backend ${name} is not configured`);
    for (const [model, numCtx] of models) {
      try {
        const { standin, prompt, completion } = await measureModel(server, model, numCtx, signal, now);
        if (completion === null) checks.push(warning(`model ${model} could not be measured: it wrote nothing`));
        else speeds.push({ of: modelAt(server.url, model, standin), prompt, completion, calls: 1, source: 'measurement' });
      } catch (error) {
        const missing = error instanceof AssizeError && error.code === 'missing-model';
        if (!(missing || error instanceof BackendOutage || error instanceof CallFailure)) throw error;
        checks.push(warning(`model ${model} could not be measured: ${error.message}`));
      }
    }
  }
  return { speeds, checks };
}
