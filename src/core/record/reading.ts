import type { FailureOutcome } from '../../shared/domain.ts';
import type { ReadingMode } from '../../shared/experiment.ts';
import type { CallFailureKind } from '../../shared/model.ts';
import type { AnswerFlag, AnswerSpec, ParseMethod } from '../answers/answer.ts';
import { readAsPaper } from '../answers/paper.ts';
import { readAnswer } from '../answers/read.ts';
import { retryMessage } from '../answers/schema.ts';
import type { Prompt } from '../prompts/wording.ts';

/** The result of an attempt: a value, or the outcome instead of one. */
export type AttemptReading<T> =
  | { readonly rejected: null; readonly method: ParseMethod; readonly value: T; readonly flags: readonly AnswerFlag[] }
  | { readonly rejected: FailureOutcome; readonly method: null; readonly message: string; readonly correction: string | null };

export interface RawAttempt {
  readonly answer: string | null;
  readonly done: string | null;
  readonly failure: { kind: CallFailureKind; message: string } | null;
}

const looped =
  'Your last answer repeated itself and was cut off. Answer again with the same fields. Keep each text short, and write nothing twice.';

const cutOff =
  'Your last answer was cut off because it was too long. Answer again with the same fields and much shorter texts, so that the JSON object is complete.';

/** Turns a raw attempt into a value or a failure; a cut answer is never repaired into a verdict. */
export function readAttempt<T>(spec: AnswerSpec<T>, { answer, done, failure }: RawAttempt, mode: ReadingMode): AttemptReading<T> {
  if (failure !== null) return { rejected: failure.kind, method: null, message: failure.message, correction: null };
  if (done === 'length') {
    return { rejected: 'truncated', method: null, message: 'the answer reached the token limit', correction: cutOff };
  }
  if (done === 'loop') {
    return {
      rejected: 'truncated',
      method: null,
      message: 'the answer repeated itself and was cut; another model, or a repeatPenalty in the options of its cast, can help',
      correction: looped,
    };
  }
  const reading = (mode === 'paper' ? readAsPaper : readAnswer)(spec, answer ?? '');
  if (reading.ok) return { rejected: null, method: reading.method, value: reading.value, flags: reading.flags };
  return { rejected: reading.kind, method: null, message: reading.message, correction: retryMessage(reading, spec) };
}

/** The prompt of a further attempt: the same, followed by the refused answer and what was wrong with it. */
export function correctedPrompt(prompt: Prompt, { answer, done }: RawAttempt, correction: string | null): Prompt {
  if (correction === null) return prompt;
  if (answer === null || answer.trim() === '' || done === 'length' || done === 'loop') {
    return prompt.map((message, index) =>
      index === prompt.length - 1 ? { ...message, parts: [...message.parts, correction] } : message,
    );
  }
  return [...prompt, { role: 'assistant', parts: [answer] }, { role: 'user', parts: [correction] }];
}
