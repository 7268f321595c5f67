// Makes a store of the user's own of the records of others.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { experimentChain, frozenExperiment } from '../../core/record/identity.ts';
import type { RecordCheck } from '../../shared/api/record.ts';
import { AssizeError, badInput } from '../../shared/errors.ts';
import type { Adoption } from '../../shared/outputs.ts';
import { checkLog, logOf } from './audit/log.ts';
import { commandText } from './commandText.ts';
import { eraseAgain } from './erase/erase.ts';
import { differences } from './lab/freeze.ts';
import { heldIn } from './lab/recordedProgress.ts';
import type { QueryProgress } from './queries/query.ts';
import { ChainFork, copyRecords } from './store/copyRecord.ts';
import { isDatabaseError } from './store/databaseError.ts';
import { adoptionOf, copyNotes, mostNoted, oneNote, originOf } from './store/origin.ts';
import { rebuildTrials } from './store/projecting.ts';
import type { NewAdoption } from './store/runLog.ts';
import { openStore, openStoreReadOnly, type Store } from './store/store.ts';
import { withStore } from './store/withStore.ts';

/** How far the making of a store has come: the checks of a record, the copying of rows, and the results that are derived from them. */
export interface CopyProgress {
  readonly step: 'check' | 'copy' | 'derive';
  readonly store: string;
  readonly done: number;
  /** Null while it is not known. */
  readonly of: number | null;
}

export interface CopyWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

const interrupted = 'interrupted; nothing was written; run it again';

/** Throws output-exists where there is a file already. */
export function refuseExisting(into: string): void {
  if (!existsSync(into)) return;
  throw new AssizeError('output-exists', 'there is a file already; name a new one', { file: into, field: '--into' });
}

export async function checkRecord(store: string, { signal, onProgress }: CopyWatch): Promise<RecordCheck> {
  const { askOnce } = await import('./queries/pool.ts');
  const showProgress = ({ counted }: QueryProgress) =>
    onProgress({ step: 'check', store, done: counted?.done ?? 0, of: counted?.of ?? null });
  return askOnce(store, 'recordCheck', null, { signal, onProgress: showProgress }, interrupted);
}

/** What is wrong with a record, in words; null where it is intact. */
export function faultOf({ first_bad: bad }: RecordCheck): string | null {
  return bad === null ? null : `${[bad.trial, bad.kind].filter((part) => part !== null).join(', ')}: ${bad.problem}`;
}

async function derive(store: Store, refusal: (why: string) => AssizeError, { signal, onProgress }: CopyWatch): Promise<void> {
  try {
    store.write(() => {
      for (const chain of store.events.names(experimentChain(''))) {
        store.experiments.restore(chain.slice(experimentChain('').length));
      }
    });
    await rebuildTrials(store, {
      signal,
      onProgress: (done, of) => onProgress({ step: 'derive', store: store.path, done, of }),
    });
  } catch (error) {
    if (isDatabaseError(error) || (error instanceof AssizeError && error.code !== 'store-unreadable')) throw error;
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Makes a store at `into` of the records at `paths`, with new results. It appears whole and verified, or not at all.
 * @param refusal the error for a record that does not verify
 * @throws output-exists, store-unreadable, interrupted, ChainFork
 */
async function makeStore(
  paths: readonly string[],
  into: string,
  {
    keepLog,
    refusal,
    noteOf = () => null,
  }: {
    readonly keepLog: boolean;
    readonly refusal: (why: string) => AssizeError;
    /** What is noted of where the record was before, by its root. */
    readonly noteOf?: (root: string) => NewAdoption | null;
  },
  watch: CopyWatch,
): Promise<RecordCheck> {
  refuseExisting(into);
  mkdirSync(dirname(into), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(dirname(into), '.assize-copy-'));
  const copy = join(folder, 'store.db');
  try {
    const onProgress = (done: number) => watch.onProgress({ step: 'copy', store: into, done, of: null });
    const known = await copyRecords(paths, copy, { keepLog, signal: watch.signal, onProgress });
    await withStore(openStore(copy, { create: false }), async (store) => {
      await derive(store, refusal, watch);
      eraseAgain(store, known);
    });
    const report = await checkRecord(copy, { ...watch, onProgress: (now) => watch.onProgress({ ...now, store: into }) });
    const fault = faultOf(report);
    if (fault !== null) throw refusal(fault);
    const { root } = report;
    const note = root === null ? null : noteOf(root);
    if (note !== null)
      await withStore(openStore(copy, { create: false }), (store) => store.write(() => store.runLog.addAdoption(note)));
    renameSync(copy, into);
    return { ...report, store: into };
  } catch (error) {
    if (watch.signal.aborted) throw new AssizeError('interrupted', interrupted);
    // The copy is gone with its folder: of a full disk the user has to know where the new store would be.
    const isOfCopy = error instanceof AssizeError && error.place.file === copy;
    throw isOfCopy ? new AssizeError(error.code, error.message, { file: into }) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** What a record says of where it comes from: its file, who signed it, its experiments, and of what it was a copy before. */
function whoseRecord(path: string): Omit<Adoption, 'at' | 'root'> {
  const origin = originOf(path);
  const opened = openStoreReadOnly(path);
  try {
    const signers =
      origin?.kind === 'bundle'
        ? origin.signers
        : (checkLog(logOf(opened), {}).log?.signers ?? []).flatMap(({ fingerprint }) => fingerprint ?? []);
    const before = copyNotes(adoptionOf(opened)).flatMap(({ earlier = [], ...note }) => [note, ...earlier]);
    return {
      file: origin?.file ?? basename(path),
      signers: signers.slice(0, mostNoted),
      experiments: opened.events.names(experimentChain('')).map((chain) => chain.slice(experimentChain('').length)),
      ...(before.length > 0 ? { earlier: before.slice(0, mostNoted) } : {}),
    };
  } finally {
    opened.close();
  }
}

/** `assize adopt`: copies a record that verifies into a new store. @throws output-exists, store-unreadable, interrupted */
export async function adopt(path: string, into: string, watch: CopyWatch): Promise<RecordCheck> {
  refuseExisting(into);
  const refusal = (why: string) =>
    new AssizeError('store-unreadable', `the record does not verify (${why}); nothing was copied`, { file: path });
  const whose = whoseRecord(path);
  return makeStore([path], into, { keepLog: false, refusal, noteOf: (root) => ({ ...whose, root }) }, watch);
}

interface Part {
  readonly path: string;
  /** Null where the record has no events. */
  readonly root: string | null;
  readonly trials: number;
}

/** In what two freezes of one experiment differ, for a user who wants to join them. */
async function freezesApart(experiment: string, { seq, stores }: ChainFork): Promise<string> {
  const [one, other] = await Promise.all(
    stores.map((path) =>
      withStore(openStoreReadOnly(path), (store) => {
        const payload = store.experiments.history(experiment)[seq]?.payload;
        return { at: payload?.at, definition: JSON.parse(store.blobs.need(payload?.definition ?? '')) as unknown };
      }),
    ),
  );
  const [first] = differences(one?.definition, other?.definition);
  return first === undefined
    ? `It was prepared twice, at ${one?.at} and at ${other?.at}. To join the parts of a new experiment, freeze it once, and copy the store before you run them (docs/scale.md)`
    : `${first.path} is ${first.before} in the first store and ${first.after} in the other. The record keeps the name, so it cannot be changed there: give one experiment another name in its file before it runs, and they can be joined`;
}

/** Why two stores cannot be joined. Throws as the opening of a store does. */
async function forkError(fork: ChainFork): Promise<AssizeError> {
  const { chain, seq, stores } = fork;
  const experiment = frozenExperiment(chain);
  const trial = await withStore(openStoreReadOnly(stores[0]), (store) => store.trials.get(chain));
  const name = experiment ?? trial?.experiment;
  const exporting = stores.map((path, at) =>
    commandText('export', name ?? '', '--store', path, '--format', 'trials-csv', '--out', `part-${at + 1}.csv`),
  );
  const table = name === undefined ? '' : ` To put their trials in one table, export each: ${exporting.join(' and ')}.`;
  const what =
    experiment !== null
      ? `both have an experiment ${JSON.stringify(experiment)}, and the two are not parts of one run. ${await freezesApart(experiment, fork)}`
      : trial === undefined
        ? 'each store has continued it for itself'
        : `both have tried case ${JSON.stringify(trial.case_id)} in arm ${JSON.stringify(trial.arm)} of ${JSON.stringify(trial.experiment)}`;
  return badInput(
    `it cannot be joined with ${stores[0]}: ${what}. Nothing was written. Keep the two as separate stores and read the other one with --store.${table} Their records differ from event ${seq} of the chain ${chain} on`,
    { file: stores[1] },
  );
}

/** Where the parts of a joined record are from; null where none has an event. */
function notesOf(parts: readonly Part[]): Adoption | null {
  const at = new Date().toISOString();
  return oneNote(
    parts.flatMap(({ path, root }) => (root === null ? [] : { ...whoseRecord(path), at, root, joined: true as const })),
  );
}

/**
 * `assize merge`: makes a store at `into` that has every chain of the stores at `paths`. The log is that of the first one.
 * @returns what the check of the new store found, how many trials were also in a store before theirs, and how much of each
 * experiment is there
 * @throws bad-input where two stores have different continuations of one chain; output-exists, store-unreadable, interrupted
 */
export async function merge(
  paths: readonly string[],
  into: string,
  watch: CopyWatch,
): Promise<{ readonly check: RecordCheck; readonly repeated: number; readonly held: ReturnType<typeof heldIn> }> {
  const refusal = (why: string) =>
    new AssizeError('store-unreadable', `each store verifies, but not what they are together (${why}); nothing was written`, {
      file: into,
    });
  refuseExisting(into);
  const parts: Part[] = [];
  for (const path of paths) {
    const report = await checkRecord(path, watch);
    parts.push({ path, root: report.root, trials: report.trials });
    const fault = faultOf(report);
    if (fault === null) continue;
    throw new AssizeError('store-unreadable', `the record does not verify (${fault}); nothing was written`, { file: path });
  }
  try {
    const note = notesOf(parts);
    const check = await makeStore(paths, into, { keepLog: true, refusal, noteOf: () => note }, watch);
    const held = await withStore(openStoreReadOnly(into), heldIn);
    return { check, repeated: parts.reduce((sum, { trials }) => sum + trials, -check.trials), held };
  } catch (error) {
    throw error instanceof ChainFork ? await forkError(error) : error;
  }
}
