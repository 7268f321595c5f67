// Imports the predictions in a file into a store, new or not, for the command line.
import { existsSync, statSync } from 'node:fs';
import type { ImportReport } from '../../../shared/imported.ts';
import { checkpointAfterRun } from '../checkpoint/checkpoints.ts';
import { collectEarly } from '../collectEarly.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import { keptFaults, signingKey } from '../service/knownFaults.ts';
import { openStore, type Store } from '../store/store.ts';
import { type WritingWatch, withStore, withWritable } from '../store/withStore.ts';
import { type ImportRequest, type PreparedImport, prepareImport, recordImport, refuseUnknown } from './importPredictions.ts';
import { readPredictions } from './predictionRows.ts';
import { unusedHints } from './unusedColumns.ts';

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
