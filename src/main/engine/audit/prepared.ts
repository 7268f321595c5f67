// The vectors, precedents and shared answers that experiments prepared, looked up for an audit.

import type { z } from 'zod';
import { toHex } from '../../../core/record/hash.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { spaceSetupSchema } from '../lab/preparation/vectorSpace.ts';
import type { Store } from '../store/store.ts';
import { parseStored } from './chain.ts';

type Call = EventPayload<'call-answer'>;
/** An attempt at vectors, with its place in the chain. */
type Made = EventPayload<'embedding-make'> & { readonly seq: number };

export type Space = z.infer<typeof spaceSetupSchema>;

export const sameSpace = (a: Space, b: Space): boolean =>
  a.backend === b.backend &&
  a.model === b.model &&
  (a.digest ?? null) === (b.digest ?? null) &&
  (a.probe === undefined) === (b.probe === undefined);

/** Whether vectors are also of one context: those of an earlier program were compared though they were not. */
export const sameContext = (a: Space, b: Space): boolean => sameSpace(a, b) && a.options.numCtx === b.options.numCtx;

/** What was made once for an experiment, as an auditor looks things up in it. */
export type PreparedRecord = ReturnType<typeof readPrepared>;

function readPrepared(store: Store, experiment: string) {
  const calls = new Map<string, Call>();
  const keys = new Set<string>();
  const made = new Map<string, Made[]>();
  for (const event of store.events.chain(preparationChain(experiment))) {
    const parsed = parseStored(event);
    if (parsed.kind === 'call-answer') {
      calls.set(toHex(event.hash), parsed.payload);
      keys.add(parsed.payload.key);
    } else if (parsed.kind === 'embedding-make') {
      const attempt = { ...parsed.payload, seq: event.seq };
      for (const ref of attempt.cases) made.set(ref, [...(made.get(ref) ?? []), attempt]);
    }
  }
  return {
    callOf: (hash: string) => calls.get(hash),
    hasCall: (key: string) => keys.has(key),
    /** Every attempt at the vector of a case, in order. */
    embeddingsOf: (caseRef: string): readonly Made[] => made.get(caseRef) ?? [],
    /** What made vectors. Throws where the text is missing or is no such setup. */
    spaceOf: readOnce((setup: string) => spaceSetupSchema.parse(JSON.parse(store.blobs.need(setup)))),
  };
}

/** Looks up what experiments have prepared. A chain is read once, and again when it has grown. */
export function preparedRecords(store: Store): (experiment: string) => PreparedRecord {
  const read = new Map<string, { readonly head: string | undefined; readonly record: PreparedRecord }>();
  return (experiment) => {
    const head = store.events.head(preparationChain(experiment));
    const known = read.get(experiment);
    if (known !== undefined && known.head === head) return known.record;
    const record = readPrepared(store, experiment);
    read.set(experiment, { head, record });
    return record;
  };
}
