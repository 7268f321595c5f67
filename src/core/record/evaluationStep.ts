import type { EventKind, EventPayload } from '../../shared/events.ts';
import type { Court } from '../protocols/court.ts';

/** Puts a step without effects on the record, or checks it against the recorded one. */
export type Emit = <K extends EventKind>(
  kind: K,
  key: string,
  payload: EventPayload<K>,
  texts: ReadonlyMap<string, string>,
) => void;

/** Keeps the texts of one event by their refs. */
export type Collector = () => { texts: Map<string, string>; keep: (text: string) => string };

/** `Court.evaluate`. */
export function evaluationStep(emit: Emit, collector: Collector): Pick<Court, 'evaluate'> {
  return {
    evaluate(key, { role, subject, evaluation }) {
      const { texts, keep } = collector();
      const { score } = evaluation;
      emit('argument-evaluate', key, { v: 1, key, role, subject, score, evaluation: keep(JSON.stringify(evaluation)) }, texts);
    },
  };
}
