// What is known of the servers of a run: learned from the newest answers on the record, then from the run's own.
import { z } from 'zod';
import { modelMemory, type TimedAnswer } from '../../../core/schedule/memory.ts';
import type { Models } from '../../../core/schedule/order.ts';
import { callTimes } from '../../../core/schedule/pools.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { ReadyBackend } from './backends.ts';
import type { FrozenExperiment } from './frozen.ts';
import { playersOf } from './pendingTrials.ts';

/** Rows of the record that are looked through: what servers did longer ago may have changed. */
const newestRows = 5000;

const askedSchema = z.object({ model: z.string(), url: z.string() });

/** Answers on the record, in the order in which they came. */
function recordedAnswers(store: Store): TimedAnswer[] {
  const setupOf = readOnce((ref: string) => askedSchema.safeParse(JSON.parse(store.blobs.get(ref) ?? 'null')).data);
  const answers = parseReadable(store.events.newest('call-answer', newestRows)).flatMap((event): TimedAnswer[] => {
    if (event.kind !== 'call-answer' || event.payload.answer === null || event.payload.reused !== undefined) return [];
    const { loadMs, wallMs, at, setup } = event.payload;
    const asked = setupOf(setup);
    return asked === undefined ? [] : [{ server: asked.url, model: asked.model, loadMs, wallMs, atMs: Date.parse(at) }];
  });
  return answers.toSorted((a, b) => a.atMs - b.atMs);
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param pools the servers that share the calls of a backend, by its name */
export function serverKnowledge(
  store: Store,
  frozen: FrozenExperiment,
  backends: ReadonlyMap<string, ReadyBackend>,
  pools: ReadonlyMap<string, readonly string[]>,
) {
  const times = callTimes();
  const timesOfModels = callTimes();
  const memories = new Map([...backends.keys()].map((name) => [name, modelMemory()]));
  const time = ({ server, model, wallMs, loadMs }: TimedAnswer) => {
    times.add(server, wallMs - loadMs);
    timesOfModels.add(model, wallMs - loadMs);
  };

  /** Whether a recorded address is one that the backend asks now. Our own server is at another one each time. */
  const isOf = (name: string, url: string): boolean =>
    (pools.get(name) ?? [name]).some((each) => {
      const model = backends.get(each)?.model;
      return model?.url === url || (model?.present !== undefined && isOnThisMachine(url));
    });
  for (const answer of recordedAnswers(store)) {
    time(answer);
    for (const [name, memory] of memories) if (isOf(name, answer.server)) memory.answered(answer);
  }

  const sets = new Map<string, Models>();
  const backendOf = new Map<string, string>();
  /** The models of an arm; the same object for all arms that have the same. */
  const modelsOf = readOnce((arm: string): Models => {
    const models = playersOf(frozen, arm).map(({ backend, model }) => {
      const name = JSON.stringify([backend, model]);
      backendOf.set(name, backend);
      return name;
    });
    const set = new Set(models.toSorted());
    const name = [...set].join();
    sets.set(name, sets.get(name) ?? set);
    return sets.get(name) ?? set;
  });
  const perBackend = (models: Models) => Map.groupBy(models, (model) => backendOf.get(model) ?? '');
  return {
    times,
    modelsOf,
    /** @returns whether a model of a trial that asks several was loaded again: `modelMemory` */
    answered(backend: string, answer: TimedAnswer, arm: string | undefined): boolean {
      time(answer);
      const isAgain = memories.get(backend)?.answered(answer) === true;
      return isAgain && arm !== undefined && (perBackend(modelsOf(arm)).get(backend)?.length ?? 0) > 1;
    },
    /** How long a call of an arm takes, as a mean of its models, else of all models, in milliseconds; 1 where nothing shows it. */
    callMs(arm: string): number {
      const ofArm = playersOf(frozen, arm).flatMap(({ model }) => timesOfModels.of(model) ?? []);
      return mean(ofArm) ?? mean(timesOfModels.all()) ?? 1;
    },
    /** Whether these models stay loaded together at their servers; null where it is not known. */
    fits(models: Models): boolean | null {
      const found = [...perBackend(models)].map(([backend, list]) => memories.get(backend)?.fits(list.length) ?? null);
      return found.includes(false) ? false : found.includes(null) ? null : true;
    },
    /** The longest load, by server the shortest one seen, in milliseconds; null before the first answer. */
    loadMs(): number | null {
      const known = [...memories.values()].flatMap((memory) => memory.loadMs() ?? []);
      return known.length === 0 ? null : Math.max(...known);
    },
  };
}

export type ServerKnowledge = ReturnType<typeof serverKnowledge>;
