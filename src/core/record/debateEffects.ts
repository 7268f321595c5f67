import type { EventPayload } from '../../shared/events.ts';
import { floatsAsText, floatsIn } from '../assistant/numbersAsText.ts';
import { ratedText, reliabilityOf, type TrainedAssistant } from '../assistant/trainedAssistant.ts';
import { type Court, TurnFailure } from '../protocols/court.ts';
import { Divergence } from './divergence.ts';
import type { Collector, Effects, TrialLedger, TrialTerms } from './effects.ts';
import { refOf } from './hash.ts';
import type { Rounds } from './rounds.ts';

/** What the court lends to the steps of a debate. */
export interface DebateContext {
  readonly terms: TrialTerms;
  readonly ledger: TrialLedger;
  readonly effects: Effects;
  readonly rounds: Rounds;
  claim(key: string): void;
  readonly collector: Collector;
}

/** How far processors may differ on one exponential: the recorded value is within it. */
const roundingNoise = 1e-9;

type TrainedRating = NonNullable<EventPayload<'opinion-rate'>['trained']>;

/** `Court.rate`. */
export function debateEffects({
  terms,
  ledger,
  effects,
  rounds,
  claim,
  collector,
}: DebateContext): Pick<Court, 'rate' | 'learntThreshold'> {
  const assistantFor = (key: string): TrainedAssistant => {
    if (terms.assistant === undefined) throw new Error(`${key}: the arm has no trained assistant`);
    return terms.assistant;
  };

  /** The recorded value, if the recorded vector leads to it. */
  const recordedValue = (
    key: string,
    role: string,
    of: string,
    request: string,
    assistant: TrainedAssistant,
    recorded: EventPayload<'opinion-rate'>,
  ): number => {
    const { trained, value } = recorded;
    if (trained === undefined || trained.request !== request || trained.assistant.hash !== assistant.hash) {
      throw new Divergence(
        key,
        'the recorded rating is not of the statement, or not by the version, that the protocol rates with',
      );
    }
    if (recorded.role !== role || recorded.of !== of) throw new Divergence(key, 'the recorded rating is of another statement');
    if (trained.failure !== undefined) throw new TurnFailure(key, trained.failure.kind, ledger.text(trained.failure.message));
    if (value === null || trained.vector === null) throw new Divergence(key, 'the recorded rating has no value');
    const derived = reliabilityOf(assistant, floatsIn(ledger.text(trained.vector)));
    if (Math.abs(derived - value) > roundingNoise)
      throw new Divergence(key, 'the recorded rating does not follow from its vector');
    return value;
  };

  return {
    learntThreshold() {
      const { threshold, version } = assistantFor('learntThreshold');
      if (threshold === null) throw new Error(`version ${version} of the trained assistant has learnt no threshold`);
      return threshold;
    },

    async rate(key, role, { of, background, statement }) {
      claim(key);
      return rounds.take(async () => {
        const assistant = assistantFor(key);
        const text = ratedText(background, statement).toWellFormed();
        const request = refOf(terms.salt, JSON.stringify({ text, by: assistant.embedder, version: assistant.hash }));
        const recorded = ledger.find('opinion-rate', key);
        if (recorded !== undefined) return recordedValue(key, role, of, request, assistant, recorded);
        const { setup, vector, failure } = await effects.rate(text, terms);
        const value = vector === null ? null : reliabilityOf(assistant, vector);
        const { texts, keep } = collector();
        const trained: TrainedRating = {
          assistant: { version: assistant.version, hash: assistant.hash },
          request,
          setup: keep(setup),
          vector: vector === null ? null : keep(floatsAsText(vector)),
          ...(failure === null ? {} : { failure: { kind: failure.kind, message: keep(failure.message) } }),
        };
        ledger.append('opinion-rate', { v: 1, key, role, of, value, trained }, texts);
        if (failure !== null) throw new TurnFailure(key, failure.kind, failure.message);
        if (value === null) throw new Error(`${key}: neither a vector nor a failure`);
        return value;
      });
    },
  };
}
