// Checks one chain: each event's form, place and hash, and the requests of its calls.

import { ZodError } from 'zod';
import { eventHash, genesisHash, noSalt, refOfBytes } from '../../../core/record/hash.ts';
import { refsOf } from '../../../core/record/texts.ts';
import type { VerifyReport } from '../../../shared/outputs.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import type { DatasetRow } from '../store/datasets.ts';
import { ErasedText } from '../store/erasedText.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type RequestCheck, requestCheck } from './requests.ts';

export type BadRecord = NonNullable<VerifyReport['first_bad']>;

export const badEvent = (event: StoredEvent, problem: string): BadRecord => ({
  trial: event.trial,
  seq: event.seq,
  kind: event.kind,
  problem,
});

export const faultOfKind = (kind: string, problem: string): BadRecord => ({ trial: null, seq: null, kind, problem });

/** The first event in which a check finds a problem or throws. @throws errors of the database: damage is no event's fault */
export function firstProblem(chain: readonly StoredEvent[], check: (event: StoredEvent) => string | null): BadRecord | null {
  for (const event of chain) {
    const problem = problemOf(() => check(event));
    if (problem !== null) return badEvent(event, problem);
  }
  return null;
}

export function problemOf(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    // What was erased cannot be checked; that it was is checked on its own.
    if (error instanceof ErasedText) return null;
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded')
    return 'it is nested deeper than a record has it';
  const [issue] = error instanceof ZodError ? error.issues : [];
  const message = error instanceof Error ? error.message : 'unknown form';
  const reason = issue === undefined ? message : `${issue.path.join('.')}: ${issue.message}`;
  return `it cannot be read: ${reason.slice(0, 200)}`;
}

/** What is wrong with an event's place and hash, or null. @param previous event before it, of any chain; null for the first */
export function linkProblem(previous: StoredEvent | null, event: StoredEvent): string | null {
  const before = previous?.trial === event.trial ? previous : null;
  const expectedSeq = before === null ? 0 : before.seq + 1;
  if (event.seq !== expectedSeq) return `event ${expectedSeq} of this chain is missing`;
  const expectedPrevious = before === null ? genesisHash(event.trial) : before.hash;
  if (!event.prevHash.equals(expectedPrevious)) return 'it does not link to the event before it';
  const hash = eventHash(event.prevHash, event.seq, event.kind, event.payload);
  if (!event.hash.equals(hash)) return 'its content does not have its hash';
  return before?.kind === 'trial-close' && event.kind !== 'trial-open' ? 'it follows the end of its trial' : null;
}

/** The first fault in the order and hashes of a chain, or that a check finds in its events. */
export function chainFault(chain: readonly StoredEvent[], check: (event: StoredEvent) => string | null): BadRecord | null {
  let previous: StoredEvent | null = null;
  return firstProblem(chain, (event) => {
    const problem = linkProblem(previous, event) ?? check(event);
    previous = event;
    return problem;
  });
}

/** Whether a text has its hash. Texts that hold nothing of a case have no salt. */
export const isTextOf = (ref: string, salt: Uint8Array, bytes: Uint8Array): boolean =>
  refOfBytes(salt, bytes) === ref || refOfBytes(noSalt, bytes) === ref;

/** What is wrong with an event's texts, or null. @param sound texts found sound, which are not read again; added to */
export function textProblem(store: Store, salt: Uint8Array, event: StoredEvent, sound = new Set<string>()): string | null {
  for (const ref of refsOf(parseStored(event))) {
    if (sound.has(ref) || store.erasures.has(ref)) continue;
    const bytes = store.blobs.bytes(ref);
    if (bytes === undefined) return `text ${ref} is missing or damaged`;
    if (!isTextOf(ref, salt, bytes)) return `text ${ref} does not have its hash`;
    sound.add(ref);
  }
  return null;
}

/** Checks that what every call of a trial sent has the hash of its request. */
export function checkRequests(
  store: Store,
  chain: readonly StoredEvent[],
  check: RequestCheck = requestCheck(store),
): BadRecord | null {
  let freeze = '';
  const datasetOf = readOnce((hash: string): DatasetRow | null => {
    const experiment = store.experiments.ofFreeze(hash);
    return experiment === undefined ? null : store.datasets.get(experiment.dataset);
  });
  return firstProblem(chain, (event) => {
    const parsed = parseStored(event);
    if (parsed.kind === 'trial-open') freeze = parsed.payload.freeze;
    if (parsed.kind !== 'call-answer') return null;
    const dataset = datasetOf(freeze);
    return dataset === null ? 'its experiment is not on the record' : check(dataset, parsed.payload);
  });
}
