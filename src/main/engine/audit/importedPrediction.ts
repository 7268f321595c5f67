// Checks an imported prediction: reads its recorded cells again and compares.
import { predictionReader } from '../../../core/imported/prediction.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { importMappingSchema } from '../../../shared/imported.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';

const told = (value: unknown) => JSON.stringify(value);

/**
 * Reads an imported prediction again from the recorded cells and mapping and compares what comes out with the record.
 * @param attempt the events of the trial, `trial-open` first
 * @returns what differs, or null
 */
export function importedDifference(store: Store, frozen: FrozenExperiment, attempt: readonly RecordEvent[]): string | null {
  const [, imported, close, extra] = attempt;
  if (imported?.kind !== 'prediction-import') return 'prediction-import: the record has no imported prediction';
  if (close?.kind !== 'trial-close') return 'the trial does not end with trial-close';
  if (extra !== undefined) return `the record has a step that no import makes: ${extra.kind}`;
  const { mapping: mappingRef, value, stated, prediction, confidence } = imported.payload;
  const mapping = importMappingSchema.parse(JSON.parse(store.blobs.need(mappingRef)));
  const { labels = [], positive = null } = frozen.definition.dataset;
  const read = predictionReader(mapping, { labels, positive })(
    store.blobs.need(value),
    stated === null ? null : store.blobs.need(stated),
  );
  if (read.prediction !== prediction) {
    return `prediction-import: the record says ${told(prediction)}, the file's value gives ${told(read.prediction)}`;
  }
  if (read.confidence !== confidence) {
    return `prediction-import: the record has the confidence ${told(confidence)}, the file's cell gives ${told(read.confidence)}`;
  }
  const { outcome, incomplete } = close.payload;
  if (outcome === read.outcome && !incomplete) return null;
  return `trial-close: the record says ${outcome}${incomplete ? ', incomplete' : ''}, the file's value gives ${read.outcome}`;
}
