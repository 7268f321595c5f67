// An experiment whose texts were erased is over: a new trial would run on cases that are no longer there.
import { refsOf } from '../../../core/record/texts.ts';
import type { ErasureNote } from '../../../shared/erasure.ts';
import { badInput } from '../../../shared/errors.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { attempt } from '../attempt.ts';
import type { TextErase } from '../store/erasures.ts';
import type { Store } from '../store/store.ts';

export function noteOf(store: Store, { at, scope, case: ref }: TextErase): ErasureNote {
  const id = ref === null ? null : attempt(() => store.datasets.outline(ref).id, null);
  return { at, scope, ...(id === null ? {} : { case: id }) };
}

/** The experiments that an erasure concerns. */
export const experimentsOf = (store: Store, { dataset, experiment }: TextErase): string[] =>
  experiment !== null
    ? [experiment]
    : store.experiments.all().flatMap((row) => (store.datasets.get(row.dataset).manifest === dataset ? [row.name] : []));

export function erasuresOf(store: Store, experiment: string): ErasureNote[] {
  const row = store.experiments.get(experiment);
  if (row === undefined) return [];
  const { manifest } = store.datasets.get(row.dataset);
  return store.erasures
    .list()
    .filter((each) => each.dataset === manifest && (each.experiment === null || each.experiment === experiment))
    .map((each) => noteOf(store, each));
}

/** The erasure that took most of an experiment; where it lost only cases, the last one, with the ids of all. */
export function erasureOf(store: Store, experiment: string): ErasureNote | null {
  const all = erasuresOf(store, experiment);
  const wide = (['data-set', 'experiment'] as const).flatMap((scope) => all.findLast((each) => each.scope === scope) ?? [])[0];
  const last = wide ?? all.at(-1);
  return last === undefined || wide !== undefined
    ? (last ?? null)
    : { ...last, cases: [...new Set(all.flatMap((each) => each.case ?? []))] };
}

/** The erasure that took texts from a trial; null where none did. @param events of the trial */
export function erasureOfTrial(store: Store, events: readonly RecordEvent[]): ErasureNote | null {
  const ref = events.flatMap(refsOf).find((each) => store.erasures.has(each));
  const found = ref === undefined ? undefined : store.erasures.by(ref);
  return found === undefined ? null : noteOf(store, found);
}

export function refuseErased(store: Store, experiment: string): void {
  const erased = erasureOf(store, experiment);
  if (erased === null) return;
  throw badInput(
    `texts of this experiment were erased on ${erased.at.slice(0, 10)}, so it cannot be run further; start a new one under another name`,
    'name',
  );
}

/** Returns which trials of an experiment had a case: on trial, as a precedent, or as an example of their arm. */
export function hadCase(store: Store, experiment: string, kase: string): (chain: readonly RecordEvent[]) => boolean {
  const arms = store.experiments.history(experiment).flatMap(({ payload }) => payload.arms);
  const showing = new Set(
    arms.filter(({ examples: { chosen, reserves } }) => [...chosen, ...reserves].includes(kase)).map(({ name }) => name),
  );
  return (chain) =>
    chain.some(
      ({ kind, payload }) =>
        (kind === 'trial-open' && (payload.case === kase || showing.has(payload.arm))) ||
        (kind === 'precedent-retrieve' && payload.precedents.some((precedent) => precedent.case === kase)),
    );
}
