import { type BrokenKind, type Exchange, Failure } from './exchange.ts';
import { type DemoModel, fakeDigest } from './models.ts';
import type { Pace } from './profiles.ts';
import { pause } from './slots.ts';
import { unit } from './tokens.ts';

/** Bytes of the template, the second and last file of every model. */
const templateBytes = 1600;

/** The files of a model in the order in which they are fetched, with the digest in hexadecimal; together as large as the model. */
export const layersOf = ({ digest, size }: DemoModel): { readonly digest: string; readonly total: number }[] => [
  { digest: fakeDigest(`${digest} weights`), total: size - templateBytes },
  { digest: fakeDigest(`${digest} template`), total: templateBytes },
];

/** What a demo model keeps when it ends: the next one continues from it, as a server does from its disk. */
export interface DemoDisk {
  /** By name; null until a demo model has put its first ones here. */
  models: Map<string, DemoModel> | null;
  /** Digests of whole layers that were fetched, and the bytes of those that are fetched in part. */
  readonly whole: Set<string>;
  readonly partial: Map<string, number>;
}

export const emptyDisk = (): DemoDisk => ({ models: null, whole: new Set(), partial: new Map() });

/** How a pull breaks off before a line of it, or the error that ends it; null where nothing is wrong. */
export type DecidePullFault = (line: {
  readonly model: string;
  /** Requests for this model before this one, and lines of this answer before this one. */
  readonly earlier: number;
  readonly lines: number;
  readonly status: string;
}) => BrokenKind | { readonly error: string } | null;

/** Breaks off so many of the lines, always the same ones. */
export const cutShare =
  (share: number): DecidePullFault =>
  ({ model, earlier, lines }) =>
    unit(`pull-cut ${model} ${earlier} ${lines}`) < share ? 'cut' : null;

/** Milliseconds between two lines of a layer, and its lines where nothing takes time. */
const [tickMs, steps] = [60, 4];

export type Pulls = ReturnType<typeof openPulls>;

/** `/api/pull`: what is there is not fetched again, and what was begun continues where it was. */
export function openPulls({ whole, partial }: DemoDisk, { timed, pullRate }: Pace, decide: DecidePullFault) {
  const asked = new Map<string, number>();
  let running = 0;

  /** Bytes of a layer that are there, again and again until it is whole. */
  async function* fetchLayer(digest: string, total: number, signal: AbortSignal): AsyncGenerator<number> {
    yield whole.has(digest) ? total : (partial.get(digest) ?? 0);
    let at = performance.now();
    while (!whole.has(digest)) {
      if (timed) await pause(tickMs, signal);
      const now = performance.now();
      const fetched = timed ? (pullRate * (now - at)) / 1000 : total / steps;
      at = now;
      const completed = Math.min(total, Math.round((partial.get(digest) ?? 0) + fetched));
      partial.set(digest, completed);
      if (completed === total && partial.delete(digest)) whole.add(digest);
      yield completed;
    }
  }

  /** Answers a request; `keep` is called when all of the model is there. */
  async function answer(exchange: Exchange, model: DemoModel, stream: boolean, keep: () => void): Promise<void> {
    if (!/^\w[\w.\-/:]*$/.test(model.name)) throw new Failure(400, 'invalid model name');
    const earlier = asked.get(model.name) ?? 0;
    asked.set(model.name, earlier + 1);
    let lines = 0;
    const report = (status: string, more: object = {}): void => {
      const fault = decide({ model: model.name, earlier, lines, status });
      lines += 1;
      if (fault !== null) throw typeof fault === 'string' ? new Failure(fault) : new Failure(500, fault.error);
      if (status === 'success') exchange.finish({ status }, stream);
      else if (stream) exchange.line({ status, ...more });
    };
    running += 1;
    try {
      report('pulling manifest');
      if (/^missing\b/i.test(model.name)) throw new Failure(500, 'pull model manifest: file does not exist');
      for (const { digest, total } of layersOf(model)) {
        for await (const completed of fetchLayer(digest, total, exchange.signal)) {
          // Ollama leaves a zero out.
          const done = completed === 0 ? {} : { completed };
          report(`pulling ${digest.slice(0, 12)}`, { digest: `sha256:${digest}`, total, ...done });
        }
      }
      report('verifying sha256 digest');
      report('writing manifest');
      keep();
      // The last line can go wrong too: the model is there then, and asking again finds it.
      report('success');
    } finally {
      running -= 1;
    }
  }

  return { answer, running: () => running };
}
