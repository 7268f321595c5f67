// What the commands do with reports and bundles. Threads, and what unpacks a bundle, are loaded only when they are needed.
import { renameSync, rmSync } from 'node:fs';
import { AssizeError } from '../../../shared/errors.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { BundleOptions } from '../bundle/contents.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { countLook, noteLook } from '../lab/looks.ts';
import { openStore, openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { type ExportOptions, partialPath, refuseStoreItself, writeExport } from './export.ts';
import { primaryNow, type StatisticsOptions, type TellStatistics } from './statistics.ts';

export interface ReportRequest extends Omit<ExportOptions, 'format'> {
  readonly experiment: string;
}

export interface ReportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: TellStatistics;
}

const nothingWritten = 'interrupted; nothing was written; run it again';

const looking = (path: string, experiment: string) =>
  [
    () => withStore(openStoreReadOnly(path), (store) => store.read(() => primaryNow(store, experiment))),
    (action: (store: Store) => void) => withStore(openStore(path, { create: false }), action),
  ] as const;

/** Counts a look at the results of an experiment, if they have not reached their planned end. */
export async function noteLookAt(path: string, experiment: string): Promise<void> {
  await countLook(experiment, ...looking(path, experiment));
}

/** `assize stats`, computed in a worker thread. Throws interrupted when the signal fires. */
export async function stats(
  path: string,
  experiment: string,
  options: StatisticsOptions,
  watch: ReportWatch,
): Promise<StatsReport> {
  // Worker threads are only for some commands: the others start quicker without them.
  const { askOnce } = await import('../queries/pool.ts');
  const words = 'interrupted; no statistics were kept; run it again to compute them';
  const report = await askOnce(path, 'statistics', { experiment, ...options }, watch, words);
  return { ...(await noteLook(report, ...looking(path, experiment))), store: path };
}

/** How many cases of an experiment are on trial, and how many its data set has. */
export const casesOnTrial = (path: string, experiment: string): Promise<{ readonly onTrial: number; readonly all: number }> =>
  withStore(openStoreReadOnly(path), (store) => {
    const frozen = loadFrozen(store, experiment);
    return { onTrial: frozen.sampleSize(), all: store.datasets.size(frozen.dataset.id) };
  });

/** A report that nobody reads: as `reportPage`, and no look. */
export async function comparedPage(path: string, request: ReportRequest, watch: ReportWatch): Promise<string> {
  const { askOnce } = await import('../queries/pool.ts');
  return askOnce(path, 'report', request, watch, nothingWritten);
}

/**
 * The report of a trial, or over an experiment, as one page of HTML. Counts the look first, so that the page says so too.
 * Throws as `exportPieces` does, and interrupted when the signal fires.
 */
export async function reportPage(path: string, request: ReportRequest, watch: ReportWatch): Promise<string> {
  if (request.trial === undefined) await noteLookAt(path, request.experiment);
  return comparedPage(path, request, watch);
}

/** Writes a report to a file, as `print` makes it of the page. Throws as `writeExport` and `reportPage` do, rather than replace the store. */
export async function exportReport(
  path: string,
  { out, force, ...request }: ReportRequest & { readonly out: string; readonly force: boolean },
  watch: ReportWatch,
  print: (page: string) => Promise<string | Uint8Array>,
): Promise<void> {
  refuseStoreItself(path, out);
  // What would be refused at the end is refused before anything is made.
  partialPath(out, { force });
  writeExport([await print(await reportPage(path, request, watch))], out, { force });
}

/** `assize export --format bundle`. Returns the bundle root. Throws as `exportToFile` does, and interrupted when the signal fires. */
export async function exportBundle(
  path: string,
  { experiment, out, force, ...options }: BundleOptions & { experiment: string; out: string; force: boolean },
  watch: ReportWatch,
): Promise<string> {
  refuseStoreItself(path, out);
  const partial = partialPath(out, { force });
  const { askOnce } = await import('../queries/pool.ts');
  await noteLookAt(path, experiment);
  try {
    const root = await askOnce(path, 'bundle', { experiment, path: partial, ...options }, watch, nothingWritten);
    renameSync(partial, out);
    return root;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Works on the record at a path: a store, or an intact and full bundle, which is unpacked for as long as the work takes.
 * @param action `looks`: of a bundle, the looks before the end that were counted when it was made, which its record does not have
 * @throws store-unreadable for a damaged bundle, bad-input for a redacted one
 */
export async function withRecord<T>(path: string, action: (store: string, looks?: () => number[]) => Promise<T>): Promise<T> {
  const { isBundle, looksInBundle, unpackBundle } = await import('../bundle/unpackBundle.ts');
  if (!isBundle(path)) return action(path);
  const { store, remove } = await unpackBundle(path);
  try {
    return await action(store, () => looksInBundle(path));
  } catch (error) {
    // The user gave the bundle, and does not know what it was unpacked to.
    throw error instanceof AssizeError && error.place.file === store ? error.at({ file: path }) : error;
  } finally {
    remove();
  }
}
