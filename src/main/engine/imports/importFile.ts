// Imports the predictions in a file into a store, new or not, for the command line.
import { existsSync, statSync } from 'node:fs';
import { telling } from '../../../core/imported/scoreColumns.ts';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import type { ImportMapping, ImportReport } from '../../../shared/imported.ts';
import { checkpointAfterRun } from '../checkpoint/checkpoints.ts';
import { collectEarly } from '../collectEarly.ts';
import { inspectFile } from '../dataFiles/inspection.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import { keptFaults, signingKey } from '../service/knownFaults.ts';
import { openStore, type Store } from '../store/store.ts';
import { type WritingWatch, withStore, withWritable } from '../store/withStore.ts';
import { type ImportRequest, type PreparedImport, prepareImport, recordImport, refuseUnknown } from './importPredictions.ts';
import { readPredictions } from './predictionRows.ts';

/** Every unused column by its name, and what those could be that look like predictions or scores. */
function unusedHints(
  { columns }: Pick<Inspection, 'columns'>,
  { columns: { probabilities, groups, opinions, ...single }, map }: Pick<ImportMapping, 'columns' | 'map'>,
  { labels }: Pick<ImportReport, 'labels'>,
): string[] {
  const used = new Set([...Object.values(single), ...groups, ...opinions, ...probabilities.map(([, column]) => column)]);
  const unused = columns.filter(({ name }) => !used.has(name));
  if (unused.length === 0) return [];
  const mapped = new Map(map);
  const read = unused.map((column) => ({ ...column, values: column.values?.map((value) => mapped.get(value) ?? value) ?? null }));
  const { labels: decisions, scores } = telling(read, labels);
  const again = 'import the file under another arm name with';
  return [
    `Not used: ${listed(unused.map(({ name }) => name))}.`,
    ...(single.system !== null
      ? []
      : unused.flatMap(({ name, eachOncePer }) =>
          eachOncePer === undefined || eachOncePer !== single.case
            ? []
            : [`Every case has each value of ${quoted(name)} once. If they are systems, ${again} --system ${quoted(name)}.`],
        )),
    ...(single.prediction !== null
      ? []
      : decisions.map(
          (name) => `${quoted(name)} holds labels. If they are what was decided, ${again} --prediction ${quoted(name)}.`,
        )),
    ...(probabilities.length > 0
      ? []
      : scores.map(({ column, scale, why }) =>
          scale === null
            ? `${quoted(column)} has ${why}; such ranks are no probabilities. If it is the prediction, ${again} --prediction ${quoted(column)} --positive-if '>=N'.`
            : `${quoted(column)} has ${why}. If it is how sure each prediction was, whatever it was, ${again} --confidence ${quoted(column)}; if it is the probability of one label, with --probability LABEL=${quoted(column)}, where LABEL is ${labels.map(quoted).join(' or ')}.${scale === 1 ? '' : ' Add --confidence-scale 100.'}`,
        )),
  ];
}

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
