import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import type { TryReport } from '../../../shared/outputs.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { readableAnswer } from './readable.ts';
import { trialLines } from './trialLines.ts';

type Entry = TryReport['transcript'][number];

const single = (prediction: string | string[] | null) => (Array.isArray(prediction) ? prediction.join(', ') : prediction);

const planSchema = z.object({ private_strategy: z.record(z.string(), z.string()) });

/** The plan alone, of the answer that holds plan and speech; the whole answer where it has another form. */
function planOf(answer: string | null): string | null {
  if (answer === null) return null;
  try {
    return readableAnswer(JSON.stringify(planSchema.parse(JSON.parse(answer)).private_strategy));
  } catch {
    return readableAnswer(answer);
  }
}

function entryOf(event: RecordEvent, text: (ref: string | null) => string | null): Entry | null {
  switch (event.kind) {
    case 'utterance-make': {
      const { role, turn } = event.payload;
      return {
        kind: 'utterance',
        role,
        turn,
        text: text(event.payload.text),
        private: planOf(text(event.payload.plan)),
        prediction: null,
        confidence: null,
      };
    }
    case 'belief-update': {
      const { role, moment, prediction, confidence } = event.payload;
      const notes = text(event.payload.notes);
      const own = notes === null ? null : readableAnswer(notes);
      return { kind: 'belief', role, turn: moment, text: null, private: own, prediction: single(prediction), confidence };
    }
    case 'turn-forfeit':
      return {
        kind: 'forfeit',
        role: event.payload.role,
        turn: event.payload.key,
        text: event.payload.failure,
        private: null,
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
        private: null,
        prediction: single(prediction),
        confidence,
      };
    }
    default:
      return null;
  }
}

/** What was said, planned and believed in a trial, or in the first one of an experiment. Throws not-found. */
export function transcript(store: Store, experiment: string, trial?: string): TryReport {
  const [line] = trialLines(store, loadFrozen(store, experiment), trial);
  if (line === undefined || line.status === 'queued') {
    throw new AssizeError(
      'not-found',
      `experiment ${JSON.stringify(experiment)} has no record of trial ${trial ?? 'one'}; an export lists its trials`,
      {
        field: '--trial',
      },
    );
  }
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
