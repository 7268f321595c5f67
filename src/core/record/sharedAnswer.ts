import type { EventPayload } from '../../shared/events.ts';
import { TurnFailure } from '../protocols/court.ts';
import type { Effects, SharedAnswer, SharedAsk, TrialLedger } from './effects.ts';
import { digestOf, sharedKey } from './sharedKey.ts';
import { openCourt } from './trialCourt.ts';

/** The record of what is asked once in an experiment. */
export interface PreparationLedger extends TrialLedger {
  /** Hash of the event that was recorded under a kind and key, hexadecimal. Throws where there is none. */
  hashOf(kind: 'call-answer', key: string): string;
}

const unforeseen = (what: string) => () => Promise.reject(new Error(`a shared question ${what}`));

/** Failures that another day may not have. */
const passing: ReadonlySet<string> = new Set(['timeout', 'backend_error']);

function lastAttempt(ledger: PreparationLedger, key: string): EventPayload<'call-answer'> | undefined {
  for (let number = 1, last: EventPayload<'call-answer'> | undefined; ; number++) {
    const next = ledger.find('call-answer', `${key}/attempt-${number}`);
    if (next === undefined) return last;
    last = next;
  }
}

/** Puts a question that all trials share under a key, and gives the last answer to it. */
export async function hearShared(
  { name, role, question, terms }: SharedAsk,
  hearing: number,
  ledger: PreparationLedger,
  perform: Effects['perform'],
): Promise<SharedAnswer> {
  const effects = {
    perform,
    askOnce: unforeseen('asks another one'),
    retrieve: unforeseen('looks for precedents'),
    rate: unforeseen('has a statement rated'),
  };
  const key = sharedKey(name, hearing);
  const seedKey = (call: string) => call.replace(key, `once/${question.number ?? 1}`);
  const own = { seed: question.seed, seedKey, attempt: 1, examples: [], belief: 'verbal' } as const;
  const court = openCourt({ ...terms, ...own }, ledger, effects);
  court.learn(question.facts);
  try {
    await court.ask(key, role, question.prompt(court), question.answer, { temperature: question.temperature });
  } catch (error) {
    // A failure is an answer too: it is the trial that says what follows from it.
    if (!(error instanceof TurnFailure)) throw error;
  }
  const last = lastAttempt(ledger, key);
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

/**
 * Answers a question that all trials share, on a separate ledger, with the retries and the reading of any call. What
 * is on that ledger serves, unless another model gave it than the one that now has its name, or it failed in passing and
 * was put again since, or the trial that asks is a further attempt: then the question is put again under a further key. Its seed follows from
 * the case alone: names of questions are salted, and another store has another salt.
 *
 * @param digest of the model that would answer now; null if its server reports none
 */
export async function answerShared(
  asked: SharedAsk,
  ledger: PreparationLedger,
  perform: Effects['perform'],
  digest: string | null = null,
): Promise<SharedAnswer> {
  const lastOf = (hearing: number) => lastAttempt(ledger, sharedKey(asked.name, hearing));
  const serves = (hearing: number, { setup, failure }: EventPayload<'call-answer'>): boolean => {
    const known = digestOf(ledger.text(setup));
    if (known !== null && digest !== null && known !== digest) return false;
    if (failure === undefined || failure.permanent || !passing.has(failure.kind)) return true;
    return asked.terms.attempt === 1 && lastOf(hearing + 1) === undefined;
  };
  for (let hearing = 1; ; hearing++) {
    const last = lastOf(hearing);
    if (last === undefined || serves(hearing, last)) return hearShared(asked, hearing, ledger, perform);
  }
}
