import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { Framing } from './framing.ts';
import { HttpError } from './machine.ts';

const bodyLimit = 64 * 2 ** 20;

/** One request and its response. */
export class Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #framing: Framing;
  readonly #controller = new AbortController();
  #answered: (status: number) => void = () => {};

  constructor(request: IncomingMessage, response: ServerResponse, framing: Framing) {
    this.#request = request;
    this.#response = response;
    this.#framing = framing;
    // A client that leaves in mid-write is no error of ours; `close` follows.
    response.on('error', () => {});
    response.on('close', () => {
      if (!response.writableEnded) this.#controller.abort();
    });
  }

  /** Aborted when the client has gone before its answer was complete. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called right before the last bytes of an answer are handed over. */
  onAnswered(listener: (status: number) => void): void {
    this.#answered = listener;
  }

  async body(): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = Number(this.#request.headers['content-length'] ?? 0);
    if (size > bodyLimit) throw new HttpError(413, 'request body too large');
    size = 0;
    for await (const part of this.#request) {
      if (!Buffer.isBuffer(part)) continue;
      size += part.length;
      if (size > bodyLimit) throw new HttpError(413, 'request body too large');
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /** A whole answer. */
  json(status: number, value: object): void {
    this.text(
      status,
      'application/json; charset=utf-8',
      JSON.stringify(this.#framing.whole(status, { ...value, standin: true })),
    );
  }

  text(status: number, type: string, text: string): void {
    if (this.#response.destroyed) return;
    this.#answered(status);
    this.#response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
  }

  /** One part of a stream; resolves when the next may be written. */
  async line(value: object): Promise<void> {
    await this.#write(this.#framing.part({ ...value, standin: true }));
  }

  /** Something that is no part of an answer, in the midst of one. */
  async garbage(text: string): Promise<void> {
    await this.#write(this.#framing.garbage(text));
  }

  #begin(): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, { 'content-type': this.#framing.streamType });
  }

  async #write(text: string): Promise<void> {
    if (this.signal.aborted) throw new Error('aborted');
    this.#begin();
    if (this.#response.write(text)) return;
    await new Promise<void>((resolve, reject) => {
      const gone = (): void => reject(new Error('aborted'));
      this.signal.addEventListener('abort', gone, { once: true });
      this.#response.once('drain', () => {
        this.signal.removeEventListener('abort', gone);
        resolve();
      });
    });
  }

  /** The last part of a stream. */
  finish(value: object): void {
    if (this.signal.aborted) throw new Error('aborted');
    this.#begin();
    this.#answered(200);
    this.#response.end(this.#framing.last({ ...value, standin: true }));
  }

  /** Breaks the connection off after what was written has gone out. */
  async cut(): Promise<void> {
    this.#begin();
    await new Promise<void>((resolve) => this.#response.write(' ', () => resolve()));
    this.#response.destroy();
  }

  /** Breaks the connection off at once, as a server that is killed does. */
  reset(): void {
    this.#request.socket.resetAndDestroy();
  }

  /** Ends a stream in good order without the line that would be its last. */
  endEarly(): void {
    this.#begin();
    this.#response.end();
  }

  /** Waits until the client gives up. */
  hang(): Promise<never> {
    return new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    });
  }

  fail(error: unknown): void {
    if (this.signal.aborted || this.#response.writableEnded) return;
    const status = error instanceof HttpError ? error.status : 500;
    const message = error instanceof Error ? error.message : String(error);
    if (this.#response.headersSent) this.finish({ error: message });
    else this.json(status, { error: message });
    // What is left of an oversized body is not read.
    if (status === 413) this.#request.destroy();
  }
}

/** A body as JSON of the given shape. Throws `HttpError` 400. */
export function parseBody<T>(schema: z.ZodType<T>, body: Buffer): T {
  if (body.length === 0) throw new HttpError(400, 'missing request body');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new HttpError(400, `invalid JSON: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.join('.') ?? '';
  if (place === 'model') throw new HttpError(400, 'model is required');
  throw new HttpError(400, place === '' ? (issue?.message ?? 'invalid request') : `${place}: ${issue?.message ?? 'invalid'}`);
}
