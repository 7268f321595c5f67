// What the commands do with reports. The threads in which they are made are loaded only when they are needed.
import { AssizeError } from '../../../shared/errors.ts';
import { type ExportOptions, partialPath, refuseStoreItself, writeExport } from './export.ts';
import type { TellStatistics } from './statistics.ts';

export interface ReportRequest extends Omit<ExportOptions, 'format'> {
  readonly experiment: string;
}

export interface ReportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: TellStatistics;
}

/** The report of a trial, or over an experiment, as one page of HTML. Throws as `exportPieces` does, and interrupted when the signal fires. */
export async function reportPage(path: string, request: ReportRequest, { signal, onProgress }: ReportWatch): Promise<string> {
  const { openQueryPool } = await import('../queries/pool.ts');
  const pool = openQueryPool(path);
  try {
    return await pool.run('report', request, signal, onProgress);
  } catch (error) {
    throw signal.aborted ? new AssizeError('interrupted', 'interrupted; nothing was written; run it again') : error;
  } finally {
    await pool.close();
  }
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
