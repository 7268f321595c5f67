// Every query by name: those of a few lines here, the others in separate files.
import { basename } from 'node:path';
import type { AssistantsView } from '../../../shared/api/assistants.ts';
import type { CaseDefinition, CasePage, CasePreview, FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import type { CheckpointView } from '../../../shared/api/record.ts';
import type { TranscriptEntry, TrialCheck } from '../../../shared/api/trials.ts';
import type { Damage } from '../../../shared/damage.ts';
import type { EraseReport, EraseTarget } from '../../../shared/erasure.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comment, ReviewResults } from '../../../shared/reviews.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { damageOf } from '../audit/damage.ts';
import { checkTrial } from '../audit/replay.ts';
import type { BundleOptions } from '../bundle/contents.ts';
import { writeBundle } from '../bundle/writeBundle.ts';
import { checkpointView } from '../checkpoint/checkpoints.ts';
import { pageOfCases, previewCases, summarizeCases } from '../dataFiles/caseReading.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import { erase } from '../erase/erase.ts';
import type { VectorSpace } from '../lab/assistant/ledger.ts';
import { assistantVersions } from '../lab/assistant/ledger.ts';
import { type FittedAssistant, fitAssistant, isUnassisted } from '../lab/assistant/statements.ts';
import { neededModels } from '../lab/backends.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { type ExportFormat, type ExportOptions, exportPieces, writeExport } from '../report/export.ts';
import { playersOf } from '../report/players.ts';
import { primaryNow, type StatisticsOptions, statistics } from '../report/statistics.ts';
import { transcriptEntry } from '../report/transcriptEntries.ts';
import { lineReader, plannedAs, withCourse } from '../report/trialLines.ts';
import { saidOfTrial } from '../reviews/ledger.ts';
import { reviewReport } from '../reviews/reviewReport.ts';
import type { DataFileRow } from '../store/dataFiles.ts';
import { parseChain } from '../store/parseChain.ts';
import type { RunRow } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { alikeCases, caseTable, undrawn } from './cases.ts';

import { atPrevalence, calibrated, calibrationChoices, changed, compared, flipped } from './compared.ts';
import { draftData, draftPlan, draftPreview, experimentFacts, importPreview, tryNeed, variedDraft } from './drafts.ts';
import { experiment, experimentList, wantedRuns, withoutFolder } from './experiment.ts';
import { deliberation, protocolFigures } from './figures.ts';
import { findTrial, liveLine, namedTrial } from './findTrial.ts';

import type { FileQuery, Query, TellProgress } from './query.ts';
import { adoption, bundleDifferences, givenRecord, recordCheck, recordFileCheck } from './recordCheck.ts';
import { disagreementPage, givenReviews, reviewPage, signOffPage } from './reviewPage.ts';
import { search } from './search.ts';

import { call, textOf, trial } from './trial.ts';
import { queueCounts, trialPage } from './trialPage.ts';

const erasePreview: Query<EraseTarget, Omit<EraseReport, 'store'>> = {
  async run(store, target) {
    const { store: _path, ...report } = await erase(store, target, false);
    return report;
  },
};

const assistants: Query<{ experiment: string }, AssistantsView> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    const unassisted = frozen.arms.filter((arm) => isUnassisted(frozen, arm));
    const embedders = unassisted.flatMap((arm) => frozen.terms(arm).cast.embedder?.model ?? []);
    return {
      trainable: unassisted.length > 0,
      embedder: embedders[0] ?? null,
      versions: assistantVersions(store, frozen.dataset.id)
        .map(({ payload: { version, at, experiment: name, embedder, training, holdout, standin } }) => ({
          ...{ version, at, experiment: name, embedder, training, holdout, standin },
        }))
        .toReversed(),
    };
  },
};

interface OfExperiment {
  readonly experiment: string;
}
interface OfTrial {
  readonly trial: string;
}
interface DataFile {
  readonly path: string;
  readonly definition: CaseDefinition;
}
interface DataFileRows {
  readonly added: DataFileRow[];
  /** Entry -> names of the experiments that were made from it; of added and bundled ones. */
  readonly experiments: Record<string, string[]>;
}

const noStore = 'no store' as const;

export const queries = {
  adoption,
  alikeCases,
  erasePreview,
  assistants,
  atPrevalence,
  calibrated,
  calibrationChoices,
  call,
  caseTable,
  changed,
  compared,
  deliberation,
  disagreementPage,
  draftData,
  draftPlan,
  draftPreview,
  experiment,
  experimentFacts,
  undrawn,
  flipped,
  importPreview,
  protocolFigures,
  recordCheck,
  recordFileCheck,
  bundleDifferences,
  givenRecord,
  queueCounts,
  players: { run: (store: Store, { experiment }: OfExperiment) => playersOf(store, experiment) },
  reviewPage,
  givenReviews,
  signOffPage,
  search,
  trial,
  trialPage,
  tryNeed,
  variedDraft,
  wantedRuns,
  /** Models that an experiment asks of Ollama servers. Throws not-found for an unknown one. */
  askedModels: {
    run(store: Store, { experiment: name }: OfExperiment): string[] {
      const { definition } = loadFrozen(store, name);
      return [...neededModels(definition)].flatMap(([backend, models]) =>
        definition.backends[backend]?.kind === 'openai' ? [] : [...models.keys()],
      );
    },
  },
  assistantFit: {
    run: (store: Store, { experiment: name, space }: OfExperiment & { space: VectorSpace }): FittedAssistant =>
      fitAssistant(store, name, space),
  },
  inspectDataFile: {
    needs: noStore,
    run: ({ path, ...reading }: { path: string } & FileReading): Promise<Inspection> => inspectFile(path, reading),
  },
  previewDataFile: {
    needs: noStore,
    run: ({ path, definition }: DataFile): Promise<CasePreview> => previewCases(path, definition),
  },
  summarizeDataFile: {
    needs: noStore,
    run: ({ path, definition }: DataFile) => summarizeCases(path, definition),
  },
  dataFileCases: {
    needs: noStore,
    run: ({ path, definition, ...page }: DataFile & Parameters<typeof pageOfCases>[2]): Promise<CasePage> =>
      pageOfCases(path, definition, page),
  },
  /** The data files that were added, and the experiments made from each. */
  dataFileRows: {
    run(store: Store, { bundled }: { bundled: readonly string[] }): DataFileRows {
      const added = store.dataFiles.list();
      const ids = [...bundled, ...added.map(({ id }) => id)];
      return { added, experiments: Object.fromEntries(ids.map((id) => [id, store.runs.ofEntry(id)])) };
    },
    withoutStore: (): DataFileRows => ({ added: [], experiments: {} }),
  },
  /** The text of an experiment file that makes the same experiment, with a data file of the name in it. */
  experimentFile: {
    run: (store: Store, { experiment: name }: OfExperiment): string =>
      `${JSON.stringify(withoutFolder(loadFrozen(store, name).definition), null, 2)}\n`,
  },
  experimentList,
  /** Writes an export to a file that is not there yet. */
  export: {
    run(
      store: Store,
      { experiment: name, trial: id, format, path }: OfExperiment & { trial: string | null; format: ExportFormat; path: string },
    ): null {
      writeExport(exportPieces(store, name, { format, trial: id ?? undefined }), path, { force: false });
      return null;
    },
  },
  /** The report of a trial, or over the experiment, as one page of HTML. */
  report: {
    run: (
      store: Store,
      { experiment: name, ...options }: OfExperiment & Omit<ExportOptions, 'format'>,
      tell: TellProgress,
    ): string => [...exportPieces(store, name, { ...options, format: 'html' }, tell)].join(''),
  },
  /** The comments on a trial; none where it is not on the record yet. */
  comments: {
    run(store: Store, { trial: id }: OfTrial): Comment[] {
      const row = store.trials.get(id);
      return row === undefined ? [] : saidOfTrial(store, row.experiment, id).comments;
    },
  },
  reviewResults: {
    run(store: Store, { experiment: name }: OfExperiment): ReviewResults {
      const { reviews: _r, comments: _c, adjudications: _a, sign_offs: _s, ...results } = reviewReport(store, name);
      return results;
    },
  },
  bundle: {
    async run(
      store: Store,
      { experiment: name, path, ...options }: OfExperiment & BundleOptions & { path: string },
      tell: TellProgress,
    ): Promise<string> {
      const part =
        (from: number, to: number): TellProgress =>
        (each) =>
          tell({ ...each, share: from + (to - from) * each.share });
      const figures = statistics(store, name, { cache: null }, part(0, 0.4));
      return await writeBundle(store, name, figures, path, options, part(0.4, 1));
    },
  },
  /** Whether the chains of an experiment are whole and its rows are what they say. */
  damage: { run: (store: Store, { experiment: name }: OfExperiment): Damage => damageOf(store, name) },
  checkpoint: {
    run: (store: Store, _input: null): CheckpointView => checkpointView(store),
    withoutStore: (): CheckpointView => ({ size: 0, bundle: null, bundle_signers: [], bundle_signed_at: null, checkpoint: null }),
  },
  /** How an experiment was run last; null where it never was from a screen. Throws not-found for an unknown one. */
  runOrder: {
    run(store: Store, { experiment: name }: OfExperiment): Pick<RunRow, 'backend' | 'concurrency' | 'entry'> | null {
      loadFrozen(store, name);
      const row = store.runs.of(name);
      return row === undefined ? null : { backend: row.backend, concurrency: row.concurrency, entry: row.entry };
    },
  },
  primaryNow: { run: (store: Store, { experiment: name }: OfExperiment) => primaryNow(store, name) },
  /** The statistics of an experiment; of the store, its name without its folder. Staged: they are sent as they come. */
  statistics: {
    run(
      store: Store,
      { experiment: name, staged, ...options }: OfExperiment & StatisticsOptions & { staged?: boolean },
      tell: TellProgress,
    ): StatsReport {
      const named = (report: StatsReport) => ({ ...report, store: basename(store.path) });
      let last = { share: 0, what: '' };
      const progress: TellProgress = (newest) => {
        last = newest;
        tell(newest);
      };
      const onStage = staged ? (report: StatsReport) => tell({ ...last, report: named(report) }) : undefined;
      return named(statistics(store, name, options, progress, onStage));
    },
  },
  /** Whether a trial is as it was written and its verdict follows from its answers. */
  trialCheck: {
    async run(store: Store, { trial: id }: OfTrial): Promise<TrialCheck> {
      const { row } = findTrial(store, id);
      if (row === undefined) return { chain: 'intact', replay: 'unfinished', head: null, events: 0, problem: null };
      return checkTrial(store, row);
    },
  },
  /** What came into a trial's chain after a place. `lastSeq` is the given place where nothing did. */
  trialEntries: {
    run(store: Store, { trial: id, after }: OfTrial & { after: number }): { lastSeq: number; entries: TranscriptEntry[] } {
      const events = parseChain(store.events.after(id, after));
      const entries = events.flatMap((event) => transcriptEntry(event, textOf(store)) ?? []);
      return { lastSeq: events.at(-1)?.seq ?? after, entries };
    },
    withoutStore: ({ after }: { after: number }) => ({ lastSeq: after, entries: [] as TranscriptEntry[] }),
  },
  namedTrial: { run: (store: Store, { trial }: OfTrial) => namedTrial(store, trial) },
  trialLine: {
    run(store: Store, { trial: id }: OfTrial): TrialLine {
      const found = findTrial(store, id);
      return withCourse(store, liveLine(store, lineReader(store, found.frozen)(found.trial, found.row)));
    },
  },
  /** Lines of trials of an experiment that have begun, in the given order. */
  trialLines: {
    run(store: Store, { experiment: name, trials }: OfExperiment & { trials: readonly string[] }): TrialLine[] {
      const lineOf = lineReader(store, loadFrozen(store, name));
      return trials.flatMap((id) => {
        const row = store.trials.get(id);
        return row?.experiment === name ? [withCourse(store, liveLine(store, lineOf(plannedAs(row), row)))] : [];
      });
    },
  },
} satisfies Record<string, Query<never, unknown> | FileQuery<never, unknown>>;

type Queries = typeof queries;
export type QueryName = keyof Queries;

type InputOf<Asked> =
  Asked extends FileQuery<infer Input, unknown> ? Input : Asked extends Query<infer Input, unknown> ? Input : never;
type OutputOf<Asked> = Asked extends { run(...words: never[]): infer Output } ? Awaited<Output> : never;

export type QueryInput<Name extends QueryName> = InputOf<Queries[Name]>;
export type QueryOutput<Name extends QueryName> = OutputOf<Queries[Name]>;
