// Query: the line of a trial that may still be running.
import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

const setupSchema = z.object({ standin: z.boolean().nullable() });

/** The line of a trial that may be running: it says from the first answer on, not only at the end, whether the demo model speaks. */
export function liveLine(store: Store, line: TrialLine): TrialLine {
  if (line.status !== 'running') return line;
  const setups = lastAttempt(parseChain(store.events.chain(line.trial))).flatMap((event) =>
    event.kind === 'call-answer' ? [event.payload.setup] : [],
  );
  const standin = [...new Set(setups)].some((ref) => setupSchema.parse(JSON.parse(store.blobs.need(ref))).standin === true);
  return { ...line, standin };
}
