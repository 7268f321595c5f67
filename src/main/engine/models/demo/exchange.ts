import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import type { Face } from './faces.ts';

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
  /** A whole answer, or a refusal. */
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
    /** One part of a stream. */
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
