// Collects a streamed answer, and stops one that repeats itself.
import { loopWatch } from '../../../core/text/loops.ts';
import type { CompletionRequest, TokenReport } from '../../../shared/model.ts';
import { tokenReportsIn } from './tokenReports.ts';

export type AnswerSoFar = ReturnType<typeof answerSoFar>;

/** What a streamed answer has brought so far. @param onText told the text so far, as often as it grows */
export function answerSoFar({ schema }: Pick<CompletionRequest, 'schema'>, onText?: (soFar: string) => void) {
  let text = '';
  let thinking = '';
  const logprobs: TokenReport[] = [];
  const answerLoops = loopWatch(schema);
  const thinkingLoops = loopWatch('prose');
  return {
    /** Takes the next part; whether the answer loops by now. @param reports of the part's tokens, as the server wrote them */
    add(content: string, thought: string, reports: unknown): boolean {
      text += content;
      thinking += thought;
      logprobs.push(...tokenReportsIn(reports));
      if (content !== '') onText?.(text);
      return answerLoops(content) || thinkingLoops(thought);
    },
    /** All of it, as a result has it. */
    words: () => ({ text, ...(logprobs.length === 0 ? {} : { logprobs }), thinking: thinking === '' ? null : thinking }),
  };
}
