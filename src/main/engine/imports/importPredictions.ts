// Imports the predictions of a file into an experiment.

import { existsSync, statSync } from 'node:fs';
import { ownProbabilities, ownProbabilityText } from '../../../core/imported/ownProbability.ts';
import {
  alikeHints,
  type CandidateLabels,
  confidenceOf,
  confidenceText,
  type ReadPrediction,
} from '../../../core/imported/prediction.ts';
import { telling } from '../../../core/imported/scoreColumns.ts';
import type { FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import {
  type ImportMapping,
  type ImportReport,
  importMappingSchema,
  type NewExperiment,
  type PredictionColumns,
} from '../../../shared/imported.ts';
import { checkpointAfterRun } from '../checkpoint/checkpoints.ts';
import { collectEarly } from '../collectEarly.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import { readAs } from '../datasets/columns.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import { notFound } from '../lab/frozen.ts';
import { keptFaults, signingKey } from '../service/knownFaults.ts';
import { openStore, type Store } from '../store/store.ts';
import { type WritingWatch, withStore, withWritable } from '../store/withStore.ts';
import { type ImportedTrial, mappingOfPredictions, planImport, saidIn } from './plan.ts';
import { type FileFault, type PredictionFile, readPredictions } from './predictionRows.ts';
import { type Importing, newTrials, type RecordingOptions, recordTrials } from './record.ts';
import { draftedTarget, recordedTarget, refuseOtherDefinition, refuseOtherParts, refuseOtherTruths } from './target.ts';

export interface ImportRequest extends Omit<ImportMapping, 'v' | 'file'>, FileReading, NewExperiment {
  readonly experiment: string;
  /** Name of the arm, or the part of it before the system's name. */
  readonly arm: string;
  /** Name of the file, without its folder: it goes on the record. */
  readonly fileName: string;
  /** The file as messages name it. */
  readonly path: string;
}

interface PreparedImport extends Importing {
  readonly file: PredictionFile;
  readonly fault: FileFault;
}

const mostValues = 200;
const longestValue = 200;

/** Checks what is known before the file is read. Throws not-found where there is no such experiment and no truth to make one. */
export function refuseUnknown(store: Store, { experiment, columns }: { experiment: string; columns: PredictionColumns }): void {
  if (columns.truth !== null || store.experiments.get(experiment) !== undefined) return;
  const { code, message, place } = notFound(store, experiment);
  throw new AssizeError(code, `${message}; to make it of this file, name the column of the truths`, place);
}

/** What the rows of a file amount to, unwritten. Throws bad input with its place. @param store null where there is none yet */
export function prepareImport(store: Store | null, request: ImportRequest, file: PredictionFile): PreparedImport {
  const { experiment, arm, path, fileName, columns, map, positiveIf, confidenceScale } = request;
  const fault: FileFault = (message, { field, ...place }) =>
    badInput(message, { file: path, ...place, ...(field == null ? {} : { field }) });
  if (arm.trim() === '') throw badInput('the name of the arm is empty', 'arm');
  const whole = importMappingSchema.parse({ v: 1, file: fileName, columns, map, positiveIf, confidenceScale });
  const target =
    store !== null && store.experiments.get(experiment) !== undefined
      ? recordedTarget(store, experiment)
      : draftedTarget({ ...request, name: experiment }, file, whole, fault);
  const mapping = mappingOfPredictions(whole, target);
  const plan = planImport(file, target, mapping, { arm, fault });
  refuseOtherTruths(file, target, whole, fault);
  if (target.draft === null) {
    refuseOtherParts(file.rows, target, columns, fault);
    refuseOtherDefinition(target, request);
  }
  return { target, plan, mapping, fileHash: file.fileHash, file, fault };
}

function tally(labels: CandidateLabels) {
  const own = ownProbabilities(labels);
  const undecided = new Map<string, number>();
  const [cases, replicates] = [new Set<string>(), new Set<number>()];
  let [trials, fresh, decided] = [0, 0, 0];
  return {
    add({ row, replicate }: ImportedTrial, { outcome, prediction, belief }: ReadPrediction, isFresh: boolean): void {
      trials += 1;
      if (isFresh) fresh += 1;
      cases.add(row.case);
      replicates.add(replicate);
      if (prediction !== null && belief !== null) own.add(prediction, belief);
      if (outcome !== 'undecided') decided += 1;
      else {
        const value = saidIn(row).slice(0, longestValue);
        undecided.set(value, (undecided.get(value) ?? 0) + 1);
      }
    },
    counts: () => ({
      trials,
      imported_now: fresh,
      decided,
      undecided: Object.fromEntries([...undecided].toSorted(([, a], [, b]) => b - a).slice(0, mostValues)),
      undecided_trials: trials - decided,
    }),
    own: () => own.found(),
    cases: () => cases.size,
    replicates: () => replicates.size,
  };
}

/** Values that are a label in another spelling. */
function alikeIn(undecided: Readonly<Record<string, number>>, labels: readonly string[]): ImportReport['alike'] {
  const byReading = new Map(labels.map((label) => [readAs(label), label]));
  return Object.entries(undecided).flatMap(([value, trials]) => {
    const label = byReading.get(readAs(value));
    return label === undefined ? [] : [{ value, label, trials }];
  });
}

/** The result of an import. @param store path of the store @param fresh places of the trials that it adds, in order */
export function importReport(
  store: string,
  { target, plan, file, mapping: { columns } }: PreparedImport,
  fresh: readonly number[],
  notes: readonly string[] = [],
): ImportReport {
  const whole = tally(target);
  const arms = new Map([...plan.systems.keys()].map((arm) => [arm, tally(target)]));
  const stated = new Map<string, { trials: number; under_half: number }>();
  let next = 0;
  for (const place of plan.places) {
    const trial = plan.trialAt(place);
    const read = plan.read(trial);
    const isFresh = fresh[next] === place;
    if (isFresh) next += 1;
    whole.add(trial, read, isFresh);
    arms.get(trial.arm)?.add(trial, read, isFresh);
    if (columns.probabilities.length > 0 || read.prediction === null || read.confidence === null) continue;
    const { trials, under_half } = stated.get(read.prediction) ?? { trials: 0, under_half: 0 };
    stated.set(read.prediction, { trials: trials + 1, under_half: under_half + (read.confidence < 0.5 ? 1 : 0) });
  }
  const all = whole.counts();
  const alike = alikeIn(all.undecided, target.labels);
  const mappings = alike.map(({ value, label }) => `--map ${quoted(`${value}=${label}`)}`).join(' ');
  const confidence = confidenceOf(stated, target.labels);
  const counted = [...arms].map(([arm, mine]) => {
    const own = mine.own();
    const system = plan.systems.get(arm) ?? arm;
    const sizes = { cases: mine.cases(), replicates: mine.replicates() };
    return { arm, system, ...sizes, ...mine.counts(), ...(own === null ? {} : { own_probability: own }) };
  });
  const against = ownProbabilityText(counted);
  return {
    experiment: target.definition.name,
    store,
    created: target.draft !== null,
    rows: file.rows.length,
    cases: { on_trial: [...target.cases.values()].filter(Boolean).length, predicted: whole.cases() },
    ...all,
    alike,
    confidence_of: confidence,
    hints: [
      ...alikeHints(alike, ` with ${mappings}`),
      ...(confidence === null
        ? []
        : [
            `${confidenceText(confidence)} If it is, import the file under another arm name with --probability ${quoted(`${confidence.label}=${columns.confidence}`)} in place of --confidence.`,
          ]),
      ...(against === null ? [] : [against]),
    ],
    not_on_trial: plan.notOnTrial,
    labels: [...target.labels],
    positive: target.positive,
    repeats: [...plan.repeats],
    arms: counted,
    notes: [...notes],
  };
}

/** Records what was prepared. Throws bad input, interrupted. @param sign makes a checkpoint, or returns why not as a sentence */
export async function recordImport(
  store: Store,
  prepared: PreparedImport,
  { sign, ...options }: RecordingOptions & { readonly sign: (store: Store) => string | null },
): Promise<ImportReport> {
  const trials = newTrials(store, prepared, prepared.fault);
  await recordTrials(store, prepared, trials, options);
  const unsigned = sign(store);
  return importReport(store.path, prepared, trials, unsigned === null ? [] : [unsigned]);
}

/** Every unused column by its name, and what those could be that look like predictions or scores. */
function unusedHints(
  { columns }: Pick<Inspection, 'columns'>,
  { columns: { probabilities, groups, opinions, ...single }, map }: Pick<ImportMapping, 'columns' | 'map'>,
  { labels }: Pick<ImportReport, 'labels'>,
): string[] {
  const used = new Set([...Object.values(single), ...groups, ...opinions, ...probabilities.map(([, column]) => column)]);
  const unused = columns.filter(({ name }) => !used.has(name));
  if (unused.length === 0) return [];
  const mapped = new Map(map);
  const read = unused.map((column) => ({ ...column, values: column.values?.map((value) => mapped.get(value) ?? value) ?? null }));
  const { labels: decisions, scores } = telling(read, labels);
  const again = 'import the file under another arm name with';
  return [
    `Not used: ${listed(unused.map(({ name }) => name))}.`,
    ...(single.system !== null
      ? []
      : unused.flatMap(({ name, eachOncePer }) =>
          eachOncePer === undefined || eachOncePer !== single.case
            ? []
            : [`Every case has each value of ${quoted(name)} once. If they are systems, ${again} --system ${quoted(name)}.`],
        )),
    ...(single.prediction !== null
      ? []
      : decisions.map(
          (name) => `${quoted(name)} holds labels. If they are what was decided, ${again} --prediction ${quoted(name)}.`,
        )),
    ...(probabilities.length > 0
      ? []
      : scores.map(({ column, scale, why }) =>
          scale === null
            ? `${quoted(column)} has ${why}; such ranks are no probabilities. If it is the prediction, ${again} --prediction ${quoted(column)} --positive-if '>=N'.`
            : `${quoted(column)} has ${why}. If it is how sure each prediction was, whatever it was, ${again} --confidence ${quoted(column)}; if it is the probability of one label, with --probability LABEL=${quoted(column)}, where LABEL is ${labels.map(quoted).join(' or ')}.${scale === 1 ? '' : ' Add --confidence-scale 100.'}`,
        )),
  ];
}

/** How an import is watched and stopped: `reading` counts rows, `recording` trials. */
interface ImportWatch extends WritingWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (phase: 'reading' | 'recording', done: number) => void;
}

/** `assize import-predictions`. A new store is made only once the file has been read and found to be in order. */
export async function importPredictions(
  path: string,
  request: ImportRequest,
  { onProgress, ...watch }: ImportWatch,
): Promise<ImportReport> {
  collectEarly();
  const { columns, confidenceScale } = request;
  const read = () =>
    readPredictions(request.path, {
      columns,
      confidenceScale,
      sheet: request.sheet,
      onProgress: (rows) => onProgress('reading', rows),
    });
  const openKey = signingKey(keptFaults(path));
  const record = (store: Store, prepared: PreparedImport) =>
    recordImport(store, prepared, {
      signal: watch.signal,
      onProgress: (done) => onProgress('recording', done),
      sign: (written) => checkpointAfterRun(written, openKey),
    });
  const remarked = async (report: ImportReport): Promise<ImportReport> => ({
    ...report,
    hints: [...report.hints, ...unusedHints(await inspectFile(request.path, { sheet: request.sheet }), request, report)],
  });
  const exists = existsSync(path) && statSync(path).size > 0;
  if (exists || columns.truth === null) {
    const report = await withWritable(path, { create: false }, watch, async (store) => {
      refuseUnknown(store, request);
      return record(store, prepareImport(store, request, await read()));
    });
    return remarked(report);
  }
  const prepared = prepareImport(null, request, await read());
  return remarked(await withStore(openStore(path, { create: true }), (store) => record(store, prepared)));
}
