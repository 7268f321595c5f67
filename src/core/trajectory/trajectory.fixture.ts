import type { Belief, BeliefGrounds, Prediction } from '../../shared/domain.ts';
import type { RecordEvent } from '../../shared/events.ts';

type Moment = 'prior' | 'live' | 'retrospective';

export function trialEvents() {
  const events: RecordEvent[] = [];
  const hash = '0'.repeat(64);
  const answered = (prediction: Prediction, belief: Belief | null) => ({
    v: 1 as const,
    prediction,
    confidence: null,
    belief,
    source: 'verbal' as const,
    inconsistent: false,
  });
  const script = {
    says(role: string, turn: string) {
      const payload = { v: 1 as const, key: `${turn}/${role}`, role, turn, text: 'T', plan: null };
      events.push({ seq: events.length, hash, kind: 'utterance-make', payload });
      return script;
    },
    believes(
      role: string,
      moment: Moment,
      prediction: Prediction,
      belief: Belief | null,
      after: string | null = null,
      key = `${events.length}`,
    ) {
      const payload = { ...answered(prediction, belief), key, role, moment, after, notes: null };
      events.push({ seq: events.length, hash, kind: 'belief-update', payload });
      return script;
    },
    rules(role: string, prediction: Prediction, belief: Belief | null, grounds?: BeliefGrounds) {
      events.push({
        seq: events.length,
        hash,
        kind: 'ruling-give',
        payload: { ...answered(prediction, belief), key: 'ruling', role, opinion: null, ...(grounds && { grounds }) },
      });
      return script;
    },
    events,
  };
  return script;
}

/** A belief over NO and YES by its P(YES). */
export const yes = (share: number): Belief => ({ NO: 1 - share, YES: share });
