// Collects a streamed answer, and stops one that repeats itself.

import { z } from 'zod';
import { type LoopWatch, loopWatch } from '../../../core/text/loops.ts';
import type { CompletionRequest, TokenReport } from '../../../shared/model.ts';

export type AnswerSoFar = ReturnType<typeof answerSoFar>;

/** What a streamed answer has brought so far. @param onText called with the text so far, as often as it grows */
export function answerSoFar({ schema }: Pick<CompletionRequest, 'schema'>, onText?: (soFar: string) => void) {
  let text = '';
  let thinking = '';
  const logprobs: TokenReport[] = [];
  const answerLoops = loopWatch(schema);
  let thinkingLoops: LoopWatch | undefined;
  return {
    /** Takes the next part; whether the answer loops by now. @param reports of the part's tokens, as the server wrote them */
    add(content: string, thought: string, reports: unknown): boolean {
      text += content;
      thinking += thought;
      if (reports !== undefined) logprobs.push(...tokenReportsIn(reports));
      if (content !== '') onText?.(text);
      if (thought === '') return answerLoops(content);
      thinkingLoops ??= loopWatch('prose');
      return answerLoops(content) || thinkingLoops(thought);
    },
    /** All of it, as a result has it. */
    words: () => ({ text, ...(logprobs.length === 0 ? {} : { logprobs }), thinking: thinking === '' ? null : thinking }),
  };
}

const bytes = z.array(z.int().min(0).max(255)).nullish().catch(null);
/** A logarithm above 0 is that of no probability, but for the last bits of a rounding. */
const logprob = z.number().max(1e-3);
const tokenLogprob = z.object({ token: z.string(), logprob, bytes });
/** A list of token reports as Ollama and the OpenAI-compatible servers write it. */
const tokenReportsSchema = z.array(tokenLogprob.extend({ top_logprobs: z.array(tokenLogprob).nullish() }));

/** Some servers add the token written to the likeliest ones though it is among them: that is one token, not two. */
const distinct = <T extends z.infer<typeof tokenLogprob>>(tokens: readonly T[]): T[] => [
  ...new Map(tokens.map((one) => [JSON.stringify([one.token, one.bytes, one.logprob]), one])).values(),
];

/** The probabilities of tokens in a part of an answer; nothing where it has none, or in another form. */
export function tokenReportsIn(value: unknown): TokenReport[] {
  const reports = tokenReportsSchema.safeParse(value);
  if (!reports.success) return [];
  return reports.data.map(({ top_logprobs, ...own }) => ({ ...own, top: distinct(top_logprobs ?? []) }));
}
