import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { trialLineColumns } from '../../../shared/trialLine.ts';
import { experimentChain } from '../../../core/record/identity.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { csvLine } from './csv.ts';
import { trialLines } from './trialLines.ts';

export const exportFormats = ['trials-csv', 'trials-jsonl', 'events-jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Trial id: nothing but this one. */
  readonly trial?: string | undefined;
}

function* csv(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  yield csvLine(trialLineColumns);
  for (const line of trialLines(store, frozen, trial)) yield csvLine(trialLineColumns.map((column) => line[column]));
}

function* jsonl(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  for (const line of trialLines(store, frozen, trial)) yield `${JSON.stringify(line)}\n`;
}

/** Events exactly as stored: `payload` is the stored text, so that its hash can be checked from the export alone. */
function* events(store: Store, frozen: FrozenExperiment, trial: string | undefined): Generator<string> {
  const chains = trial === undefined ? [experimentChain(frozen.name), ...frozen.trials().map(({ id }) => id)] : [trial];
  for (const chain of chains) {
    for (const { seq, kind, payload, prevHash, hash } of store.events.chain(chain)) {
      const line = { trial: chain, seq, kind, payload: payload.toString('utf8'), prev_hash: prevHash.toString('hex'), hash: hash.toString('hex') };
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

const writers = { 'trials-csv': csv, 'trials-jsonl': jsonl, 'events-jsonl': events } as const;

/** The pieces of an export, in order. Throws not-found for an unknown experiment and bad input for an unknown trial. */
export function* exportPieces(store: Store, experiment: string, { format, trial }: ExportOptions): Generator<string> {
  const frozen = loadFrozen(store, experiment);
  if (trial !== undefined && !frozen.trials().some(({ id }) => id === trial)) {
    throw badInput(`experiment ${JSON.stringify(experiment)} has no trial ${JSON.stringify(trial)}`, { field: '--trial' });
  }
  yield* writers[format](store, frozen, trial);
}

/** Writes an export to a file that appears only when it is whole. Throws output-exists without `force`. */
export function writeExport(pieces: Iterable<string>, path: string, { force }: { force: boolean }): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) throw badInput('this is a folder; name a file', { file: path, field: '--out' });
    if (!force) throw new AssizeError('output-exists', 'the file is there already; use --force to replace it', { file: path });
  }
  if (!existsSync(dirname(path))) throw badInput('the folder does not exist; make it first', { file: dirname(path), field: '--out' });
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.partial`);
  const file = openSync(partial, 'w');
  try {
    for (const piece of pieces) writeSync(file, piece);
    fsyncSync(file);
    closeSync(file);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
