import { type ExportFormat, exportPieces, writeExport } from '../report/export.ts';
import type { Query } from './query.ts';

/** Writes an export to a file that is not there yet. */
export const exportFile: Query<{ experiment: string; trial: string | null; format: ExportFormat; path: string }, null> = {
  run(store, { experiment, trial, format, path }) {
    writeExport(exportPieces(store, experiment, { format, trial: trial ?? undefined }), path, { force: false });
    return null;
  },
};
