// Checks that a store lacks exactly what its chain of erasures says.

import { erasureChain } from '../../../core/record/identity.ts';
import { refsOf } from '../../../core/record/texts.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { hadCase } from '../lab/erasedData.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, firstProblem } from './chain.ts';

export function checkErasures(store: Store): BadRecord | null {
  const bad = (seq: number | null, problem: string): BadRecord => ({ trial: erasureChain, seq, kind: 'text-erase', problem });
  const salts = new Map(store.datasets.all().map(({ manifest, salt }) => [manifest, salt]));
  const list = store.erasures.list();
  if (list.length !== store.events.chain(erasureChain).length) return bad(null, 'it has an event that is no erasure');
  for (const [index, { dataset, scope, experiment, case: kase, salt, texts, erased }] of list.entries()) {
    if ((experiment !== null) !== (scope === 'experiment') || (kase !== null) !== (scope === 'case')) {
      return bad(index, 'it names something else than its scope');
    }
    const found = store.erasures.summary(index);
    // A bundle has only one data set, and of the others not even what stays.
    if (found.texts === 0 && !salts.has(dataset)) continue;
    if (found.texts !== texts || found.erased !== erased) return bad(index, 'the erased texts are not those that it names');
    if (scope === 'data-set' && !salt) return bad(index, 'it is of a whole data set and leaves its salt');
    if (scope === 'case' && !store.erasures.has(kase ?? ''))
      return bad(index, 'the text of its case is not among the erased ones');
    if (salt && (salts.get(dataset)?.length ?? 0) > 0) return bad(index, 'the salt of its data set is still there');
  }
  const stray = store.erasures.stray();
  return stray === undefined ? null : bad(null, `a text is said to be gone by an erasure ${stray} that is not on the record`);
}

/** Checks that a trial lost texts only where an erasure was about it: others cannot be passed off as erased. */
export function scopeCheck(store: Store): (chain: readonly StoredEvent[]) => BadRecord | null {
  const list = store.erasures.list();
  if (list.length === 0) return () => null;
  /** The data set of an experiment, and which of its trials each erasure is about: of the data set, the experiment or the case. */
  const placeOf = readOnce((freeze: string) => {
    const row = store.experiments.ofFreeze(freeze);
    if (row === undefined) return null;
    const { name, dataset } = row;
    const { manifest } = store.datasets.get(dataset);
    const about = list
      .filter((each) => each.dataset === manifest)
      .map(({ salt, experiment, case: kase }) => {
        if (salt || experiment === name) return () => true;
        return kase === null ? () => false : hadCase(store, name, kase);
      });
    return { dataset, about };
  });
  return (stored) => {
    const chain = stored.map(parseStored);
    const open = chain.find((event) => event.kind === 'trial-open');
    const place = open === undefined ? null : placeOf(open.payload.freeze);
    // Where its experiment is not on the record, the check of its calls says so.
    if (place === null || place.about.some((isAbout) => isAbout(chain))) return null;
    const isGone = (ref: string) => store.erasures.has(ref) && store.blobs.bytes(ref) === undefined;
    const isPartGone = (name: string) => store.erasures.hasPart(name) && store.blobs.part(name, place.dataset) === undefined;
    return firstProblem(stored, (event) => {
      const parsed = parseStored(event);
      const parts = parsed.kind === 'call-answer' ? parsed.payload.messages.flatMap(([, names]) => names) : [];
      return refsOf(parsed).some(isGone) || parts.some(isPartGone)
        ? 'a text of it is gone, and no erasure is about its trial'
        : null;
    });
  };
}
