import { eventHash, genesisHash, refOfBytes, rootHash, toHex } from '../../../core/record/hash.ts';
import { parseEvent } from '../../../core/record/parse.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { VerifyReport } from '../../../shared/outputs.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import type { DatasetRow } from '../store/datasets.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { compareFoundations, compareTrial, experimentPrefix, findLostTrial } from './projections.ts';
import { refsOf } from './refs.ts';
import { checkRequest } from './requests.ts';

type BadRecord = NonNullable<VerifyReport['first_bad']>;

/** Refs seen lately are not looked up again; a store has too many to remember them all. */
const mostRemembered = 100_000;

function recently(most: number): (name: string) => boolean {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return true;
    if (seen.size >= most) seen.clear();
    seen.add(name);
    return false;
  };
}

const parse = (event: StoredEvent) => parseEvent({ ...event, payload: event.payload.toString('utf8'), hash: toHex(event.hash) });

const bad = (event: StoredEvent, problem: string): BadRecord => ({
  trial: event.trial,
  seq: event.seq,
  kind: event.kind,
  problem,
});

interface ChainCheck {
  readonly bad: BadRecord | null;
  readonly events: number;
  readonly heads: { chain: string; head: string }[];
  /** The first ref for which there is no text. */
  readonly missing: string | null;
}

/** Walks every chain: sequence, links and hashes over the stored bytes, then the form of each payload. */
function checkChains(store: Store): ChainCheck {
  const heads = new Map<string, string>();
  const present = recently(mostRemembered);
  let missing: string | null = null;
  let events = 0;
  let previous: { trial: string; seq: number; hash: Uint8Array } | null = null;
  for (const event of store.events.all()) {
    events += 1;
    const fail = (problem: string): ChainCheck => ({ bad: bad(event, problem), events, heads: [], missing: null });
    const begins: boolean = previous === null || previous.trial !== event.trial;
    const expectedSeq: number = begins || previous === null ? 0 : previous.seq + 1;
    const expectedPrevious: Uint8Array = begins || previous === null ? genesisHash(event.trial) : previous.hash;
    if (event.seq !== expectedSeq) return fail(`event ${expectedSeq} of this chain is missing`);
    if (!Buffer.from(expectedPrevious).equals(event.prevHash)) return fail('it does not link to the event before it');
    const hash = eventHash(event.prevHash, event.seq, event.kind, event.payload);
    if (!Buffer.from(hash).equals(event.hash)) return fail('its content does not have its hash');
    try {
      for (const ref of refsOf(parse(event))) if (missing === null && !present(ref) && !store.blobs.has(ref)) missing = ref;
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      return fail(`its payload cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown form'}`);
    }
    heads.set(event.trial, toHex(event.hash));
    previous = event;
  }
  return { bad: null, events, heads: [...heads].map(([chain, head]) => ({ chain, head })), missing };
}

const badText = (ref: string, problem: string): BadRecord => ({
  trial: null,
  seq: null,
  kind: 'text',
  problem: `text ${ref}: ${problem}`,
});

/** Checks that every stored text has its name, and that every named text is there. */
function checkTexts(store: Store, missing: string | null): { bad: BadRecord | null; texts: number } {
  const salts = new Map(store.datasets.all().map(({ id, salt }) => [id, salt]));
  let texts = 0;
  for (const { ref, dataset, bytes } of store.blobs.all()) {
    texts += 1;
    const salt = salts.get(dataset);
    if (salt === undefined) return { bad: badText(ref, `its data set ${dataset} is missing`), texts };
    if (bytes === null) return { bad: badText(ref, 'it cannot be unpacked'), texts };
    if (refOfBytes(salt, bytes) !== ref) return { bad: badText(ref, 'its content does not have its hash'), texts };
  }
  return { bad: missing === null ? null : badText(missing, 'an event names it and it is missing'), texts };
}

/** Checks pages and indexes: a change there can hide a row from a reader. */
function checkFile(store: Store): BadRecord | null {
  const problem = store.integrity();
  return problem === null ? null : { trial: null, seq: null, kind: 'file', problem };
}

/** Checks that what every call of a trial sent has the hash of its request. */
function checkRequests(store: Store, chain: readonly StoredEvent[]): BadRecord | null {
  let dataset: DatasetRow | null = null;
  for (const event of chain) {
    const parsed = parse(event);
    if (parsed.kind === 'trial-open') {
      const experiment = store.experiments.ofFreeze(parsed.payload.freeze);
      dataset = experiment === undefined ? null : store.datasets.get(experiment.dataset);
    }
    if (parsed.kind !== 'call-answer') continue;
    const problem = dataset === null ? 'its experiment is not on the record' : checkRequest(store, dataset, parsed.payload);
    if (problem !== null) return bad(event, problem);
  }
  return null;
}

/** Every chain with its events, one after the other: only one is held at a time. */
function* chainsOf(store: Store): Generator<readonly StoredEvent[]> {
  let chain: StoredEvent[] = [];
  for (const event of store.events.all()) {
    if (chain[0] !== undefined && chain[0].trial !== event.trial) {
      yield chain;
      chain = [];
    }
    chain.push(event);
  }
  if (chain.length > 0) yield chain;
}

function checkTrials(store: Store): BadRecord | null {
  for (const chain of chainsOf(store)) {
    if (chain[0]?.trial.startsWith(experimentPrefix)) continue;
    const found = checkRequests(store, chain) ?? compareTrial(store, chain);
    if (found !== null) return found;
  }
  return findLostTrial(store);
}

export interface VerifyOptions {
  /** Hash that the reader got by another way: the root, or the head of some chain. */
  readonly head?: string | undefined;
}

/**
 * Checks a store from its bytes up: chains, texts, then the projections against what the events amount to.
 * @throws store-unreadable where there is nothing to check
 */
export function verifyStore(store: Store, { head }: VerifyOptions): VerifyReport {
  return store.read(() => {
    const chains = checkChains(store);
    const trials = chains.heads.filter(({ chain }) => !chain.startsWith(experimentPrefix)).length;
    if (chains.bad === null && trials === 0 && store.trials.withoutEvents() === undefined) {
      throw new AssizeError(
        'store-unreadable',
        'the store holds no trials. A copied store needs its -wal file beside it; if nothing was run yet, there is nothing to verify',
        { file: store.path },
      );
    }
    const texts = chains.bad === null ? checkTexts(store, chains.missing) : { bad: null, texts: 0 };
    const sound = chains.bad === null && texts.bad === null;
    const firstBad = sound ? (compareFoundations(store) ?? checkTrials(store) ?? checkFile(store)) : (chains.bad ?? texts.bad);
    const root = firstBad === null ? rootHash(chains.heads) : null;
    const headFound =
      head === undefined ? null : root === head.toLowerCase() || chains.heads.some((each) => each.head === head.toLowerCase());
    return {
      result: firstBad === null && headFound !== false ? 'intact' : 'tampered',
      store: store.path,
      trials,
      events: chains.events,
      texts: texts.texts,
      root,
      signer: 'unknown',
      head_matches: headFound,
      first_bad:
        firstBad ??
        (headFound === false
          ? {
              trial: null,
              seq: null,
              kind: 'head',
              problem: `no chain of this store ends in ${head ?? ''}, and it is not the root`,
            }
          : null),
    };
  });
}
