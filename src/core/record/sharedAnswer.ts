import type { EventPayload } from '../../shared/events.ts';
import { TurnFailure } from '../protocols/court.ts';
import type { Effects, SharedAnswer, SharedAsk, TrialLedger } from './effects.ts';
import { partName } from './hash.ts';
import { openCourt } from './trialCourt.ts';

/** The record of what is asked once in an experiment. */
export interface PreparationLedger extends TrialLedger {
  /** Hash of the event that was recorded under a kind and key, hexadecimal. Throws where there is none. */
  hashOf(kind: 'call-answer', key: string): string;
}

const unforeseen = (what: string) => () => Promise.reject(new Error(`a shared question ${what}`));

/**
 * Puts a question that all trials share, on a ledger of its own, with the retries and the reading of any call. What is
 * on that ledger is not asked again. Its seed follows from the case alone: names of questions are salted, and another
 * store has another salt.
 */
export async function answerShared(
  { name, role, question, terms }: SharedAsk,
  ledger: PreparationLedger,
  perform: Effects['perform'],
): Promise<SharedAnswer> {
  const effects = {
    perform,
    askOnce: unforeseen('asks another one'),
    retrieve: unforeseen('looks for precedents'),
    rate: unforeseen('has a statement rated'),
  };
  const key = `once/${partName(name)}`;
  const seedKey = (call: string) => call.replace(key, `once/${question.number ?? 1}`);
  const own = { seed: question.seed, seedKey, attempt: 1, examples: [], belief: 'verbal' } as const;
  const court = openCourt({ ...terms, ...own }, ledger, effects);
  court.learn(question.facts);
  try {
    await court.ask(key, role, question.prompt(court.text), question.answer, { temperature: question.temperature });
  } catch (error) {
    // A failure is an answer too: it is the trial that says what follows from it.
    if (!(error instanceof TurnFailure)) throw error;
  }
  let last: EventPayload<'call-answer'> | undefined;
  for (let number = 1; ; number++) {
    const next = ledger.find('call-answer', `${key}/attempt-${number}`);
    if (next === undefined) break;
    last = next;
  }
  if (last === undefined) throw new Error(`${key} is not on the record`);
  const { answer, done, failure } = last;
  return {
    call: { key: last.key, hash: ledger.hashOf('call-answer', last.key) },
    setup: ledger.text(last.setup),
    raw: {
      answer: answer === null ? null : ledger.text(answer),
      done,
      failure: failure === undefined ? null : { kind: failure.kind, message: ledger.text(failure.message) },
    },
  };
}
