// Whether what an experiment's results are read from is what its chains say: a check that is cheap enough to be made whenever
// results are shown, and of the texts that are shown with them. `verify` checks more: every request and what trials share.

import { realpathSync } from 'node:fs';
import { z } from 'zod';
import { hashParts, refOf, toHex } from '../../../core/record/hash.ts';
import { experimentChain, preparationChain, reviewChain } from '../../../core/record/identity.ts';
import { badRecordSchema, type Damage, damageSchema } from '../../../shared/damage.ts';
import { type AssizeError, badInput } from '../../../shared/errors.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { ownCall } from '../commandText.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { cachedOr } from '../report/resultCache.ts';
import { cacheFor, soundFolder } from '../report/statisticsCache.ts';
import type { StoredEvent } from '../store/events.ts';
import { fileStamp } from '../store/fileStamp.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { type BadRecord, chainFault, faultOfKind, firstProblem, textProblem } from './chain.ts';
import { compareDecided, compareTrial } from './projections.ts';

/** Texts that need no second look; a store has too many to remember all. */
const mostRemembered = 100_000;

/** Begins the refusal of an export. */
export const failsCheck = 'the record fails its check';

const whereItIsSaid = '“Check the record” in the settings says where, and what it means';

/** @param problem what earlier checks found, in words */
export const refusedCheckpoint = (problem: string): AssizeError =>
  badInput(`${failsCheck}: ${problem}. Nothing was signed`, {
    remedy: { command: `${ownCall} verify says where, and what it means`, screen: whereItIsSaid },
  });

/** @param command what the command line offers */
export const refusedExport = ({ path }: Pick<Store, 'path'>, fault: BadRecord, command: string): AssizeError =>
  badInput(`${failsCheck}: ${faultText(fault)}. Nothing was exported`, {
    file: path,
    field: '--damaged',
    remedy: { command, screen: whereItIsSaid },
    damage: { trial: fault.trial, problem: faultText(fault) },
  });

/** Faults that are named; there can be as many as trials. */
const mostNamed = 10_000;

/** Readers of results skip a trajectory of another head; `verify` names it. */
function rowFault(store: Store, chain: readonly StoredEvent[]): BadRecord | null {
  const found = compareTrial(store, chain);
  if (found?.kind !== 'trajectories') return found;
  const trial = found.trial ?? '';
  const stored = store.trajectories.get(trial);
  return stored === undefined || stored.head_hash === store.trials.get(trial)?.head_hash ? found : null;
}

function check(store: Store, experiment: string): Damage {
  const strange = store.schemaProblem();
  if (strange !== null) return { trials: 0, damaged: 1, first: [faultOfKind('schema', strange)] };
  const { dataset } = loadFrozen(store, experiment);
  const parses = (event: StoredEvent) => {
    parseStored(event);
    return null;
  };
  const bad: BadRecord[] = [];
  let [trials, damaged] = [0, 0];
  const note = (found: BadRecord | null) => {
    if (found === null) return;
    damaged += 1;
    if (bad.length < mostNamed) bad.push(found);
  };
  for (const chain of [experimentChain(experiment), preparationChain(experiment), reviewChain(experiment)])
    note(chainFault(store.events.chain(chain), parses));
  note(compareDecided(store, experiment));
  const isSound = readOnce((id: string) => {
    const ref = store.datasets.caseOfId(dataset.id, id)?.ref ?? '';
    return store.erasures.has(ref) || refOf(dataset.salt, store.blobs.get(ref) ?? '') === ref;
  });
  const caseFault = (trial: string, id: string): BadRecord | null =>
    isSound(id) ? null : { trial, seq: 0, kind: 'trial-open', problem: 'the text of its case is missing or was changed' };
  // In the order in which the tables have them, so that each page is read once.
  for (const { trial, case_id } of store.trials.eachHead(experiment)) {
    const chain = store.events.chain(trial);
    trials += 1;
    // The row is made from the parsed events, so that each is parsed once.
    note(chainFault(chain, () => null) ?? rowFault(store, chain) ?? caseFault(trial, case_id));
  }
  return { trials, damaged, first: bad };
}

/** The first text without its hash among those that some chains of an experiment name; null where all have it. */
function textFault(store: Store, experiment: string, chains: Iterable<readonly StoredEvent[]>): BadRecord | null {
  const { dataset } = loadFrozen(store, experiment);
  const sound = new Set<string>();
  for (const chain of chains) {
    if (sound.size > mostRemembered) sound.clear();
    const found = firstProblem(chain, (event) => textProblem(store, dataset.salt, event, sound));
    if (found !== null) return found;
  }
  return null;
}

/** Whether the files of a store are as they were when it was opened, so that what was read is what they hold. */
const isUnchanged = ({ path, opened }: Store) => fileStamp(path).files === opened.files;

/** Checks, unless it is remembered that nothing was wrong with the files as they are. Only what is sound is remembered. */
function soundOr<Found>(
  store: Store,
  { what, experiment, schema }: { what: string; experiment: string; schema: z.ZodType<Found> },
  isSound: (found: Found) => boolean,
  make: () => Found,
): Found {
  const { files, isSettled } = store.opened;
  const question = {
    folder: isSettled && isUnchanged(store) ? cacheFor(store, soundFolder()) : null,
    keyOf: () => toHex(hashParts([`assize/${what}`, programVersion, realpathSync(store.path), files, experiment])),
    schema,
  };
  return cachedOr(question, make, (found) => isSound(found) && isUnchanged(store));
}

/** The first fault in the texts of an experiment, or of a trial and what it shares; null without one, which is remembered. */
export function textFaultOf(store: Store, experiment: string, trial: string | undefined): BadRecord | null {
  const shared = [experimentChain(experiment), preparationChain(experiment), reviewChain(experiment)];
  const chainsOf = (names: readonly string[]) => Iterator.from(names).map((name) => store.events.chain(name));
  if (trial !== undefined) return textFault(store, experiment, chainsOf([...shared, trial]));
  const { fault: found } = soundOr(
    store,
    { what: 'sound-texts', experiment, schema: z.strictObject({ fault: badRecordSchema.nullable() }) },
    ({ fault }) => fault === null,
    () => ({
      fault: textFault(
        store,
        experiment,
        chainsOf([...shared, ...store.trials.ofExperiment(experiment).map((row) => row.trial)]),
      ),
    }),
  );
  return found;
}

/** The first fault of one trial: its chain, its row, its texts; null where there is none. If the fault is in a text, the chain is sound. */
export function trialFault(
  store: Store,
  experiment: string,
  chain: readonly StoredEvent[],
): (BadRecord & { readonly isText: boolean }) | null {
  const found = chainFault(chain, () => null) ?? rowFault(store, chain);
  const fault = found ?? textFault(store, experiment, [chain]);
  return fault === null ? null : { ...fault, isText: found === null };
}

/** What was found before, by experiment; it holds for as long as the file does not change. */
const known = new Map<string, { readonly files: string; readonly found: Damage }>();

/** Checks the chains and rows of an experiment, once for all threads if they are sound. Throws not-found for an unknown one. */
export function damageOf(store: Store, experiment: string): Damage {
  const key = JSON.stringify([store.path, experiment]);
  const { files } = store.opened;
  const before = known.get(key);
  if (before?.files === files && isUnchanged(store)) return before.found;
  const found = soundOr(
    store,
    { what: 'sound-record', experiment, schema: damageSchema },
    ({ damaged }) => damaged === 0,
    () => check(store, experiment),
  );
  if (isUnchanged(store)) known.set(key, { files, found });
  return found;
}

/** With faults of trials that a reader met; of each trial the first fault counts. */
export function withFaults(damage: Damage, faults: readonly BadRecord[]): Damage {
  const named = new Set(damage.first.map(({ trial }) => trial));
  const others = Map.groupBy(faults, ({ trial }) => trial);
  const added = [...others].flatMap(([trial, [first]]) => (first === undefined || named.has(trial) ? [] : [first]));
  return { ...damage, damaged: damage.damaged + added.length, first: [...damage.first, ...added] };
}

/** Where results are kept and looked up; null for a damaged record: what it gives is not what the record with these heads gives. */
export const resultsFolder = (store: Store, experiment: string, folder: string | null): string | null =>
  folder === null || damageOf(store, experiment).damaged > 0 ? null : cacheFor(store, folder);

export function faultText({ trial, seq, kind, problem }: BadRecord): string {
  const place = [trial, seq === null ? null : `event ${seq}`, kind].filter((part) => part !== null).join(', ');
  return `${place}: ${problem}`;
}
