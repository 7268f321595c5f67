// Which weights a run asks of its servers: settled when it begins, and compared with what a server has whenever it is looked at.
import { z } from 'zod';
import { BackendOutage } from '../../../shared/model.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type Pools, type ReadyBackend, unknownVersion } from './backends.ts';
import { type ProbeAnswer, probeAnswers, probeDifference } from './probeAnswers.ts';

/** Digest that a model of a backend had in the newest recorded answer; null where it is not known. */
export type RecordedDigest = (backend: string, model: string) => string | null;

/** The weights of a model that a run asks, by the server that had them first. */
interface Wanted {
  readonly server: ReadyBackend;
  readonly digest: string | null;
  /** What it answers to the fixed requests, where only that tells. */
  readonly answers: readonly ProbeAnswer[] | null;
}

export interface RunWeights {
  /** Takes what is asked: the weights of the newest answer on record where a server has them, else those of the first server that is there. */
  settle(): Promise<ReadyBackend[]>;
  /** Why a server that was looked at gets no calls; null where it may have them. Throws `BackendOutage`. */
  unfit(server: ReadyBackend): Promise<string | null>;
}

interface WeightsOptions {
  readonly recorded: () => RecordedDigest;
  readonly signal: AbortSignal;
  /** Called with what to know about a model, in a sentence. */
  readonly onWarning: (model: string, sentence: string) => void;
}

const short = (digest: string | null) => (digest === null ? 'not known' : digest.replace(/^sha256:/, '').slice(0, 12));

export function runWeights(
  given: ReadonlyMap<string, ReadyBackend>,
  pools: Pools,
  { recorded, signal, onWarning }: WeightsOptions,
): RunWeights {
  /** Name of a pool and of a model in JSON -> what is asked there. */
  const wanted = new Map<string, Wanted>();

  /** The demo model answers by a rule: its version says all. */
  const answersOf = async ({ model: server, needed, standin }: ReadyBackend, model: string) =>
    standin ? null : await probeAnswers(server, model, needed.get(model) ?? 0, signal);

  /** Why a model of a server is not the one that the run asks. @param shares whether other servers have its calls too */
  const whyApart = async (model: string, { server, digest, answers }: Wanted, other: ReadyBackend, shares: boolean) => {
    const { url } = other.model;
    const given = other.digests.get(model) ?? null;
    if (!other.digests.has(model)) return shares ? `${url} does not have model ${model}` : null;
    if (digest !== given && (shares || (digest !== null && given !== null))) {
      const [than, advice] =
        server.name === other.name
          ? ['when the run began', '; get those back, or end the run: the next one takes what is there']
          : [`at ${server.model.url}`, ''];
      return `model ${model} at ${url} has other weights than ${than} (digest ${short(given)}, there ${short(digest)})${advice}`;
    }
    if (given !== null || !shares) return null;
    if (server.version !== other.version || other.version === unknownVersion) {
      return `${url} states no digest of model ${model} and has version ${other.version}, while ${server.model.url} has ${server.version}`;
    }
    const difference = probeDifference(answers, await answersOf(other, model));
    if (difference === null) return null;
    const sentence = `model ${model} at ${url} answers a fixed request otherwise than at ${server.model.url}: ${difference.words}`;
    if (difference.isCertain) return sentence;
    onWarning(model, sentence);
    return null;
  };

  /** Takes the weights of a server for those of its pool where none are known yet; else says why they are others. */
  const compared = async (server: ReadyBackend, first: string, members: readonly string[]): Promise<string | null> => {
    const shares = members.length > 1;
    for (const model of server.needed.keys()) {
      if (given.get(first)?.needed.has(model) !== true) continue;
      const key = JSON.stringify([first, model]);
      const known = wanted.get(key);
      const reason = known === undefined ? null : await whyApart(model, known, server, shares);
      if (reason !== null) return reason;
      if (known !== undefined || !server.digests.has(model)) continue;
      const digest = server.digests.get(model) ?? null;
      wanted.set(key, { server, digest, answers: shares && digest === null ? await answersOf(server, model) : null });
    }
    return null;
  };

  const unfit = async (server: ReadyBackend): Promise<string | null> => {
    for (const [first, members] of pools) {
      const reason = members.includes(server.name) ? await compared(server, first, members) : null;
      if (reason !== null) return reason;
    }
    return null;
  };

  /** Takes digests, which need no question, where a server has those of the record or no server does. */
  const takeDigests = (): void => {
    const before = recorded();
    for (const [first, members] of pools) {
      const there = members.flatMap((name) => given.get(name) ?? []).filter(({ away }) => away === undefined);
      for (const model of given.get(first)?.needed.keys() ?? []) {
        const last = before(first, model);
        const having = there.filter(({ digests }) => digests.get(model) != null);
        const server = having.find(({ digests }) => digests.get(model) === last) ?? having[0];
        const digest = server?.digests.get(model) ?? null;
        if (server === undefined || last === null || digest === null) continue;
        wanted.set(JSON.stringify([first, model]), { server, digest, answers: null });
        if (digest === last) continue;
        onWarning(
          model,
          `model ${model} at ${server.model.url} has other weights than gave the newest answers on record (digest ${short(digest)}, before ${short(last)}); this run takes them`,
        );
      }
    }
  };

  const orAway = async (server: ReadyBackend): Promise<ReadyBackend> => {
    if (server.away !== undefined) return server;
    try {
      const away = await unfit(server);
      return away === null ? server : { ...server, away };
    } catch (error) {
      if (error instanceof BackendOutage) return { ...server, away: error.message };
      throw error;
    }
  };

  return {
    unfit,
    async settle() {
      takeDigests();
      const settled: ReadyBackend[] = [];
      for (const server of given.values()) settled.push(await orAway(server));
      return settled;
    },
  };
}

const setupSchema = z.object({ backend: z.string(), model: z.string(), digest: z.string().nullable() });

/** Reads the digests of the newest answers of an experiment: those of the trials of each arm that were begun last. */
export function recordedDigests(store: Store, experiment: string): RecordedDigest {
  const newest = new Map<string, { readonly at: string; readonly digest: string | null }>();
  for (const trial of store.trials.lastBegun(experiment)) {
    for (const { kind, payload } of parseChain(store.events.ofKinds(trial, ['call-answer']))) {
      if (kind !== 'call-answer' || payload.reused !== undefined) continue;
      const setup = setupSchema.safeParse(JSON.parse(store.blobs.get(payload.setup) ?? 'null')).data;
      if (setup === undefined) continue;
      const key = JSON.stringify([setup.backend, setup.model]);
      if ((newest.get(key)?.at ?? '') <= payload.at) newest.set(key, { at: payload.at, digest: setup.digest });
    }
  }
  return (backend, model) => newest.get(JSON.stringify([backend, model]))?.digest ?? null;
}
