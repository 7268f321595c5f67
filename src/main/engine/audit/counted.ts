// How much of a damaged store is bad, whichever fault a check names first.
import { countedOf } from '../../../../resources/bundle/uses.mjs';
import { refOfBytes } from '../../../core/record/hash.ts';
import type { VerifyReport } from '../../../shared/outputs.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { linkProblem } from './chain.ts';

/** Texts and events that have not their hash, or their place. Nothing where the file cannot be read to its end. @param room as `blobs.all` has it */
export function countedIn(store: Store, room: number): Pick<VerifyReport, 'counted'> {
  const counted = { texts: 0, bad_texts: 0, events: 0, bad_events: 0 };
  try {
    const salts = new Map(store.datasets.all().map(({ id, salt }) => [id, salt]));
    for (const { ref, dataset, bytes } of store.blobs.all(room)) {
      const salt = salts.get(dataset);
      counted.texts += 1;
      counted.bad_texts += Number(salt === undefined || bytes === null || refOfBytes(salt, bytes) !== ref);
    }
    let before: StoredEvent | null = null;
    for (const event of store.events.all()) {
      counted.events += 1;
      counted.bad_events += Number(linkProblem(before, event) !== null);
      before = event;
    }
    return { counted: countedOf(counted) };
  } catch {
    return {};
  }
}
