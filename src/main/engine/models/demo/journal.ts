import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { attempt } from '../../attempt.ts';

/** A chat or embed request as the demo model saw it. */
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

/** What a log line says of a body; missing values are null or 0. */
function glance(body: Buffer): Pick<SeenRequest, 'model' | 'seed' | 'messages'> {
  const { model = null, options, seed = null, messages, input } = attempt(() => JSON.parse(body.toString('utf8')), null) ?? {};
  return { model, seed: options?.seed ?? seed, messages: (messages ?? input)?.length ?? 0 };
}

/** Remembers requests, and writes each to the log when it arrives and again when it is answered. */
export function openJournal(path: string | undefined) {
  const requests: SeenRequest[] = [];
  const file = path === undefined ? null : openSync(path, 'a');
  // Written before going on, so that a process that is killed leaves no request out.
  const write = (event: 'arrived' | 'answered', seen: SeenRequest): void => {
    if (file !== null) writeSync(file, `${JSON.stringify({ event, ...seen })}\n`);
  };
  return {
    requests,
    arrived: (endpoint: string, body: Buffer): SeenRequest => {
      const bodySha256 = createHash('sha256').update(body).digest('hex');
      const time = new Date().toISOString();
      const seen = { id: requests.length, time, endpoint, ...glance(body), bodySha256, status: null };
      requests.push(seen);
      write('arrived', seen);
      return seen;
    },
    answered: (seen: SeenRequest, status: number): void => {
      requests[seen.id] = { ...seen, status };
      write('answered', { ...seen, time: new Date().toISOString(), status });
    },
    close: (): void => {
      if (file !== null) closeSync(file);
    },
  };
}
