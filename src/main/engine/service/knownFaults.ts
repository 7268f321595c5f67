// What is known of damage in the record without looking for it: what checks, trials that were opened, lists and exports found.
import { existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { type KnownFault, knownFaultSchema, type RecordCheck, recordCheckSchema } from '../../../shared/api/record.ts';
import type { Damage } from '../../../shared/damage.ts';
import { refusedCheckpoint } from '../audit/damage.ts';
import { openUserKey, type UserKey } from '../checkpoint/userKey.ts';
import { changeKept, keep, kept } from '../report/resultCache.ts';
import { knownFaultsFolder } from '../report/statisticsCache.ts';
import { fileStamp } from '../store/fileStamp.ts';
import { elsewhereOf } from '../store/store.ts';

/** Faults that are kept of one finding; a damaged record can have as many as trials. */
const mostKept = 100;

const isTrial = (chain: string | null): chain is string => chain !== null && /^[0-9a-f]{16}$/.test(chain);
const experimentOf = (chain: string | null) => /^(?:experiment|preparation|review)\/([\s\S]*)$/.exec(chain ?? '')?.[1] ?? null;

/** A fault in a chain, which is a trial or what trials share. */
interface ChainFault {
  readonly experiment: string | null;
  readonly chain: string | null;
  readonly problem: string;
}

/** The record holds, and is not the one that was looked for. */
const isOtherRecord = (bad: RecordCheck['first_bad']) => bad?.kind === 'head';

/** The chains that a check names, or at least their experiments. */
function faultsIn({ first_bad: bad }: Pick<RecordCheck, 'first_bad'>): ChainFault[] {
  if (bad === null || isOtherRecord(bad)) return [];
  const { trial, problem, uses = [] } = bad;
  const named = uses.map((use) => ({ experiment: use.experiment, chain: use.trial, problem }));
  return named.length > 0 ? named : [{ experiment: experimentOf(trial), chain: trial, problem }];
}

/** What is kept for the next start, and shared by all programs that have the store open. */
const keptSchema = z.object({
  last: z.strictObject({ at: z.string(), result: recordCheckSchema.shape.result, files: z.string() }).nullable(),
  faults: z.array(z.tuple([z.string(), knownFaultSchema])),
});

export type KnownFaults = ReturnType<typeof openKnownFaults>;

/**
 * Does not open the store. A fault is known until a check finds it gone, no matter what is written meanwhile.
 * @param now milliseconds of the clock
 * @param folder stores the findings, sealed; null: they are forgotten at the end
 * @param isElsewhere whether the store is from elsewhere: then stored findings do not count. Asked at the first use
 */
export function openKnownFaults(store: string, now: () => number, folder: string | null = null, isElsewhere = () => false) {
  let isKept: boolean | null = null;
  const place = () => {
    if (folder === null) return null;
    isKept ??= !isElsewhere();
    const key = () => toHex(hashParts(['assize/known-faults', existsSync(store) ? realpathSync(store) : store]));
    return isKept ? { folder, key: key(), schema: keptSchema } : null;
  };
  const filesNow = () => fileStamp(store).files;
  let known: z.infer<typeof keptSchema> = { last: null, faults: [] };
  /** What could not be kept is still known here. */
  let isKeptNow = true;
  /** Takes over what other programs found since, or found gone. */
  const load = () => {
    const where = isKeptNow ? place() : null;
    known = (where === null ? null : kept(where)) ?? known;
  };
  const save = () => {
    const where = place();
    if (where === null) return;
    keep(where, known);
    isKeptNow = isDeepStrictEqual(kept(where), known);
  };
  const at = () => new Date(now()).toISOString();
  /** Replaces outdated faults by what was found, and stores it if that changes something. */
  const replace = (isGone: (fault: KnownFault, key: string) => boolean, by: KnownFault['by'], found: readonly ChainFault[]) => {
    load();
    const faults = new Map(known.faults.filter(([key, fault]) => !isGone(fault, key)));
    for (const { experiment, chain, problem } of found.slice(0, mostKept))
      faults.set(JSON.stringify([by, experiment, chain, problem]), {
        ...{ experiment, problem, by },
        trial: isTrial(chain) ? chain : null,
        at: at(),
      });
    const isChanged = JSON.stringify([...faults.keys()]) !== JSON.stringify(known.faults.map(([key]) => key));
    known = { ...known, faults: [...faults] };
    if (isChanged) save();
  };
  return {
    read() {
      load();
      const { last, faults } = known;
      return {
        last: last === null ? null : { at: last.at, result: last.result, changed_since: last.files !== filesNow() },
        faults: faults.map(([, fault]) => fault),
      };
    },
    /** A check of the whole record begins; call what it returns with what the check found. */
    checking() {
      load();
      // What is written or found while the check runs may be missing from what it read.
      const [files, before] = [filesNow(), new Map(known.faults)];
      return (check: Pick<RecordCheck, 'result' | 'first_bad'>) => {
        const result = isOtherRecord(check.first_bad) ? 'intact' : check.result;
        // A check ends at the first fault, so that one which finds some says nothing of the others. None replays a trial.
        const isGone = ({ by }: KnownFault, key: string) => result === 'intact' && by !== 'replay' && before.has(key);
        replace(isGone, 'check', faultsIn(check));
        known = { ...known, last: { at: at(), result, files } };
        save();
      };
    },
    listed(experiment: string, { first }: Damage) {
      const found = first.map(({ trial: chain, problem }) => ({ experiment, chain, problem }));
      replace((fault) => fault.by === 'list' && fault.experiment === experiment, 'list', found);
    },
    /** A trial that was opened (`trial`), checked from its bytes up (`trial-check`) or replayed; null where nothing is wrong with it. */
    trial(by: 'trial' | 'trial-check' | 'replay', experiment: string, trial: string, problem: string | null) {
      // The check of a trial looks at all of it, so where it finds nothing, it clears all faults of the trial except one found by a replay.
      const isSound = by === 'trial-check' && problem === null;
      const isGone = (fault: KnownFault) => fault.trial === trial && (fault.by === by || (isSound && fault.by !== 'replay'));
      replace(isGone, by, problem === null ? [] : [{ experiment, chain: trial, problem }]);
    },
    refused(experiment: string, { trial: chain, problem }: { readonly trial: string | null; readonly problem: string }) {
      replace(() => false, 'export', [{ experiment, chain, problem }]);
    },
  };
}

/** What is known of a store of this user, kept from start to start. */
export const keptFaults = (store: string): KnownFaults =>
  openKnownFaults(
    store,
    () => Date.now(),
    knownFaultsFolder(),
    () => elsewhereOf(store) !== null,
  );

/** For an erasure: no word of a record is kept, but a damaged one is still known to be damaged. */
export function forgetWords(folder: string | null = knownFaultsFolder()): void {
  if (folder === null) return;
  changeKept(folder, keptSchema, ({ last, faults }) => {
    const found = faults.find(([, { by }]) => by !== 'replay')?.[1];
    const problem = 'it was damaged before something was erased';
    const wordless = { experiment: null, trial: null, problem, by: 'check' as const };
    const left: typeof faults = found === undefined ? [] : [[problem, { ...wordless, at: found.at }]];
    return { last, faults: left };
  });
}

/** Throws bad-input where the record is known to be damaged: that should not be signed. */
export function refuseDamaged(knownFaults: Pick<KnownFaults, 'read'>): void {
  // That a verdict does not follow from the answers is no change of the record, and no check of all of it takes that back.
  const damage = knownFaults.read().faults.find(({ by }) => by !== 'replay');
  if (damage !== undefined) throw refusedCheckpoint(damage.problem);
}

export const signingKey =
  (knownFaults: Pick<KnownFaults, 'read'>): (() => UserKey) =>
  () => {
    refuseDamaged(knownFaults);
    return openUserKey();
  };
