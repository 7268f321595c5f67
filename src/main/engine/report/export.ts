// Writes an experiment as CSV, JSON Lines or HTML.
import { existsSync, openSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { answerText } from '../../../core/figures/outcomeText.ts';
import { assistantChain, experimentChain, isTrialChain, preparationChain, reviewChain } from '../../../core/record/identity.ts';
import { csvLine } from '../../../core/text/csv.ts';
import { AssizeError, badInput, systemCode } from '../../../shared/errors.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { ReportPart } from '../../../shared/reportParts.ts';
import { reviewRowSchema } from '../../../shared/reviews.ts';
import { type TrialLine, trialLineColumns } from '../../../shared/trialLine.ts';
import { type BadRecord, faultOfKind } from '../audit/chain.ts';
import { damageOf, faultText, refusedExport, textFaultOf } from '../audit/damage.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { reviewRows } from '../reviews/reviewReport.ts';
import type { Store } from '../store/store.ts';
import { isAlive } from '../temporaryFolder.ts';
import { publish } from '../wholeFile.ts';
import { caseRows, confidencesText } from './caseRows.ts';
import { experimentReport, type RecordFaults } from './html/experiment/experimentReport.ts';
import { trialReport } from './html/trialReport.ts';
import { statistics, type TellStatistics } from './statistics.ts';
import { statisticsFolder } from './statisticsCache.ts';
import { trialLines, withCourse } from './trialLines.ts';

export const exportFormats = [
  'trials-csv',
  'trials-jsonl',
  'cases-csv',
  'reviews-csv',
  'reviews-jsonl',
  'events-jsonl',
  'html',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Exports a record that fails its check all the same, and says so in the export. */
  readonly damaged?: boolean | undefined;
  /** Trial id: nothing but this one. Without it `html` is the report over the experiment, which takes as long as its statistics. */
  readonly trial?: string | undefined;
  /** Of a report over an experiment: share of the positive label in another population, for predictive values there. */
  readonly prevalence?: number | undefined;
  /** Of the report of a trial: parts to leave out, which the report says. */
  readonly without?: readonly ReportPart[] | undefined;
}

/** What fails its check; null where the record is sound. What trials share counts for each of them. */
type Faults = RecordFaults | null;

type Lines = Iterable<{ readonly trial: string | null }>;

function* csv(columns: readonly string[], lines: Lines, faults: Faults): Generator<string> {
  yield csvLine(faults === null ? columns : [...columns, 'damage']);
  for (const line of lines) {
    const cells = columns.map((column) => (line as Record<string, unknown>)[column]);
    yield csvLine(faults === null ? cells : [...cells, damageIn(line, faults)]);
  }
}

function* jsonl(lines: Lines, faults: Faults): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(faults === null ? line : { ...line, damage: damageIn(line, faults) })}\n`;
}

const damageIn = ({ trial }: { readonly trial: string | null }, faults: RecordFaults) =>
  trial === null ? faults.first : faults.of(trial);

const trialColumns = ({ arms, definition, changeOf }: FrozenExperiment) =>
  trialLineColumns({
    prompts: arms.some(({ prompts }) => prompts !== undefined),
    weight: definition.dataset.weight !== undefined,
    decided_by: definition.dataset.label?.decidedBy !== undefined,
    change: arms.some(({ name }) => changeOf(name) !== undefined),
  });

function* exportedLines(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<TrialLine> {
  for (const line of trialLines(store, frozen, trial)) yield withCourse(store, line);
}

/** A row a case: each arm's answers with counts where they differ, then how sure (0-1) each trial was, in the order of the answers. */
function* caseLines(store: Store, frozen: FrozenExperiment, trial: string | undefined, faults: Faults): Generator<string> {
  const arms = frozen.arms.map(({ name }) => name);
  const { groups } = frozen.definition.dataset;
  const damage = (cell: string) => (faults === null ? [] : [cell]);
  const confidences = arms.map((arm) => `confidence of ${arm}`);
  yield csvLine(['case', 'truth', ...groups, ...arms, ...confidences, ...damage('damage')]);
  for (const row of caseRows(trialLines(store, frozen, trial), arms, frozen.sample())) {
    const answers = row.cells.map((cell) =>
      cell.map((each) => `${answerText(each)}${cell.length > 1 ? ` (${each.trials})` : ''}`).join('; '),
    );
    const fault = row.cells.flat().flatMap((each) => (faults === null ? [] : (damageIn(each, faults) ?? [])))[0];
    yield csvLine([
      row.case,
      predictionText(row.truth),
      ...groups.map((column) => row.groups[column]),
      ...answers,
      ...row.cells.map(confidencesText),
      ...damage(fault ?? ''),
    ]);
  }
}

const reviewsOf = (store: Store, { name }: FrozenExperiment, trial: string | undefined) =>
  reviewRows(store, name).filter((row) => trial === undefined || row.trial === trial);

/** Names of the chains that an experiment rests on; those that were never begun are among them. */
export function chainsOf(store: Store, frozen: FrozenExperiment): string[] {
  const { manifest } = store.datasets.get(frozen.dataset.id);
  const shared = [
    experimentChain(frozen.name),
    preparationChain(frozen.name),
    reviewChain(frozen.name),
    ...(manifest === null ? [] : [assistantChain(manifest)]),
  ];
  return [...shared, ...frozen.trials().map(({ id }) => id)];
}

/** Events exactly as stored: `payload` is the stored text, so that its hash can be checked with only the export. */
export function* eventLines(store: Store, chains: readonly string[]): Generator<string> {
  for (const chain of chains) {
    for (const { seq, kind, payload, prevHash, hash } of store.events.chain(chain)) {
      const line = {
        trial: chain,
        seq,
        kind,
        payload: payload.toString('utf8'),
        prev_hash: prevHash.toString('hex'),
        hash: hash.toString('hex'),
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

const events = (store: Store, frozen: FrozenExperiment, trial: string | undefined) =>
  eventLines(store, trial === undefined ? chainsOf(store, frozen) : [trial]);

function* report(
  store: Store,
  frozen: FrozenExperiment,
  trial: string | undefined,
  faults: Faults,
  tell: TellStatistics,
  { prevalence, without }: Pick<ExportOptions, 'prevalence' | 'without'> = {},
): Generator<string> {
  if (trial !== undefined)
    yield trialReport(store, frozen.name, trial, { fault: faults?.of(trial) ?? null, without: without ?? [] });
  else {
    const found = statistics(store, frozen.name, { cache: statisticsFolder(), prevalence }, tell);
    tell({ share: 1, what: 'reading who answered' });
    yield experimentReport(store, found, faults);
  }
}

type Writer = (...about: Parameters<typeof report>) => Iterable<string>;
const writers: Readonly<Record<ExportFormat, Writer>> = {
  'trials-csv': (store, frozen, trial, faults) => csv(trialColumns(frozen), exportedLines(store, frozen, trial), faults),
  'trials-jsonl': (store, frozen, trial, faults) => jsonl(exportedLines(store, frozen, trial), faults),
  'cases-csv': caseLines,
  'reviews-csv': (store, frozen, trial, faults) =>
    csv(Object.keys(reviewRowSchema.shape), reviewsOf(store, frozen, trial), faults),
  'reviews-jsonl': (store, frozen, trial, faults) => jsonl(reviewsOf(store, frozen, trial), faults),
  'events-jsonl': events,
  html: report,
};

/** Faults of an experiment, or of one trial of it and what it shares. Throws bad input where there are some, unless they are to be exported. */
function faultsOf(store: Store, experiment: string, { trial, damaged }: ExportOptions): Faults {
  const { first, damaged: all } = damageOf(store, experiment);
  const concerns = (id: string | undefined) => (fault: BadRecord) =>
    id === undefined || fault.trial === id || fault.trial === null || !isTrialChain(fault.trial);
  // Of more faults than are named, each trial may be one.
  const unnamed: BadRecord | undefined =
    all > first.length ? faultOfKind('trials', `${all} parts of the record fail their check`) : undefined;
  const found = first.find(concerns(trial)) ?? unnamed ?? textFaultOf(store, experiment, trial);
  if (found === null) return null;
  if (damaged !== true) {
    throw refusedExport(store, found, '--damaged exports it all the same and says so in the export');
  }
  return {
    first: faultText(found),
    of(id) {
      const fault = first.find(concerns(id)) ?? unnamed ?? (concerns(id)(found) ? found : undefined);
      return fault === undefined ? null : faultText(fault);
    },
  };
}

/** The pieces of an export, in order. Throws not-found for an unknown experiment and bad input for an unknown trial or a damaged record. */
export function* exportPieces(
  store: Store,
  experiment: string,
  options: ExportOptions,
  tell: TellStatistics = () => undefined,
): Generator<string> {
  const { format, trial } = options;
  const frozen = loadFrozen(store, experiment);
  if (trial !== undefined && !frozen.trials().some(({ id }) => id === trial)) {
    throw badInput(`experiment ${JSON.stringify(experiment)} has no trial ${JSON.stringify(trial)}`, '--trial');
  }
  yield* writers[format](store, frozen, trial, faultsOf(store, experiment, options), tell, options);
}

function openPartial(path: string, folder: string, mode: number): number {
  try {
    return openSync(path, 'w', mode);
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    throw badInput(`nothing can be written into this folder (${code}); check its permissions`, { file: folder, field: '--out' });
  }
}

/** Throws bad input rather than replace the store that is exported. */
export function refuseStoreItself(store: string, out: string): void {
  if (existsSync(store) && existsSync(out) && realpathSync(store) === realpathSync(out))
    throw badInput('this is the store itself; name another file', { file: out, field: '--out' });
}

/** What a program that was killed left of the same file. */
function removeLeft(folder: string, name: string): void {
  for (const found of readdirSync(folder)) {
    const pid = found.startsWith(`.${name}.`) ? /^(\d+)\.partial$/.exec(found.slice(name.length + 2))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, found), { force: true });
  }
}

/** Where a file is written before it is whole. Throws output-exists without `force`, bad input for a place that takes no file. */
export function partialPath(path: string, { force }: { force: boolean }): string {
  if (existsSync(path)) {
    const stats = statSync(path);
    if (stats.isDirectory()) throw badInput('this is a folder; name a file', { file: path, field: '--out' });
    // It would be replaced, not written to.
    if (!stats.isFile())
      throw badInput('this is not a regular file; name another one, or - for stdout', { file: path, field: '--out' });
    if (!force)
      throw new AssizeError('output-exists', 'the file is there already', {
        file: path,
        remedy: { command: 'use --force to replace it' },
      });
  }
  const folder = dirname(path);
  if (!existsSync(folder)) throw badInput('the folder does not exist; make it first', { file: folder, field: '--out' });
  if (!statSync(folder).isDirectory())
    throw badInput('this is a file, and no file can be in it', { file: folder, field: '--out' });
  removeLeft(folder, basename(path));
  return join(folder, `.${basename(path)}.${process.pid}.partial`);
}

/** Writes an export to a file that appears only when it is whole. Throws as `partialPath` does. */
export function writeExport(
  pieces: Iterable<string | Uint8Array>,
  path: string,
  options: { force: boolean; mode?: number },
): void {
  const partial = partialPath(path, options);
  // Without a mode it has what the store has, which no one else may read.
  publish(openPartial(partial, dirname(path), options.mode ?? 0o600), partial, path, pieces);
}
