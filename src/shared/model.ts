import { z } from 'zod';

export const chatMessageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** Options of one call, as frozen into the record; the backend translates the names. */
export interface CallOptions {
  readonly temperature: number;
  /** 31 bits. */
  readonly seed: number;
  readonly numCtx: number;
  readonly numPredict: number;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly minP?: number | undefined;
  readonly repeatPenalty?: number | undefined;
  /** Alternatives to be reported with each token of the answer, at most 20; absent where no probabilities are wanted. */
  readonly topLogprobs?: number | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** JSON Schema the answer must satisfy; its key order is the order of generation. */
  readonly schema: JsonSchema;
  readonly options: CallOptions;
}

/** Why an answer ended: `stop` complete, `length` cut by the server's limit, `loop` cut by us for repetition. */
export type DoneReason = 'stop' | 'length' | 'load' | 'unload' | 'loop';

export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  /** Its UTF-8, if the server reports it: a token may be a part of a character. */
  readonly bytes?: readonly number[] | null | undefined;
}

/** A token of an answer, with the likeliest tokens at its place, itself among them if it was one. */
export interface TokenReport extends TokenLogprob {
  readonly top: readonly TokenLogprob[];
}

export interface CompletionResult {
  readonly text: string;
  /** Every token of the answer in order; absent where none were asked for or the server reports none. */
  readonly logprobs?: readonly TokenReport[] | undefined;
  readonly thinking: string | null;
  readonly doneReason: DoneReason;
  /** Tokens by the server's count. Of a `loop` the server gives none: 0, and the pieces that came, about one a token. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of `promptTokens` what the server had computed for an earlier prompt; absent if it does not report it. */
  readonly cachedTokens?: number | undefined;
  /** Milliseconds that the backend itself reports for the whole call, loading included. */
  readonly modelMs: number;
  /** Milliseconds spent in loading the model. */
  readonly loadMs: number;
  /** Of `modelMs` what went into reading the prompt and into writing the answer; absent if the server does not report it. */
  readonly promptMs?: number | undefined;
  readonly completionMs?: number | undefined;
  /** Whether the answer came from the demo model and not from a model. */
  readonly standin: boolean;
}

export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  /** Tokens of context; absent: what the server gives. */
  readonly numCtx?: number | undefined;
}

export interface EmbeddingResult {
  /** One for each text, in order, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number;
  /** Milliseconds that the backend itself reports. */
  readonly modelMs: number;
  /** Milliseconds spent in loading the model; absent if the server does not report it. */
  readonly loadMs?: number;
  readonly standin: boolean;
}

/** Failures of a call itself, before any answer can be read. */
export const callFailureKinds = ['overflow', 'timeout', 'backend_error', 'cancelled'] as const;
export const callFailureKindSchema = z.enum(callFailureKinds);
export type CallFailureKind = z.infer<typeof callFailureKindSchema>;

/** A call that failed in a way that belongs to the trial's record. */
export class CallFailure extends Error {
  readonly kind: CallFailureKind;
  /** Whether asking again can help. */
  readonly permanent: boolean;

  constructor(kind: CallFailureKind, message: string, permanent: boolean) {
    super(message);
    this.name = 'CallFailure';
    this.kind = kind;
    this.permanent = permanent;
  }
}

/** The backend is away or overloaded: the run pauses and asks again; never part of a trial. */
export class BackendOutage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackendOutage';
  }
}

/** The connection broke under a call though the server is healthy: the caller finds out whose fault it is. */
export class BrokenCall extends CallFailure {
  constructor(message: string) {
    super('backend_error', message, false);
    this.name = 'BrokenCall';
  }
}

/** The server went away during a call that it had started to serve. */
export class DiedUnderCall extends BackendOutage {
  constructor(message: string) {
    super(message);
    this.name = 'DiedUnderCall';
  }
}

export interface ModelInfo {
  readonly name: string;
  /** Content digest of the weights, or null where the backend has none. */
  readonly digest: string | null;
  /** Whether the server only passes its calls on to another machine. */
  readonly remote: boolean;
  /** Tokens of context that every call gets, prompt and answer together; absent if a call sets it or the server does not report it. */
  readonly contextLength?: number | undefined;
}
