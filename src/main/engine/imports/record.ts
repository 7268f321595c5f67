// Writes imported predictions into the record, one whole trial at a time.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadPrediction } from '../../../core/imported/prediction.ts';
import { refOf } from '../../../core/record/hash.ts';
import { trialSeed } from '../../../core/record/identity.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { EventPayload, FrozenArm } from '../../../shared/events.ts';
import { type ImportMapping, importedProtocol } from '../../../shared/imported.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { quoted } from '../datasets/spelling.ts';
import { mostTrials } from '../lab/experimentFile.ts';
import { common } from '../store/blobs.ts';
import type { FreezeEvent } from '../store/experiments.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { cellsOf, type ImportedTrial, type ImportPlan, mostSystems, saidIn } from './plan.ts';
import type { FileFault } from './predictionRows.ts';
import type { ImportTarget } from './target.ts';

/** Trials of one transaction: some milliseconds, so as not to hold others up. The first has a trial of every arm. */
const trialsPerCommit = Math.max(250, mostSystems);

export interface Importing {
  readonly target: ImportTarget;
  readonly plan: ImportPlan;
  readonly mapping: ImportMapping;
  /** SHA-256 of the source file, hexadecimal. */
  readonly fileHash: string;
}

const cellText = (value: string, confidence: string | null) =>
  confidence === null || confidence.trim() === '' ? quoted(value) : `${quoted(value)} with confidence ${quoted(confidence)}`;

/** What the record has of a trial, where that is not what the file says; null where it is. */
function recordedOtherwise(
  store: Store,
  salt: Uint8Array,
  trial: ImportedTrial & { readonly id: string },
  read: ReadPrediction,
): string | null {
  const payload = parseChain(store.events.chain(trial.id)).find((event) => event.kind === 'prediction-import')?.payload as
    | EventPayload<'prediction-import'>
    | undefined;
  if (payload === undefined) return 'something else than an imported prediction';
  const { value: cell, stated, probabilities, opinions } = cellsOf(trial.row);
  const name = (text: string | null) => (text === null ? null : refOf(salt, text));
  const same =
    payload.value === name(cell) &&
    payload.stated === name(stated) &&
    payload.prediction === read.prediction &&
    payload.confidence === read.confidence &&
    (payload.probabilities ?? []).join() === probabilities.map(name).join() &&
    (payload.opinions ?? []).join() === opinions.map(name).join() &&
    (payload.course ?? []).join() === read.course.join();
  if (same) return null;
  const textOf = (ref: string | null) => (ref === null ? null : (store.blobs.get(ref) ?? null));
  const [value, confidence] = [payload.value, payload.stated].map(textOf);
  const reading = payload.prediction === null ? 'undecided' : quoted(payload.prediction);
  const scores = (payload.probabilities ?? []).map(textOf).join(', ');
  return `${cellText(value ?? scores, confidence ?? null)}, read as ${reading},`;
}

/** Places of trials not recorded yet. Throws bad input for other values or too many. @param store null: none yet */
export function newTrials(store: Store | null, { target, plan, mapping }: Importing, fault: FileFault): readonly number[] {
  const { name } = target.definition;
  const known = store?.experiments.get(name);
  if (store === null || known === undefined) return plan.places;
  const { salt } = store.datasets.get(known.dataset);
  const open = plan.places.filter((place) => {
    const trial = plan.trialAt(place);
    const id = plan.idOf(trial);
    if (store.trials.get(id) === undefined) return true;
    const read = plan.read(trial);
    const recorded = recordedOtherwise(store, salt, { ...trial, id }, read);
    if (recorded === null) return false;
    const reading = read.prediction === null ? 'undecided' : quoted(read.prediction);
    throw fault(
      `case ${quoted(trial.row.case)} in arm ${quoted(trial.arm)}, replicate ${trial.replicate + 1}, is on the record with ${recorded} and ` +
        `here with ${cellText(saidIn(trial.row), trial.row.confidence)}, read as ${reading}; recorded predictions do not change; import this file under another arm name`,
      { line: trial.row.line, field: mapping.columns.prediction ?? mapping.columns.probabilities[0]?.[1] ?? null },
    );
  });
  const total = store.trials.counts(name).reduce((sum, { trials }) => sum + trials, open.length);
  if (total > mostTrials) {
    throw fault(`${total} trials are more than an experiment can have (${mostTrials}); import into another experiment`, {});
  }
  return open;
}

function importedArm(store: Store, name: string, system: string): FrozenArm {
  return {
    name,
    protocol: importedProtocol.id,
    protocolVersion: importedProtocol.version,
    terms: store.blobs.keep(common, JSON.stringify({ params: { system }, cast: {}, belief: 'verbal' })),
    templates: {},
    examples: { chosen: [], reserves: [] },
  };
}

/** Records the experiment, or the arms that it did not have, where there is anything of it to record. */
function extend(store: Store, { target, plan, fileHash }: Importing): void {
  const { definition, draft } = target;
  const { name } = definition;
  const before = store.experiments.history(name).at(-1);
  const arms = before?.payload.arms ?? [];
  const missing = [...plan.systems].filter(([arm]) => !arms.some((known) => known.name === arm));
  if (missing.length === 0) return;
  const added = missing.map(([arm, system]) => importedArm(store, arm, system));
  let about: Pick<FreezeEvent['payload'], 'definition' | 'dataset' | 'reader' | 'guard'>;
  if (before !== undefined) about = before.payload;
  else {
    if (draft === null) throw new Error(`experiment ${name} is not in the record`);
    const row = store.datasets.save(draft.cases, draft.splits);
    const ref = store.blobs.keep(common, JSON.stringify(definition));
    about = { definition: ref, dataset: { manifest: row.manifest ?? '', file: refOf(row.salt, fileHash) } };
  }
  const { definition: ref, dataset, reader, guard } = about;
  store.experiments.freeze(before === undefined ? 'experiment-freeze' : 'experiment-extend', {
    ...{ v: 1, at: new Date().toISOString(), name, assize: programVersion },
    definition: ref,
    dataset,
    ...(reader === undefined ? {} : { reader }),
    ...(guard === undefined ? {} : { guard }),
    arms: [...arms, ...added],
  });
}

function trialWriter(store: Store, { target, plan, mapping: readBy, fileHash }: Importing) {
  const { name, seed } = target.definition;
  const row = store.experiments.get(name);
  if (row === undefined) throw new Error(`experiment ${name} is not in the record`);
  const { id: dataset, salt } = store.datasets.get(row.dataset);
  const keep = readOnce((text: string) => store.blobs.keep({ id: dataset, salt }, text));
  const at = new Date().toISOString();
  const file = refOf(salt, fileHash);
  const mapping = keep(JSON.stringify(readBy));
  return (place: number): string => {
    const trial = plan.trialAt(place);
    const id = plan.idOf(trial);
    const { arm, replicate, row: source } = trial;
    const { outcome, prediction, confidence, belief, course } = plan.read(trial);
    const { value, stated, probabilities, opinions } = cellsOf(source);
    const stored = store.datasets.caseOfId(dataset, source.case);
    if (stored === undefined) throw new Error(`case ${source.case} is not in the data set`);
    const opened: EventPayload<'trial-open'> = {
      v: 1,
      at,
      arm,
      case: stored.ref,
      replicate,
      attempt: 1,
      seed: trialSeed(seed, source.case, replicate),
      protocol: importedProtocol.id,
      protocolVersion: importedProtocol.version,
      freeze: row.headHash,
    };
    const imported: EventPayload<'prediction-import'> = {
      v: 1,
      system: plan.systems.get(arm) ?? arm,
      file,
      line: source.line,
      mapping,
      value: value === null ? null : keep(value),
      stated: stated === null ? null : keep(stated),
      prediction,
      confidence,
      ...(probabilities.length === 0 ? {} : { probabilities: probabilities.map(keep) }),
      ...(belief === null ? {} : { belief, source: 'verbal' }),
      ...(opinions.length === 0 ? {} : { opinions: opinions.map(keep), course: [...course] }),
    };
    const chain = store.events.appendAll(id, [
      { kind: 'trial-open', payload: opened },
      { kind: 'prediction-import', payload: imported },
      { kind: 'trial-close', payload: { v: 1, at, outcome, incomplete: false } },
    ]);
    store.trials.projectChain(id, chain);
    return id;
  };
}

export interface RecordingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (recorded: number) => void;
  readonly onTrial?: (trial: string) => void;
}

/** The first of every arm, then by id as in the tables: a transaction then writes few pages and not one for each trial. */
function inTableOrder({ trialAt, idOf }: ImportPlan, places: readonly number[]): number[] {
  const arms = new Set<string>();
  const [first, others]: [number[], number[]] = [[], []];
  // So many digits of an id are a whole number, and distinguish all of them.
  const digits = new Float64Array((places.at(-1) ?? 0) + 1);
  for (const place of places) {
    const trial = trialAt(place);
    (arms.has(trial.arm) ? others : first).push(place);
    arms.add(trial.arm);
    digits[place] = Number.parseInt(idOf(trial).slice(0, 13), 16);
  }
  return [...first, ...others.sort((one, other) => (digits[one] ?? 0) - (digits[other] ?? 0))];
}

/** Records trials in whole transactions of some hundred. What is there stays; the import continues there. Throws interrupted. */
export async function recordTrials(
  store: Store,
  importing: Importing,
  imported: readonly number[],
  { signal, onProgress, onTrial }: RecordingOptions,
): Promise<void> {
  const trials = inTableOrder(importing.plan, imported);
  let writer: ReturnType<typeof trialWriter> | undefined;
  for (let start = 0; start < trials.length; start += trialsPerCommit) {
    if (signal.aborted) {
      throw new AssizeError(
        'interrupted',
        `interrupted; ${start} of ${trials.length} predictions are on the record, import again to continue`,
      );
    }
    const part = trials.slice(start, start + trialsPerCommit);
    const isLast = start + part.length === trials.length;
    const written = store.write(
      () => {
        if (writer === undefined) extend(store, importing);
        writer ??= trialWriter(store, importing);
        return part.map(writer);
      },
      { durable: isLast },
    );
    for (const id of written) onTrial?.(id);
    onProgress(start + part.length);
    await nextTurn();
  }
}
