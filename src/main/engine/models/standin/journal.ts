import { closeSync, openSync, writeSync } from 'node:fs';

/** A chat or embed request as the stand-in saw it. */
export interface SeenRequest {
  readonly id: number;
  readonly time: string;
  readonly endpoint: string;
  readonly model: string | null;
  /** SHA-256 of the exact body. */
  readonly bodySha256: string;
  readonly seed: number | null;
  readonly messages: number;
  /** Null until the request was answered completely. */
  readonly status: number | null;
}

/** Remembers requests, and writes each to the log when it arrives and again when it is answered. */
export class Journal {
  readonly #requests: SeenRequest[] = [];
  #file: number | null;

  constructor(path: string | undefined) {
    this.#file = path === undefined ? null : openSync(path, 'a');
  }

  list(): SeenRequest[] {
    return [...this.#requests];
  }

  arrived(request: Omit<SeenRequest, 'id' | 'time' | 'status'>): SeenRequest {
    const seen: SeenRequest = { id: this.#requests.length, time: new Date().toISOString(), ...request, status: null };
    this.#requests.push(seen);
    this.#write('arrived', seen);
    return seen;
  }

  answered(id: number, status: number): void {
    const seen = this.#requests[id];
    if (seen === undefined) return;
    this.#requests[id] = { ...seen, status };
    this.#write('answered', { ...seen, time: new Date().toISOString(), status });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  // Written before going on, so that a process that is killed leaves no request out.
  #write(event: 'arrived' | 'answered', seen: SeenRequest): void {
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify({ event, ...seen })}\n`);
  }
}
