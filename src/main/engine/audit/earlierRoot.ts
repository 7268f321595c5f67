// Finds out whether a record once had a root that is not its root now.
import { rootHash } from '../../../core/record/hash.ts';
import type { Store } from '../store/store.ts';

/** Heads that are hashed at most, over all states: some seconds. */
const mostHashed = 10_000_000;

/** Events since the record had this root, which vouches for the earlier ones; null: never. @param heads of checked chains */
function addedSince(root: string, heads: readonly { chain: string; head: string }[], store: Store): number | null {
  const ends = new Map(heads.toSorted((a, b) => (a.chain < b.chain ? -1 : 1)).map(({ chain, head }) => [chain, head]));
  let [added, hashed] = [0, 0];
  for (const { trial, seq, prevHash } of store.events.newestFirst()) {
    if (seq === 0) ends.delete(trial);
    else ends.set(trial, prevHash.toString('hex'));
    added += 1;
    hashed += ends.size;
    if (hashed > mostHashed) return null;
    if (rootHash([...ends].map(([chain, head]) => ({ chain, head }))) === root) return added;
  }
  return null;
}

/** What a root means that is not that of the record now: nothing where the record did not have it either, as far as was looked. */
export function earlierRoot(...given: Parameters<typeof addedSince>): { meaning?: string } {
  const added = addedSince(...given);
  if (added === null) return {};
  const newest = added === 1 ? 'newest event was' : `newest ${added} events were`;
  return {
    meaning: `Every event that this root covers is still in the record, unchanged. It is the root that the record had before its ${newest} added, and does not cover what was added.`,
  };
}
