// A request of the demo model and its answer, in Ollama's interface and in OpenAI's.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { isRecord } from '../../../../core/answers/fields.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Ollama's format, a JSON object a line; the demo model itself thinks in its words. */
export const ollamaFace = {
  streamType: 'application/x-ndjson',
  part: line,
  /** The end of a stream, by success or by an error. */
  last: line,
  /** Something that is no part of an answer, where one should be. */
  garbage: (text: string): string => `${text}\n`,
  whole: (_status: number, value: object): object => value,
};
type Face = typeof ollamaFace;

/** A part of a chat in Ollama's words; the figures come with its last part. */
interface Said {
  readonly model: string;
  readonly message: { readonly content: string; readonly thinking?: string };
  readonly done_reason?: string;
  readonly logprobs?: readonly object[];
  readonly prompt_eval_count: number;
  readonly prompt_eval_duration: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}
const isSaid = (value: object): value is Said => 'message' in value;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A chat, whole (`message`) or in part (`delta`). */
function completion(said: Said, field: 'delta' | 'message', finish: string | null): object {
  const { content, thinking } = said.message;
  const message = { role: 'assistant', content, ...(thinking === undefined ? {} : { reasoning_content: thinking }) };
  const logprobs = said.logprobs === undefined ? null : { content: said.logprobs };
  const object = field === 'delta' ? 'chat.completion.chunk' : 'chat.completion';
  const choices = [{ index: 0, [field]: message, logprobs, finish_reason: finish }];
  return { id: 'chatcmpl-standin', object, created: 0, model: said.model, standin: true, choices };
}

const figures = ({ prompt_eval_count: prompt, eval_count: answer, ...said }: Said) => ({
  usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  timings: { prompt_ms: said.prompt_eval_duration / 1e6, predicted_ms: said.eval_duration / 1e6 },
});

/** An error as llama.cpp's server writes it, one that Ollama passes on from there unwrapped; other answers as they are. */
function plain(status: number, value: object): object {
  const message = isRecord(value) ? value.error : undefined;
  if (typeof message !== 'string') return value;
  if (message.startsWith('{"error":')) return { ...JSON.parse(message), standin: true };
  return { error: { code: status, message, type: status < 500 ? 'invalid_request_error' : 'server_error' }, standin: true };
}

/** OpenAI's: server-sent events, and errors as objects. */
export const openaiFace: Face = {
  streamType: 'text/event-stream',
  part: (value) => event(isSaid(value) ? completion(value, 'delta', null) : value),
  last(value) {
    if (!isSaid(value)) return event(plain(500, value));
    const end = completion(value, 'delta', value.done_reason ?? 'stop');
    return `${event(end)}${event({ ...end, choices: [], ...figures(value) })}data: [DONE]\n\n`;
  },
  garbage: (text) => `data: ${text}\n\n`,
  whole: (status, value) =>
    isSaid(value) ? { ...completion(value, 'message', value.done_reason ?? 'stop'), ...figures(value) } : plain(status, value),
};

/** `cut` breaks the connection off after what was said, `reset` at once; `end` ends the stream without its last line. */
export type BrokenKind = 'cut' | 'reset' | 'end';

/** A refusal with the status that Ollama would send, or an answer that breaks off on purpose. */
export class Failure extends Error {
  readonly status: number | BrokenKind;

  constructor(status: number | BrokenKind, message = 'the answer breaks off') {
    super(message);
    this.status = status;
  }
}

const bodyLimit = 64 * 2 ** 20;

/** Reads a body whole. Throws `Failure` 413 for one that is announced as too large. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw new Failure(413, 'request body too large');
  return buffer(request);
}

export type Exchange = ReturnType<typeof openExchange>;

export function openExchange(request: IncomingMessage, response: ServerResponse, face: Face) {
  const gone = new AbortController();
  let answered: (status: number) => void = () => {};
  // A client that leaves in mid-write is no error of ours; `close` follows.
  response.on('error', () => {});
  response.on('close', () => {
    if (!response.writableEnded) gone.abort();
  });
  const begun = (): ServerResponse => {
    gone.signal.throwIfAborted();
    return response.headersSent ? response : response.writeHead(200, { 'content-type': face.streamType });
  };
  const text = (status: number, said: string, type = 'text/plain; charset=utf-8'): void => {
    if (response.destroyed) return;
    answered(status);
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(said) }).end(said);
  };
  const json = (status: number, value: object): void =>
    text(status, JSON.stringify(face.whole(status, { ...value, standin: true })), 'application/json; charset=utf-8');
  /** The last part of a stream, or the whole answer where none was asked for. */
  const finish = (value: object, stream: boolean): void => {
    const open = stream ? begun() : null;
    if (open === null) json(200, value);
    else {
      answered(200);
      open.end(face.last({ ...value, standin: true }));
    }
  };
  return {
    text,
    json,
    finish,
    /** Aborted when the client has gone before its answer was complete. */
    signal: gone.signal,
    /** @param listener called right before the last bytes of an answer are handed over */
    onAnswered: (listener: (status: number) => void): void => {
      answered = listener;
    },
    line: (value: object): void => void begun().write(face.part({ ...value, standin: true })),
    /** Something that is no part of an answer, in the midst of one. */
    garbage: (said: string): void => void begun().write(face.garbage(said)),
    fail: (error: unknown): void => {
      if (gone.signal.aborted || response.writableEnded) return;
      const status = error instanceof Failure ? error.status : 500;
      if (typeof status === 'string') {
        if (status === 'reset') request.socket.resetAndDestroy();
        else if (status === 'end') begun().end();
        else begun().write(' ', () => response.destroy());
        return;
      }
      const said = { error: error instanceof Error ? error.message : String(error) };
      if (response.headersSent) finish(said, true);
      else json(status, said);
      // What is left of an oversized body is not read.
      if (status === 413) request.destroy();
    },
  };
}

/** A body as JSON of the given shape. Throws `Failure` 400. */
export function parseBody<T>(schema: z.ZodType<T>, body: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new Failure(400, `invalid JSON: ${String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new Failure(400, place === 'model' ? 'model is required' : `${place}: ${issue?.message ?? 'invalid'}`);
}
