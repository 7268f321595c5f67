// Joins the records of several stores in a new one.
import { experimentChain } from '../../core/record/identity.ts';
import type { RecordCheck } from '../../shared/api/record.ts';
import { AssizeError, badInput } from '../../shared/errors.ts';
import type { Adoption } from '../../shared/outputs.ts';
import { type CopyWatch, checkRecord, faultOf, makeStore, refuseExisting, whoseRecord } from './adopt.ts';
import { commandText } from './commandText.ts';
import { differences } from './lab/freeze.ts';
import { heldIn } from './lab/recordedProgress.ts';
import { ChainFork } from './store/copyRecord.ts';
import { oneNote } from './store/origin.ts';
import { openStoreReadOnly } from './store/store.ts';
import { withStore } from './store/withStore.ts';

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
  const experiment = chain.startsWith(experimentChain('')) ? chain.slice(experimentChain('').length) : null;
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
