import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, BrokenCall, CallFailure, DiedUnderCall } from '../../../shared/model.ts';
import type { AnswerBody } from './answerBody.ts';
import { ErrorInAnswer } from './answerLines.ts';
import { startDeadline } from './deadline.ts';
import { assizeCause, type NetworkDispatcher, type Outgoing, reasonOf } from './dispatcher.ts';

/** Where a server is, and how long it may take. */
export interface ServerOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

export interface ServerKind {
  /** As in "this is not …". */
  readonly called: string;
  /** Sent with every request. Throws bad input where they cannot be made. */
  headers(): Readonly<Record<string, string>>;
  /** The text behind an HTTP status that says failure, by the body. */
  errorText(body: string): string | null;
  missing(model: string): AssizeError;
  /** Further words for a server that refuses access. */
  readonly accessAdvice: string;
  /** A whole text of the server without what must not be kept. */
  withoutSecrets(text: string): string;
}

export class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
  }
}

export class ProbeOutage extends BackendOutage {
  readonly answer: HttpFailure | null;
  /** Something answers at the address, and does not know what is asked or answers in another form. */
  readonly isOtherKind: boolean;

  constructor(message: string, answer: HttpFailure | null, isOtherKind: boolean) {
    super(message);
    this.answer = answer;
    this.isOtherKind = isOtherKind;
  }
}

/** The stream ended, without an error, before the server said that it was done. */
export class CutStream extends BrokenCall {
  constructor() {
    super('the answer ended before it was done');
  }
}

export interface Asking {
  /** Ends with the call, its limits and the caller's signal. */
  readonly signal: AbortSignal;
  /** To be called when the server has begun to answer with success. */
  begin(): void;
  touch(): void;
}

const probeMs = 10_000;
const mostErrorText = 300;
/** Bytes of an error that are read: more than any server says, with a prompt that it repeats. */
const mostErrorBytes = 4 * 1024 * 1024;
/** Bytes of what a server says about itself; lists of thousands of models are shorter. */
const mostProbeBytes = 16 * 1024 * 1024;

/** The text of a body up to so many bytes, unpacked. `whole`: it was no longer. */
export async function boundedText(body: AnswerBody, most: number): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder('utf-8');
  let text = '';
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    text += decoder.decode(bytes, { stream: true });
    // To leave the loop ends the body.
    if (length > most) return { text, whole: false };
  }
  return { text: text + decoder.decode(), whole: true };
}

/** An answer that comes in one piece, as text. Throws where it is longer than `most` bytes. */
export async function wholeText(body: AnswerBody, most = mostProbeBytes): Promise<string> {
  const { text, whole } = await boundedText(body, most);
  if (!whole) throw new Error('its answer has no end');
  return text;
}

/** Failures that pass. Of an outage only these words are shown: the server's own text can repeat a case. */
const passing: ReadonlyMap<number, string> = new Map([
  [429, 'too many requests'],
  [502, 'bad gateway'],
  [503, 'unavailable'],
  [504, 'gateway timeout'],
]);

/** Why a server was not reached at all: nothing of the call was with it. */
const neverReached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Codes of the system that people need in words. */
const inWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['EHOSTUNREACH', 'no way leads to that machine'],
  ['ENETUNREACH', 'no way leads to its network'],
  ['EACCES', 'this system does not allow the connection'],
  ['ENOTFOUND', 'no such host name'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['ECONNRESET', 'the connection was cut'],
]);

/** Why no answer came, with the code of the system in words where it has some. */
export function reasonInWords(reason: string): string {
  const words = inWords.get(reason);
  return words === undefined ? reason : `${words} (${reason})`;
}

/** @throws DiedUnderCall in place of the outage that `alive` throws */
async function survived(alive: () => Promise<unknown>): Promise<void> {
  try {
    await alive();
  } catch (error) {
    throw error instanceof BackendOutage ? new DiedUnderCall(error.message) : error;
  }
}

export const interrupted = () => new AssizeError('interrupted', 'interrupted; run again to continue');

export interface Sent {
  readonly method?: Outgoing['method'];
  readonly body?: string;
}

/** A server with its limits: requests go out through the dispatcher, and failures come back typed. */
export type ModelServer = ReturnType<typeof modelServer>;

export function modelServer(dispatcher: NetworkDispatcher, { url, timeoutMs, idleMs }: ServerOptions, kind: ServerKind) {
  const base = url.replace(/\/+$/, '');

  const accessRefused = (status: number) =>
    status === 401 || status === 403
      ? new AssizeError('no-backend', `${base}: the server refuses access (HTTP ${status})${kind.accessAdvice}`, 'backends')
      : null;

  /** What a server says of itself stays short: callers who want its own text of a failure add it. */
  const probeReason = (error: unknown): string => (error instanceof HttpFailure ? `HTTP ${error.status}` : reasonOf(error));

  const shortened = (words: string): string => kind.withoutSecrets(words).slice(0, mostErrorText);

  const classifyHttp = ({ status, message }: HttpFailure, model: string): Error => {
    const refused = accessRefused(status);
    if (refused !== null) return refused;
    if (status === 404 && /\bmodel\b/i.test(message)) return kind.missing(model);
    if (status === 404) {
      const reply = `${base} answers HTTP 404 when model ${model} is asked: ${shortened(message)}`;
      const advice = 'check the address and what is in front of the server';
      return new AssizeError('missing-model', `${reply}; ${advice}`, 'backends');
    }
    const word = passing.get(status);
    if (word !== undefined) return new BackendOutage(`HTTP ${status} (${word})`);
    if (tellsOverflow(message)) return new CallFailure('overflow', shortened(message), true);
    return new CallFailure('backend_error', `HTTP ${status}: ${shortened(message)}`, status < 500);
  };

  const classify = (error: unknown, model: string, signal: AbortSignal, expired: 'total' | 'idle' | null): Error => {
    if (expired === 'total') return new CallFailure('timeout', `no complete answer within ${timeoutMs / 1000} s`, false);
    if (expired === 'idle') return new CallFailure('timeout', `the answer stood still for ${idleMs / 1000} s`, false);
    if (signal.aborted) return interrupted();
    if (error instanceof ErrorInAnswer && tellsOverflow(error.message)) {
      return new CallFailure('overflow', shortened(error.message), true);
    }
    if (error instanceof BrokenCall || error instanceof BackendOutage) return error;
    if (error instanceof CallFailure) return new CallFailure(error.kind, shortened(error.message), error.permanent);
    const own = assizeCause(error);
    if (own !== undefined) return own;
    if (error instanceof HttpFailure) return classifyHttp(error, model);
    const reason = reasonOf(error);
    if (neverReached.has(reason)) return new BackendOutage(`no connection to ${base}: ${reason}`);
    return new BrokenCall(`the connection to ${base} broke: ${reason}`);
  };

  return {
    /** The address without a slash at its end. */
    base,
    /** Sends a request and gives the body of the answer; `target` is absolute. Throws `HttpFailure` and what the dispatcher throws. */
    async send(target: string, { method = 'GET', body }: Sent, signal: AbortSignal): Promise<AnswerBody> {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await dispatcher.fetch(target, {
        method,
        body: body ?? null,
        signal,
        headers: { ...type, ...kind.headers() },
      });
      if (!response.ok) {
        const { text } = await boundedText(response.body, mostErrorBytes);
        throw new HttpFailure(response.status, kind.errorText(text) ?? (text.trim() || response.statusText));
      }
      return response.body;
    },
    /** One question about the server in `limitMs`. Throws `ProbeOutage`, no-backend, interrupted. @param target what is asked */
    async probe<T>(
      target: string,
      ask: (signal: AbortSignal) => Promise<T>,
      signal?: AbortSignal,
      limitMs = probeMs,
    ): Promise<T> {
      const limit = AbortSignal.timeout(limitMs);
      try {
        return await ask(signal === undefined ? limit : AbortSignal.any([signal, limit]));
      } catch (error) {
        if (signal?.aborted === true) throw interrupted();
        const answer = error instanceof HttpFailure ? error : null;
        const own = assizeCause(error) ?? (answer === null ? null : accessRefused(answer.status));
        if (own !== null) throw own;
        const isForeign = answer?.status === 404 || error instanceof z.ZodError || error instanceof SyntaxError;
        if (isForeign && !limit.aborted) {
          const status = answer === null ? '' : ` (HTTP ${answer.status})`;
          throw new ProbeOutage(`something answers at ${target}, but this is not ${kind.called}${status}`, answer, true);
        }
        const reason = limit.aborted ? `none within ${limitMs / 1000} s` : probeReason(error);
        throw new ProbeOutage(`no answer from ${target}: ${reasonInWords(reason)}`, answer, false);
      }
    },
    /**
     * One call within its limits. Throws `CallFailure`, of which `BrokenCall` where the connection broke, `BackendOutage`,
     * of which `DiedUnderCall`, missing-model, no-backend, interrupted.
     * @param alive throws `BackendOutage` where the server has gone away. Asked before a failure is reported that may be the
     *   first sign of it (an error, a cut or halting answer, a broken connection): an outage is no outcome of a call
     */
    async call<T>(
      request: { readonly model: string },
      signal: AbortSignal,
      answer: (asking: Asking) => Promise<T>,
      alive: () => Promise<unknown>,
    ): Promise<T> {
      const deadline = startDeadline(signal, timeoutMs, idleMs);
      let begun = false;
      let failure: Error;
      try {
        const begin = () => {
          begun = true;
        };
        return await answer({ signal: deadline.signal, begin, touch: deadline.touch });
      } catch (error) {
        failure = classify(error, request.model, signal, deadline.expired());
        // A connection that breaks during an answer cuts it, on either side.
        if (begun && failure instanceof BrokenCall) failure = new CutStream();
      } finally {
        deadline.clear();
      }
      if (failure instanceof CallFailure && !failure.permanent) await survived(alive);
      throw failure;
    },
  };
}

/**
 * How servers say that prompt and answer do not fit the context. Recognised by these words alone: the same status
 * (400, 413, 500) or a line in mid-answer also says other things.
 *
 * llama.cpp, and Ollama, which passes its words on: `exceed_context_size_error`, "exceeds the available context
 * size". Ollama's own: "the prompt is longer than the context length …", "prompt too long; exceeded max context
 * length by …". vLLM: "maximum context length", "longer than the maximum model length". OpenAI:
 * `context_length_exceeded`. LM Studio: "context length of only", "greater than the context length". Of a text that is
 * too long for one vector, llama.cpp says "is too large to process" and Ollama "input length exceeds …".
 *
 * llama.cpp's "Context size has been exceeded." is left out: where calls share the memory it is said to one
 * that fits, because of the others.
 */
const wordings = [
  'exceed_context_size_error',
  'exceeds the available context size',
  'longer than the context length',
  'exceeded max context length',
  'maximum context length',
  'longer than the maximum model length',
  'context_length_exceeded',
  'context length of only',
  'greater than the context length',
  'is too large to process',
  'input length exceeds',
];

export const tellsOverflow = (text: string): boolean => wordings.some((words) => text.includes(words));

const vectorsSchema = z.array(z.array(z.number()).min(1));

/** Vectors as a server sent them. Throws `CallFailure` where they are invalid, not one for each text, or of several lengths. */
export function checkedVectors(value: unknown, texts: number): number[][] {
  const parsed = vectorsSchema.safeParse(value);
  const vectors = parsed.data ?? [];
  if (!parsed.success || vectors.length !== texts || new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new CallFailure('backend_error', `the server did not send one vector for each of ${texts} texts`, false);
  }
  return vectors;
}
