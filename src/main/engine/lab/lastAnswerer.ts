// Which server gave the newest answer of an experiment, as the record has it.
import { z } from 'zod';
import { attempt } from '../attempt.ts';
import { isOnThisMachine } from '../models/dispatcher.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

const setupSchema = z.object({ url: z.string(), standin: z.boolean().nullable() });
export type Answerer = z.infer<typeof setupSchema>;

/** Rows of the record that are looked through for an experiment's newest answer. */
const newestRows = 20_000;

/** A demo model of another machine is a server of the user's, which the built-in one does not take the place of. */
export const isDemoHere = (answerer: Answerer | null): boolean => answerer?.standin === true && isOnThisMachine(answerer.url);

/** Null where none is found, or where what is found is damaged. */
export function lastAnswerer(store: Store, experiment: string): Answerer | null {
  const answer = store.events
    .newest('call-answer', newestRows)
    .findLast(({ trial }) => store.trials.get(trial)?.experiment === experiment);
  return attempt(() => {
    const [event] = answer === undefined ? [] : parseChain([answer]);
    if (event?.kind !== 'call-answer') return null;
    return setupSchema.safeParse(JSON.parse(store.blobs.get(event.payload.setup) ?? 'null')).data ?? null;
  }, null);
}
