// Writes an experiment as CSV, JSON Lines or HTML.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { assistantChain, experimentChain, preparationChain } from '../../../core/record/identity.ts';
import { csvLine } from '../../../core/text/csv.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { trialLineColumns } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { trialReport } from './html/trialReport.ts';
import { trialLines } from './trialLines.ts';

export const exportFormats = ['trials-csv', 'trials-jsonl', 'events-jsonl', 'html'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Trial id: nothing but this one. `html` is of one trial, and needs it where the experiment has several. */
  readonly trial?: string | undefined;
}

function* csv(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  const columns = trialLineColumns(frozen.arms.some(({ prompts }) => prompts !== undefined));
  yield csvLine(columns);
  for (const line of trialLines(store, frozen, trial)) yield csvLine(columns.map((column) => line[column]));
}

function* jsonl(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  for (const line of trialLines(store, frozen, trial)) yield `${JSON.stringify(line)}\n`;
}

/** Events exactly as stored: `payload` is the stored text, so that its hash can be checked from the export alone. */
function* events(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  const { manifest } = store.datasets.get(frozen.dataset.id);
  const shared = [
    experimentChain(frozen.name),
    preparationChain(frozen.name),
    ...(manifest === null ? [] : [assistantChain(manifest)]),
  ];
  const chains = trial === undefined ? [...shared, ...frozen.trials().map(({ id }) => id)] : [trial];
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

function* report(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  const [only, ...more] = trial === undefined ? frozen.trials() : [{ id: trial }];
  if (only === undefined || more.length > 0) {
    throw badInput(
      `a report is of one trial and experiment ${JSON.stringify(frozen.name)} has ${more.length + (only ? 1 : 0)}; name one of those that trials-jsonl lists`,
      { field: '--trial' },
    );
  }
  yield trialReport(store, frozen.name, only.id);
}

const writers = { 'trials-csv': csv, 'trials-jsonl': jsonl, 'events-jsonl': events, html: report } as const;

/** The pieces of an export, in order. Throws not-found for an unknown experiment and bad input for an unknown trial. */
export function* exportPieces(store: Store, experiment: string, { format, trial }: ExportOptions): Generator<string> {
  const frozen = loadFrozen(store, experiment);
  if (trial !== undefined && !frozen.trials().some(({ id }) => id === trial)) {
    throw badInput(`experiment ${JSON.stringify(experiment)} has no trial ${JSON.stringify(trial)}`, { field: '--trial' });
  }
  yield* writers[format](store, frozen, trial);
}

function openPartial(path: string, folder: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw badInput(`nothing can be written into this folder (${code}); check its permissions`, { file: folder, field: '--out' });
  }
}

/** Writes an export to a file that appears only when it is whole. Throws output-exists without `force`. */
export function writeExport(pieces: Iterable<string | Uint8Array>, path: string, { force }: { force: boolean }): void {
  if (existsSync(path)) {
    const stats = statSync(path);
    if (stats.isDirectory()) throw badInput('this is a folder; name a file', { file: path, field: '--out' });
    // It would be replaced, not written to.
    if (!stats.isFile())
      throw badInput('this is not a regular file; name another one, or - for stdout', { file: path, field: '--out' });
    if (!force) throw new AssizeError('output-exists', 'the file is there already; use --force to replace it', { file: path });
  }
  const folder = dirname(path);
  if (!existsSync(folder)) throw badInput('the folder does not exist; make it first', { file: folder, field: '--out' });
  if (!statSync(folder).isDirectory())
    throw badInput('this is a file, and no file can be in it', { file: folder, field: '--out' });
  const partial = join(folder, `.${basename(path)}.${process.pid}.partial`);
  const file = openPartial(partial, folder);
  try {
    try {
      for (const piece of pieces) writeFileSync(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
