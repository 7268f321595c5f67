import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, CallFailure } from '../../../shared/model.ts';
import { ErrorInAnswer } from './answerLines.ts';
import { boundedText } from './boundedText.ts';
import { startDeadline } from './deadline.ts';
import { assizeCause, type NetworkDispatcher, reasonOf } from './dispatcher.ts';
import { tellsOverflow } from './overflow.ts';

/** Where a server is, and how long it may take. */
export interface ServerOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

/** What one kind of server has of its own. */
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

/** An answer with an HTTP status that says failure. */
export class HttpFailure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpFailure';
    this.status = status;
  }
}

/** A question about the server that was not answered. */
export class ProbeOutage extends BackendOutage {
  /** HTTP status, where there was one. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** The stream ended, without an error, before the server said that it was done. */
export class CutStream extends CallFailure {
  constructor() {
    super('backend_error', 'the answer ended before it was done', false);
  }
}

/** An answer under way. */
export interface Asking {
  /** Ends with the call, its limits and the caller's signal. */
  readonly signal: AbortSignal;
  /** To be called when the server has begun to answer with success. */
  begin(): void;
  /** To be called whenever the answer moves on. */
  touch(): void;
}

const probeMs = 10_000;
const mostErrorText = 300;
/** Bytes of an error that are read: more than any server says, with a prompt that it repeats. */
const mostErrorBytes = 4 * 1024 * 1024;
/** Bytes of what a server tells about itself; lists of thousands of models are shorter. */
const mostProbeBytes = 16 * 1024 * 1024;

/** Failures that pass. Of an outage only these words are told: the server's own text can repeat a case. */
const passing: ReadonlyMap<number, string> = new Map([
  [429, 'too many requests'],
  [502, 'bad gateway'],
  [503, 'unavailable'],
  [504, 'gateway timeout'],
]);

export const interrupted = () => new AssizeError('interrupted', 'interrupted; run again to go on');

/** A server with its limits: requests go out through the dispatcher, and failures come back typed. */
export interface ModelServer {
  /** The address without a slash at its end. */
  readonly base: string;
  /** Asks about the server; `url` is absolute. Throws `ProbeOutage`, no-backend where access is refused, interrupted. */
  get<T>(url: string, schema: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Sends JSON and gives the body of the answer. Throws `HttpFailure` and what the dispatcher throws. */
  post(url: string, body: string, signal: AbortSignal, method?: 'POST' | 'DELETE'): Promise<ReadableStream<Uint8Array>>;
  /** Sends JSON to which no answer is wanted, within the time of a probe. Throws `BackendOutage`, interrupted. */
  tell(url: string, body: string, signal: AbortSignal, what: string): Promise<void>;
  /**
   * One call within its limits. Throws `CallFailure`, `BackendOutage`, missing-model, no-backend, interrupted.
   * @param alive throws `BackendOutage` where the server has gone away. Asked before a failure is told that may be the
   *   first sign of it (an error, a cut or halting answer): an outage is no outcome of a call
   */
  call<T>(
    request: { readonly model: string },
    signal: AbortSignal,
    answer: (asking: Asking) => Promise<T>,
    alive: () => Promise<unknown>,
  ): Promise<T>;
}

export function modelServer(
  dispatcher: NetworkDispatcher,
  { url, timeoutMs, idleMs }: ServerOptions,
  kind: ServerKind,
): ModelServer {
  const base = url.replace(/\/+$/, '');

  const accessRefused = (status: number) =>
    status === 401 || status === 403
      ? new AssizeError('no-backend', `${base}: the server refuses access (HTTP ${status})${kind.accessAdvice}`, {
          field: 'backends',
        })
      : null;

  const probeReason = (error: unknown): string =>
    error instanceof z.ZodError || error instanceof SyntaxError ? `this is not ${kind.called}` : reasonOf(error);

  const told = (words: string): string => kind.withoutSecrets(words).slice(0, mostErrorText);

  const classifyHttp = ({ status, message }: HttpFailure, model: string): Error => {
    const refused = accessRefused(status);
    if (refused !== null) return refused;
    if (status === 404) return kind.missing(model);
    const word = passing.get(status);
    if (word !== undefined) return new BackendOutage(`HTTP ${status} (${word})`);
    if (tellsOverflow(message)) return new CallFailure('overflow', told(message), true);
    return new CallFailure('backend_error', `HTTP ${status}: ${told(message)}`, status < 500);
  };

  const classify = (error: unknown, model: string, signal: AbortSignal, expired: 'total' | 'idle' | null): Error => {
    if (expired === 'total') return new CallFailure('timeout', `no complete answer within ${timeoutMs / 1000} s`, false);
    if (expired === 'idle') return new CallFailure('timeout', `the answer stood still for ${idleMs / 1000} s`, false);
    if (signal.aborted) return interrupted();
    if (error instanceof ErrorInAnswer && tellsOverflow(error.message)) {
      return new CallFailure('overflow', told(error.message), true);
    }
    if (error instanceof CallFailure) return new CallFailure(error.kind, told(error.message), error.permanent);
    const own = assizeCause(error);
    if (own !== undefined) return own;
    if (error instanceof HttpFailure) return classifyHttp(error, model);
    return new BackendOutage(`no connection to ${base}: ${reasonOf(error)}`);
  };

  const post: ModelServer['post'] = async (target, body, signal, method = 'POST') => {
    const response = await dispatcher.fetch(target, {
      method,
      body,
      signal,
      headers: { 'content-type': 'application/json', ...kind.headers() },
    });
    if (!response.ok) {
      const { text } = await boundedText(response.body, mostErrorBytes);
      throw new HttpFailure(response.status, kind.errorText(text) ?? (text.trim() || response.statusText));
    }
    if (response.body === null) throw new HttpFailure(response.status, 'the answer has no body');
    return response.body;
  };

  return {
    base,
    post,
    async get(target, schema, signal) {
      const limit = AbortSignal.timeout(probeMs);
      try {
        const response = await dispatcher.fetch(target, {
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
          headers: kind.headers(),
        });
        if (!response.ok) {
          await response.body?.cancel();
          throw accessRefused(response.status) ?? new HttpFailure(response.status, `HTTP ${response.status}`);
        }
        const { text, whole } = await boundedText(response.body, mostProbeBytes);
        if (!whole) throw new Error('its answer has no end');
        return schema.parse(JSON.parse(text));
      } catch (error) {
        if (signal?.aborted === true) throw interrupted();
        const own = assizeCause(error);
        if (own !== undefined) throw own;
        throw new ProbeOutage(
          `no answer from ${target}: ${limit.aborted ? `none within ${probeMs / 1000} s` : probeReason(error)}`,
          error instanceof HttpFailure ? error.status : null,
        );
      }
    },
    async tell(target, body, signal, what) {
      try {
        const response = await dispatcher.fetch(target, {
          method: 'POST',
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(probeMs)]),
          headers: { 'content-type': 'application/json', ...kind.headers() },
        });
        await response.body?.cancel();
      } catch (error) {
        if (signal.aborted) throw interrupted();
        throw new BackendOutage(`${what}: ${reasonOf(error)}`);
      }
    },
    async call(request, signal, answer, alive) {
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
        // A connection that breaks under an answer cuts it, whoever did it.
        if (begun && failure instanceof BackendOutage) failure = new CutStream();
      } finally {
        deadline.clear();
      }
      if (failure instanceof CallFailure && !failure.permanent) await alive();
      throw failure;
    },
  };
}
