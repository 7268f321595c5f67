// Query: what an import of predictions would do.
import { basename } from 'node:path';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import { type ImportRequest, importReport, prepareImport, refuseUnknown } from '../imports/importPredictions.ts';
import { saidIn } from '../imports/plan.ts';
import { readPredictions } from '../imports/predictionRows.ts';
import { newTrials } from '../imports/record.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

const mostValues = 50;
const mostRows = 8;
const longestCell = 200;

const shortened = (cell: string) => cell.slice(0, longestCell);

/** @param store null where there is none yet: then an experiment would be made */
async function previewOf(store: Store | null, request: ImportRequest): Promise<ImportPreview> {
  const prepared = prepareImport(store, request, await readPredictions(request.path, request));
  const { places, trialAt, read } = prepared.plan;
  const fresh = newTrials(store, prepared, prepared.fault);
  const named = places.filter((place) => trialAt(place).row.prediction !== null);
  const values = [...Map.groupBy(named, (place) => saidIn(trialAt(place).row))].toSorted(([, a], [, b]) => b.length - a.length);
  // A longer one is no spelling of a label that a screen could map.
  const shown = values.filter(([value]) => value.length <= longestCell).slice(0, mostValues);
  return {
    report: importReport(basename(store?.path ?? ''), prepared, fresh),
    values: shown.map(([value, mine]) => ({
      value,
      trials: mine.length,
      label: mine[0] === undefined ? null : read(trialAt(mine[0])).prediction,
    })),
    more_values: values.length - shown.length,
    first: places.slice(0, mostRows).map((place) => {
      const trial = trialAt(place);
      const { row, arm, replicate } = trial;
      const { prediction, confidence } = read(trial);
      return {
        line: row.line,
        case: row.case,
        arm,
        replicate,
        value: shortened(saidIn(row)),
        stated: row.confidence === null ? null : shortened(row.confidence),
        prediction,
        confidence,
      };
    }),
  };
}

/** What a file of predictions would add. Throws all that the import itself would throw before it writes. */
export const importPreview: Query<ImportRequest, ImportPreview> = {
  run(store, request) {
    refuseUnknown(store, request);
    return previewOf(store, request);
  },
  withoutStore: (request) => previewOf(null, request),
};
