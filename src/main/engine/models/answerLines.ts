import { z } from 'zod';
import { type LoopWatch, loopWatch } from '../../../core/text/loops.ts';
import { CallFailure, type CompletionRequest, type TokenReport } from '../../../shared/model.ts';
import { attempt } from '../attempt.ts';
import type { AnswerBody } from './answerBody.ts';

/** No line of an honest stream comes near this. */
const longestLine = 16 * 1024 * 1024;
/** Bytes that an answer may have besides its tokens: its last line, signs of life, a prompt that is repeated. */
const mostBesides = 16 * 1024 * 1024;
/** Bytes that one token may have, with the twenty likeliest in its place. */
const mostForToken = 16 * 1024;
/** How long a connection may take to end after its last line before it is cut. */
const graceMs = 250;

const refused = (message: string) => new CallFailure('backend_error', message, false);

/** A line that is no part of an answer. The message holds all of it: what must not be kept is taken out before it is cut. */
export const strayLine = (why: string, line: string) => refused(`a line of the answer is not ${why}: ${line}`);

/** An error that the server sends where a part of the answer should be: its only way once HTTP 200 is out. */
export class ErrorInAnswer extends CallFailure {
  constructor(error: unknown) {
    const text = typeof error === 'string' ? error : JSON.stringify(error);
    super('backend_error', `the server gave up in mid-answer: ${text}`, false);
  }
}

/** Bytes that the answer to a call may have, by the most tokens that it asked for. */
export const mostBytes = (numPredict: number): number => mostBesides + numPredict * mostForToken;

/** A line as JSON. Throws `CallFailure` where it is not JSON, and where it carries an error. */
export function parseAnswerLine(line: string): unknown {
  const value: unknown = attempt(() => JSON.parse(line), undefined);
  if (value === undefined) throw strayLine('JSON', line);
  if (typeof value === 'object' && value !== null && 'error' in value && value.error !== null)
    throw new ErrorInAnswer(value.error);
  return value;
}

/** Lets a finished answer end its connection properly, so that the next call can use it again. */
async function letGo(source: AnswerBody, iterator: AsyncIterator<Uint8Array>): Promise<void> {
  const cut = setTimeout(() => source.destroy(), graceMs);
  try {
    while (!(await iterator.next()).done);
  } catch {
    // It was cut, or broke by itself: its answer is whole.
  } finally {
    clearTimeout(cut);
  }
}

/**
 * Reads a streamed body line by line; lines end with LF or CRLF. Throws `CallFailure` at a line without end, and
 * where the whole is longer than it can be.
 * @param most bytes that the body may have, unpacked
 * @param onBytes called whenever something has come
 */
export function answerLines(source: AnswerBody, most: number, onBytes?: () => void) {
  const iterator: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  return {
    /** The lines of the body without their ends, as soon as they are whole; the text after the last end is one too. */
    async *read(): AsyncGenerator<readonly string[]> {
      const decoder = new TextDecoder('utf-8');
      let rest = '';
      let length = 0;
      for (let ended = false; !ended; ) {
        const { done = false, value } = await iterator.next();
        ended = done;
        if (!done) onBytes?.();
        length += value?.length ?? 0;
        if (length > most) throw refused(`the answer is longer than ${most} bytes, which its tokens cannot be`);
        // Only what is new is searched: a line can come in many chunks.
        const lines = decoder.decode(value, { stream: !done }).split('\n');
        lines[0] = rest + (lines[0] ?? '');
        rest = lines.pop() ?? '';
        if (rest.length > longestLine) throw refused('a line of the answer is too long');
        if (done && rest !== '') lines.push(rest);
        if (lines.length > 0) yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
      }
    },
    /** To be called at the last line that is wanted. */
    finish: () => letGo(source, iterator),
  };
}

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
