// What the commands do, one function each: the face of the engine for the command line.
import { existsSync } from 'node:fs';
import type { TrainReport } from '../../shared/assistants.ts';
import { problem } from '../../shared/checks.ts';
import type { ReportComparison, RunReportJson, StudyReport, TryReport, WeightsReport } from '../../shared/commandOutputs.ts';
import type { Differences } from '../../shared/differences.ts';
import { AssizeError, diskError } from '../../shared/errors.ts';
import { type Moderation, type ModerationReport, moderationSchema } from '../../shared/moderation.ts';
import type { PlanReport, ReplayReport, VerifyReport } from '../../shared/outputs.ts';
import type { Part } from '../../shared/part.ts';
import type { OptimiseReport } from '../../shared/promptOutputs.ts';
import type { Rest } from '../../shared/rest.ts';
import type { ReviewReport } from '../../shared/reviews.ts';
import { replayStore } from './audit/replay.ts';
import type { VerifyOptions } from './audit/verify.ts';
import type { Dataset } from './datasets/dataset.ts';
import { openMachine } from './hardware/machine.ts';
import { type TrainRequest, trainByRequest } from './lab/assistant/train.ts';
import { connectBackends, overrideUrl } from './lab/backends.ts';
import { noPastCalls, type PastCalls, pastCalls, withMeasured } from './lab/callEstimate.ts';
import { askedOf, readExperiment, readExperimentData } from './lab/experimentFile.ts';
import { fitChecksOf, measureModels } from './lab/fitChecks.ts';
import { checkAgainstRecord, saysTheSame } from './lab/freeze.ts';
import { loadFrozen } from './lab/frozen.ts';
import { readJsonFile } from './lab/jsonFile.ts';
import { callsAtATime, poolsIn } from './lab/lanes.ts';
import { answerModeration, onlyWaiting, waitingTrials } from './lab/moderation.ts';
import { lookAhead } from './lab/ollamaForRun.ts';
import { type OptimiseRequest, prepareSearch, searchInstructions } from './lab/optimise.ts';
import { partOf, refuseUnfitPart } from './lab/part.ts';
import { planExperiment, withChecks } from './lab/plan.ts';
import type { PreparedExperiment } from './lab/preparedArm.ts';
import { recordedVariant } from './lab/promptVariants.ts';
import { dataWith } from './lab/recordedData.ts';
import { type RecordedProgress, recordedProgress, restOf } from './lab/recordedProgress.ts';
import { learntWeights } from './lab/seatWeights.ts';
import { type PreparedStudy, readStudy, studyReport } from './lab/study.ts';
import { prepareTry, type TryRequest } from './lab/tryOut.ts';
import { memoryIn } from './models/library/fits.ts';
import { type ExportOptions, exportPieces, refuseStoreItself, writeExport } from './report/export.ts';
import { noteLookAt, type ReportWatch } from './report/reports.ts';
import { transcript } from './report/transcript.ts';
import { reviewReport } from './reviews/reviewReport.ts';
import { type RunRequest, runPrepared, withDispatcher } from './runPrepared.ts';
import { keptFaults } from './service/knownFaults.ts';
import { freeForStore } from './store/location.ts';
import { type ProjectingWatch, rebuildTrials } from './store/projecting.ts';
import { openStore, openStoreReadOnly, type Store } from './store/store.ts';
import { type WritingWatch, withStore, withWritable } from './store/withStore.ts';

export { partialFields } from '../../core/answers/partialFields.ts';
export { certaintyText } from '../../core/figures/certainty.ts';
export { speakerName, theSpeaker } from '../../core/figures/speakers.ts';
export { planRows } from '../../core/matrix/planRows.ts';
export { estimate, isAdvice, type Piece } from '../../core/telling/cells.ts';
export { withArmNames } from '../../core/telling/forReaders.ts';
export { reviewPieces } from '../../core/telling/reviewTables.ts';
export { detailText, eventText, lostEnds, lostEndText } from '../../core/telling/runEvents.ts';
export { statisticsParts } from '../../core/telling/statisticsTables.ts';
export { heardInPlace, notHeard } from '../../core/telling/unheard.ts';
export { markedChanges } from '../../core/text/differences.ts';
export { segmentsOf } from '../../core/text/visible.ts';
export { energyWords } from '../../shared/energy.ts';
export {
  attach,
  checkpoint,
  cosignFile,
  proveExtension,
  proveTrial,
  readCheckpoint,
  readVerifierKeys,
  timeStamp,
  userKeyReport,
  verifyProof,
} from './checkpoint/commands.ts';
export { commandText, ownCall } from './commandText.ts';
export { nearest } from './datasets/spelling.ts';
export { examine } from './doctor/examine.ts';
export { eraseInStore, erasePreview } from './erase/erase.ts';
export { importPredictions } from './imports/importPredictions.ts';
export type { CallListener } from './lab/countedCalls.ts';
export type { RunProgress } from './lab/progressMeter.ts';
export { keepVariant, promptsReport, readVariantFile, readVariantText, shippedAsVariant } from './lab/promptVariants.ts';
export type { RunOptions } from './lab/runner.ts';
export { varyExperiment } from './lab/vary.ts';
export { ollamaHostUrl, usualOllamaUrl } from './models/daemon/answer.ts';
export { biasHelp, readBias } from './models/demo/bias.ts';
export { startDemoServer } from './models/demo/demoServer.ts';
export { onlyPace, profileHelp, readProfile } from './models/demo/profiles.ts';
export type { ModelManager } from './models/library/modelManager.ts';
export { withModels } from './models/library/modelManager.ts';
export { adopt, type CopyProgress, merge, refuseExisting } from './newStores.ts';
export { needChromium, printPdf } from './pdf/print.ts';
export { openPermissions } from './permissions.ts';
export { exportFormats, writeExport } from './report/export.ts';
export { casesOnTrial, exportBundle, exportReport, reportPage, stats, withRecord } from './report/reports.ts';
export { defaultResamples } from './report/statistics.ts';
export { statisticsFolder } from './report/statisticsCache.ts';
export { show, shownOf, showRuns } from './show.ts';
export { refuseForeignPath, resolveStorePath } from './store/location.ts';
export { elsewhereOf } from './store/store.ts';
export { programVersion } from './version.ts';
export { writeWholeFile } from './wholeFile.ts';

/** What is asked of a run where nothing else is said. */
const usual = { url: undefined, allowedHosts: [], concurrency: null, maxTrials: null, retry: [], onProgress: () => undefined };
type Asked<Request extends { readonly store: string }> = Pick<Request, 'store'> & Partial<Request>;
const asked = <Request>(request: Request) => ({ ...usual, signal: new AbortController().signal, ...request });

export async function run(path: string, request: Asked<RunRequest>): Promise<RunReportJson> {
  return runPrepared(readExperiment(path), asked(request));
}

/** `assize study`: runs what is left of each data set, one after the other. All of them are checked before anything is asked. */
export async function runStudy(
  path: string,
  request: Omit<RunRequest, 'maxTrials'> & { readonly onDataset: (name: string) => void },
): Promise<{ report: StudyReport; failed: boolean }> {
  const prepared = await readStudy(path);
  if (existsSync(request.store)) {
    await withStore(openStoreReadOnly(request.store), async (store) => {
      for (const experiment of prepared.experiments) checkAgainstRecord(store, experiment, await readExperimentData(experiment));
    });
  }
  let failed = false;
  for (const [index, experiment] of prepared.experiments.entries()) {
    request.onDataset(prepared.study.datasets[index]?.name ?? '');
    const { done, decided } = await runPrepared(experiment, { ...request, maxTrials: null });
    failed ||= decided < done;
  }
  return { report: await showPrepared(prepared, request.store), failed };
}

/** `assize optimise`. Everything is checked before anything is asked; what the record has of the search is not run again. */
export async function optimise(
  path: string,
  wanted: OptimiseRequest,
  request: Omit<RunRequest, 'maxTrials'> & { readonly onStep: (what: string) => void },
): Promise<{ report: OptimiseReport; winner: string | null }> {
  const search = await prepareSearch(path, wanted);
  const run = (prepared: PreparedExperiment, what: string) => {
    request.onStep(what);
    return runPrepared(prepared, { ...request, maxTrials: null });
  };
  const read = <T>(action: (store: Store) => T) => withStore(openStoreReadOnly(request.store), action);
  return searchInstructions(search, request.store, run, read);
}

async function showPrepared(prepared: PreparedStudy, path: string): Promise<StudyReport> {
  const report = await withStore(openStoreReadOnly(path), (store) => store.read(() => studyReport(store, prepared)));
  for (const { experiment, cases } of report.datasets) if (cases !== null) await noteLookAt(path, experiment);
  return report;
}

/** `assize study --show`: the table of what is on the record. */
export const showStudy = async (path: string, store: string): Promise<StudyReport> => showPrepared(await readStudy(path), store);

/** `assize run --plan`: what a run would take. The store is not touched, and no model but to measure it. */
export async function plan(
  path: string,
  given: Asked<Omit<RunRequest, 'maxTrials'>> & { readonly measure?: boolean },
): Promise<PlanReport> {
  const request = asked(given);
  const prepared = readExperiment(path);
  const data = await dataWith(prepared, request.store);
  if (request.part !== undefined) await refuseUnfitPart(prepared, data);
  const { experiment } = prepared;
  const backends = overrideUrl(experiment.backends, request.url);
  const { played, needed } = askedOf(prepared);
  const { missing, answerer, slots, fits, measured } = await withDispatcher(request.allowedHosts, async (dispatcher) => {
    const found = await lookAhead(dispatcher, { ...experiment, backends }, needed, request, poolsIn(played));
    const memory = async () => memoryIn(await (request.hardware?.machine ?? openMachine()).reading());
    const fits = await fitChecksOf(dispatcher, { ...experiment, backends }, needed, { ...request, memory });
    const servers = connectBackends(dispatcher, backends, experiment.runtime);
    const measured = request.measure === true ? await measureModels(servers, played, request.signal) : null;
    return { ...found, fits, measured };
  });
  const missingModels = missing === null ? null : missing.map(({ model }) => model);
  const asRun = { ...prepared, experiment: { ...experiment, backends } };
  const { past = noPastCalls, ...progress } = await progressOf(prepared, data, request.store, request.part);
  const report = await planExperiment(asRun, data, {
    ...progress,
    part: request.part,
    past: withMeasured(past, measured?.speeds ?? []),
    missingModels,
    answerer,
    slots: Math.max(...[...needed.keys()].map((name) => slots.get(name) ?? Number.POSITIVE_INFINITY)),
  });
  const gone = (missing ?? []).map(({ model, remedy }) => problem(`model ${model} is missing`, remedy));
  const { reproducible } = experiment.runtime;
  const atATime = [...needed.keys()].map((name) => {
    const calls = callsAtATime(backends[name] ?? {}, request.concurrency, slots.get(name) ?? null);
    return [name, reproducible ? 1 : calls] as const;
  });
  return {
    ...withChecks(report, [...gone, ...fits, ...(measured?.checks ?? [])], freeForStore(request.store)),
    calls_at_a_time: Object.fromEntries(atATime),
  };
}

/** What the record has of the experiment, and what it shows of the speed of models. */
async function progressOf(
  prepared: PreparedExperiment,
  data: Dataset,
  path: string,
  part: Part | undefined,
): Promise<Partial<RecordedProgress> & Pick<RecordedProgress, 'done'> & { past?: PastCalls; rest?: Rest | null | undefined }> {
  let store: Store;
  try {
    store = openStoreReadOnly(path);
  } catch (error) {
    if (error instanceof AssizeError && error.code === 'not-found') return { done: new Map() };
    throw error;
  }
  return withStore(store, () => {
    checkAgainstRecord(store, prepared, data);
    const { name } = prepared.experiment;
    const frozen = store.experiments.get(name) === undefined ? null : loadFrozen(store, name);
    const rest = frozen !== null && saysTheSame(frozen, prepared, data) ? restOf(store, partOf(frozen, part)) : undefined;
    return { ...recordedProgress(store, name, part), past: pastCalls(store, data), rest };
  });
}

/** `assize try`: one case, in words, on trial at once. */
export async function tryCase(
  request: TryRequest,
  options: Omit<RunRequest, 'url' | 'retry' | 'maxTrials' | 'concurrency'>,
): Promise<TryReport> {
  const prepared = prepareTry(request, new Date());
  try {
    await runPrepared(prepared, { ...options, url: undefined, retry: [], maxTrials: null, concurrency: null });
  } catch (thrown) {
    const error = diskError(thrown);
    if (!(error instanceof AssizeError) || (error.code !== 'interrupted' && error.code !== 'disk')) throw error;
    const kept = `what was said so far is kept as ${prepared.experiment.name}: Continue on the screens continues it, and another try starts from the beginning`;
    if (error.code === 'disk') throw error.at({ remedy: { command: kept, screen: kept } });
    throw new AssizeError('interrupted', `interrupted; ${kept}`);
  }
  return withStore(openStoreReadOnly(options.store), (store) => transcript(store, prepared.experiment.name));
}

/** `assize moderate`: the trials that wait for their moderator, after one of them was answered if an answer is given. */
export function moderate(
  path: string,
  experiment: string,
  answer: { readonly trial: string | undefined; readonly moderation: Moderation } | null,
  watch: WritingWatch = {},
): Promise<ModerationReport> {
  const report = (store: Store, answered: string | null): ModerationReport => ({
    experiment,
    store: path,
    answered,
    waiting: waitingTrials(store, experiment),
  });
  if (answer === null) return withStore(openStoreReadOnly(path), (store) => store.read(() => report(store, null)));
  return withWritable(path, { create: false, durability: 'full' }, watch, (store) => {
    const trial = answer.trial ?? onlyWaiting(waitingTrials(store, experiment));
    answerModeration(store, experiment, trial, answer.moderation);
    return report(store, trial);
  });
}

/** `assize reviews`: what people judged of an experiment. */
export async function reviewsReport(path: string, experiment: string): Promise<ReviewReport> {
  const report = await withStore(openStoreReadOnly(path), (store) => store.read(() => reviewReport(store, experiment)));
  await noteLookAt(path, experiment);
  return report;
}

/** A moderator's answer in a file. Throws bad input with file, line and field. */
export const readModeration = (path: string): Moderation => readJsonFile(path).parse(moderationSchema);

/** `assize train-assistant`. Throws bad-input where there is too little to learn from, interrupted when the signal fires. */
export async function train(path: string, request: TrainRequest & WritingWatch): Promise<TrainReport> {
  const { openQueryPool } = await import('./queries/pool.ts');
  return withWritable(path, { create: false }, request, async (store) => {
    const pool = openQueryPool(path);
    try {
      return await withDispatcher(request.allowedHosts, (dispatcher) =>
        trainByRequest(store, dispatcher, request, (input) => pool.run('assistantFit', input, request.signal)),
      );
    } finally {
      await pool.close();
    }
  });
}

export interface ExportRequest extends ExportOptions {
  readonly experiment: string;
  readonly out: string;
  readonly force: boolean;
}

/** `assize rebuild`: remakes the rows of all trials from the record. Returns how many trials there are. */
export const rebuild = (path: string, watch: ProjectingWatch): Promise<number> =>
  withStore(openStore(path, { create: false }), (store) => rebuildTrials(store, watch));

/** `assize export` to a file. Throws bad input rather than replace the store that is exported. */
export function exportToFile(path: string, { experiment, out, force, ...options }: ExportRequest): Promise<void> {
  refuseStoreItself(path, out);
  return withStore(openStoreReadOnly(path), (store) =>
    store.read(() => writeExport(exportPieces(store, experiment, options), out, { force })),
  );
}

/** `assize export --out -`: pieces go to `write` in order. */
export function exportToStream(
  path: string,
  experiment: string,
  options: ExportOptions,
  write: (piece: string) => void,
): Promise<void> {
  return withStore(openStoreReadOnly(path), (store) =>
    store.read(() => {
      for (const piece of exportPieces(store, experiment, options)) write(piece);
    }),
  );
}

/** `assize prompts export`. */
export const recordedPrompts = (path: string, experiment: string, arm: string): Promise<string> =>
  withStore(openStoreReadOnly(path), (store) => recordedVariant(store, experiment, arm));

/** `assize verify`. What it finds of a whole store is known from then on, also to the screens. */
export async function verify(path: string, options: VerifyOptions): Promise<VerifyReport> {
  const { verifyFile } = await import('./bundle/unpackBundle.ts');
  const noteFound = keptFaults(path).checking();
  const report = await verifyFile(path, options);
  // Whether it fits what somebody has of an earlier day is no fault of the record.
  if (report.kind === 'store' && options.since === undefined && options.resume === undefined) noteFound(report);
  return report;
}

/** `assize verify --against`. Throws bad-input for what is no bundle, store-unreadable for one that cannot be read. */
export async function compareBundles(path: string, other: string, field: string): Promise<Differences> {
  const { compareBundles: compare } = await import('./bundle/differences.ts');
  return compare(path, other, field);
}

/** `assize verify REPORT --against STORE|BUNDLE`; undefined where the first file is no report. Throws bad-input and store-unreadable. */
export async function compareReport(path: string, record: string, watch: ReportWatch): Promise<ReportComparison | undefined> {
  const { compareReport: compare, isReport } = await import('./bundle/compareReport.ts');
  return isReport(path) ? compare(path, record, watch) : undefined;
}

/** What the votes of an arm's judges or voters should count. Throws not-found and bad input. */
export const seatWeightsOf = (path: string, experiment: string, arm: string): Promise<WeightsReport> =>
  withStore(openStoreReadOnly(path), (store) => learntWeights(store, experiment, arm));

/** `assize replay`. Throws bad input for an unknown trial, store-unreadable for a store without trials. */
export function replay(
  path: string,
  trial: string | undefined,
  onProgress: (done: number, of: number) => void,
): Promise<ReplayReport> {
  return withStore(openStoreReadOnly(path), (store) => {
    const all = store.trials.all();
    const rows = trial === undefined ? all : all.filter((row) => row.trial === trial);
    if (all.length === 0)
      throw new AssizeError('store-unreadable', 'the store holds no trials. A copied store needs its -wal file next to it', {
        file: path,
      });
    if (rows.length === 0)
      throw new AssizeError('not-found', `there is no trial ${JSON.stringify(trial)} in the store`, {
        file: path,
        field: '--trial',
      });
    return replayStore(store, rows, (done) => onProgress(done, rows.length));
  });
}
