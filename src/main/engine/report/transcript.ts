import { lastAttempt } from '../../../core/record/fold.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import type { TryReport } from '../../../shared/outputs.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { readableAnswer } from './readable.ts';
import { trialLines } from './trialLines.ts';

type Entry = TryReport['transcript'][number];

const single = (prediction: string | string[] | null) => (Array.isArray(prediction) ? prediction.join(', ') : prediction);

function entryOf(event: RecordEvent, text: (ref: string | null) => string | null): Entry | null {
  switch (event.kind) {
    case 'utterance-make': {
      const { role, turn } = event.payload;
      return { kind: 'utterance', role, turn, text: text(event.payload.text), prediction: null, confidence: null };
    }
    case 'belief-update': {
      const { role, moment, prediction, confidence } = event.payload;
      return { kind: 'belief', role, turn: moment, text: null, prediction: single(prediction), confidence };
    }
    case 'turn-forfeit':
      return {
        kind: 'forfeit',
        role: event.payload.role,
        turn: event.payload.key,
        text: event.payload.failure,
        prediction: null,
        confidence: null,
      };
    case 'ruling-give': {
      const { role, opinion, prediction, confidence } = event.payload;
      const ruling = text(opinion);
      return {
        kind: 'ruling',
        role,
        turn: null,
        text: ruling === null ? null : readableAnswer(ruling),
        prediction: single(prediction),
        confidence,
      };
    }
    default:
      return null;
  }
}

/** What was said and believed in the only trial of an experiment. */
export function transcript(store: Store, experiment: string): TryReport {
  const [line] = trialLines(store, loadFrozen(store, experiment));
  if (line === undefined) throw new Error(`experiment ${experiment} has no trial`);
  const text = (ref: string | null) => (ref === null ? null : (store.blobs.get(ref) ?? null));
  const events = lastAttempt(parseChain(store.events.chain(line.trial)));
  return {
    experiment,
    trial: line.trial,
    store: store.path,
    outcome: line.outcome ?? line.status,
    prediction: line.prediction,
    confidence: line.confidence,
    incomplete: line.incomplete,
    standin: line.standin,
    calls: line.calls,
    head_hash: line.head_hash,
    transcript: events.flatMap((event) => entryOf(event, text) ?? []),
  };
}
