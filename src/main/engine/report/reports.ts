// What the commands do with reports and bundles. Threads, and what unpacks a bundle, are loaded only when they are needed.
import { renameSync, rmSync } from 'node:fs';
import { AssizeError } from '../../../shared/errors.ts';
import type { BundleOptions } from '../bundle/contents.ts';
import { type ExportOptions, partialPath, refuseStoreItself, writeExport } from './export.ts';
import type { TellStatistics } from './statistics.ts';

export interface ReportRequest extends Omit<ExportOptions, 'format'> {
  readonly experiment: string;
}

export interface ReportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: TellStatistics;
}

const nothingWritten = 'interrupted; nothing was written; run it again';

/** The report of a trial, or over an experiment, as one page of HTML. Throws as `exportPieces` does, and interrupted when the signal fires. */
export async function reportPage(path: string, request: ReportRequest, watch: ReportWatch): Promise<string> {
  const { askOnce } = await import('../queries/pool.ts');
  return askOnce(path, 'report', request, watch, nothingWritten);
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
