// Checks that what is gone from a store is what its chain of erasures says, and no more.
import { erasureChain } from '../../../core/record/identity.ts';
import type { Store } from '../store/store.ts';
import type { BadRecord } from './chain.ts';

/** What is wrong with the erasures of a store, or null. */
export function checkErasures(store: Store): BadRecord | null {
  const bad = (seq: number | null, problem: string): BadRecord => ({ trial: erasureChain, seq, kind: 'text-erase', problem });
  const salts = new Map(store.datasets.all().map(({ manifest, salt }) => [manifest, salt]));
  const list = store.erasures.list();
  if (list.length !== store.events.chain(erasureChain).length) return bad(null, 'it has an event that is no erasure');
  for (const [index, { dataset, salt, texts, erased }] of list.entries()) {
    const found = store.erasures.summary(index);
    // A bundle has one data set alone, and of the others not even what stays.
    if (found.texts === 0 && !salts.has(dataset)) continue;
    if (found.texts !== texts || found.erased !== erased) return bad(index, 'the erased texts are not those that it names');
    if (salt && (salts.get(dataset)?.length ?? 0) > 0) return bad(index, 'the salt of its data set is still there');
  }
  const stray = store.erasures.stray();
  return stray === undefined ? null : bad(null, `a text is said to be gone by an erasure ${stray} that is not on the record`);
}
