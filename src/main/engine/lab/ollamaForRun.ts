// Finds the Ollama for a run, or starts our own.
import { AssizeError, badInput } from '../../../shared/errors.ts';
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';
import { whoAnswers } from '../models/daemon/answer.ts';
import { type RunningOllama, startOllamaForRun } from '../models/daemon/forRun.ts';
import { findProgram, noProgramWords, surroundings } from '../models/daemon/program.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import {
  connectBackends,
  type MissingModel,
  meantBackend,
  type NeededModels,
  overrideUrl,
  type Pools,
  probeBackends,
} from './backends.ts';
import type { Answerer } from './checks.ts';

type Backends = Readonly<Record<string, BackendDefinition>>;

export interface OwnOllama {
  readonly say: (line: string) => void;
}

interface Wanted {
  readonly store: string;
  readonly concurrency: number | null;
  readonly reproducible: boolean;
  readonly signal: AbortSignal;
  readonly startOllama?: OwnOllama | undefined;
}

const option = '--start-ollama';

/** The Ollama of this machine among the backends whose place our own could take; null where there is none, or no arm asks it. */
function localOllama(backends: Backends, needed: ReadonlyMap<string, NeededModels>): { name: string; url: string } | null {
  const name = meantBackend(backends);
  const backend = name === null ? undefined : backends[name];
  if (name === null || backend?.kind !== 'ollama' || !needed.has(name) || !isOnThisMachine(backend.url)) return null;
  return { name, url: backend.url };
}

/** Whether our own would be started: nothing answers there, and the program is on this machine. */
async function couldStart(dispatcher: NetworkDispatcher, url: string): Promise<boolean> {
  return findProgram(surroundings()) !== null && (await whoAnswers(dispatcher, url)).kind === 'nothing';
}

/** Who would answer a run of now, which models are missing (null: no server), and each server's slots (null: it does not say). */
export async function lookAhead(
  dispatcher: NetworkDispatcher,
  { backends, runtime }: Pick<Experiment, 'backends' | 'runtime'>,
  needed: ReadonlyMap<string, NeededModels>,
  { startOllama }: Pick<Wanted, 'startOllama'>,
  pools: Pools,
): Promise<{ missing: MissingModel[] | null; answerer: Answerer; slots: ReadonlyMap<string, number | null> }> {
  const local = localOllama(backends, needed);
  const willStart = startOllama !== undefined && local !== null && (await couldStart(dispatcher, local.url));
  const answerer = willStart && needed.size === 1 ? 'reproducible' : 'foreign';
  try {
    const { missing, ready } = await probeBackends(connectBackends(dispatcher, backends, runtime), needed, pools);
    return { missing, answerer, slots: new Map([...ready].map(([name, { slots = null }]) => [name, slots])) };
  } catch (error) {
    if (error instanceof AssizeError && error.code === 'no-backend') return { missing: null, answerer, slots: new Map() };
    throw error;
  }
}

async function withRemedy(error: unknown, dispatcher: NetworkDispatcher, url: string): Promise<unknown> {
  if (!(error instanceof AssizeError) || error.code !== 'no-backend') return error;
  if (!(await couldStart(dispatcher, url).catch(() => false))) return error;
  const { remedy } = error.place;
  const start = `let ${option} start Ollama for the run`;
  return error.at({ remedy: { ...remedy, command: remedy?.command === undefined ? start : `${remedy.command}; or ${start}` } });
}

/**
 * Runs an action with the backends as they are or, where `startOllama` is given and nothing answers at the Ollama of
 * this machine, with one that is started for it and ended after it. Throws what the action throws, no-backend where it
 * cannot be started, bad-input where there is no Ollama of this machine to start.
 */
export async function withOllama<T>(
  dispatcher: NetworkDispatcher,
  backends: Backends,
  needed: ReadonlyMap<string, NeededModels>,
  { store, concurrency, reproducible, signal, startOllama }: Wanted,
  action: (backends: Backends, answerer: Answerer, own: RunningOllama | null) => Promise<T>,
): Promise<T> {
  const local = localOllama(backends, needed);
  if (startOllama === undefined) {
    try {
      return await action(backends, 'foreign', null);
    } catch (error) {
      throw local === null ? error : await withRemedy(error, dispatcher, local.url);
    }
  }
  if (needed.size === 0) return action(backends, 'foreign', null);
  if (local === null) {
    throw badInput('the experiment uses no Ollama on this machine; leave the option out', option);
  }
  if ((await whoAnswers(dispatcher, local.url, signal)).kind !== 'nothing') return action(backends, 'foreign', null);
  const program = findProgram(surroundings());
  if (program === null) {
    throw new AssizeError('no-backend', noProgramWords, option);
  }
  const own = await startOllamaForRun(dispatcher, {
    store,
    program,
    parallel: Math.min(backends[local.name]?.concurrency ?? concurrency ?? 1, 64),
    reproducible,
    signal,
    say: startOllama.say,
  });
  try {
    const answerer = reproducible && needed.size === 1 ? 'reproducible' : 'foreign';
    return await action(overrideUrl(backends, own.moving.url), answerer, own);
  } finally {
    await own.stop();
  }
}
