// How far the download of a model is, and why it stopped.
import { z } from 'zod';
import type { Pull } from '../../../../shared/api/models.ts';
import { CallFailure } from '../../../../shared/model.ts';
import { assizeCause, reasonOf } from '../dispatcher.ts';
import { HttpFailure } from '../modelServer.ts';

const bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

/** A line of a pull. Ollama leaves out what is zero. */
export const pullLineSchema = z.object({
  status: z.string().transform((text) => text.slice(0, 300)),
  digest: z.string().max(200).optional().catch(undefined),
  total: bytes.default(0),
  completed: bytes.default(0),
});
export type PullLine = z.infer<typeof pullLineSchema>;

/** The stream ended, or was given up, before the server said `success`. */
export class CutPull extends Error {
  constructor(reason = 'the connection ended before the model was there') {
    super(reason);
    this.name = 'CutPull';
  }
}

type PullLayer = Pull['layers'][number];

export interface PullProgress {
  readonly state: 'pulling' | 'verifying';
  readonly status: string;
  readonly layers: readonly PullLayer[];
}

export const nothingPulled: PullProgress = { state: 'pulling', status: 'waiting for the server', layers: [] };

/** Layers beyond these are no longer distinguished: no model has as many. */
const mostLayers = 2000;

/** Whether the server has all of the model, and checks it or puts it in its place. */
export const isWhole = (status: string): boolean =>
  /^(verifying|writing manifest|removing|couldn't remove|success)/i.test(status);

/**
 * The progress of a pull after one more line. The server reports each layer many times: a layer counts once, by the most
 * that was reported of it, and the sum of the totals is what is known so far, not the size of the model. The server can fall
 * back (a part that broke off is fetched again, and what was not yet noted on the disk is lost when it is killed): what is
 * shown stays until it is passed. A layer's last line can lack its last bytes; once the server verifies, all are there.
 */
export function withLine(progress: PullProgress, { status, digest, total, completed }: PullLine): PullProgress {
  if (digest === undefined) {
    if (!isWhole(status)) return { ...progress, state: 'pulling', status };
    return { state: 'verifying', status, layers: progress.layers.map((layer) => ({ ...layer, completed: layer.total })) };
  }
  const layers = [...progress.layers];
  const place = layers.findIndex((layer) => layer.digest === digest);
  const known = layers[place] ?? { digest, total: 0, completed: 0 };
  const most = Math.max(known.total, total);
  const layer = { digest, total: most, completed: Math.max(known.completed, Math.min(completed, most)) };
  if (place !== -1) layers[place] = layer;
  else if (layers.length < mostLayers) layers.push(layer);
  return { state: 'pulling', status, layers };
}

export const sumOf = (layers: readonly PullLayer[]): { completed: number; total: number } => ({
  completed: layers.reduce((sum, layer) => sum + layer.completed, 0),
  total: layers.reduce((sum, layer) => sum + layer.total, 0),
});

const settleMs = 8000;
const leastStepMs = 500;
const leastSeenMs = 1000;

/**
 * How fast one connection fetches: an exponential moving average over `settleMs`, r := r + (1 - exp(-dt / settle)) (d/dt - r),
 * fed at most twice a second. What the server had of a layer at its first report is not counted as fetched. Times are
 * milliseconds of a clock that never goes back.
 */
export function openPullRate(startedAt: number) {
  const layers = new Map<string, number>();
  let fetched = 0;
  let counted = 0;
  let countedAt = startedAt;
  let rate: number | null = null;
  return {
    fetched: () => fetched,
    see({ digest, completed }: PullLine, now: number): void {
      if (digest !== undefined) {
        fetched += Math.max(0, completed - (layers.get(digest) ?? completed));
        layers.set(digest, completed);
      }
      const elapsed = now - countedAt;
      if (elapsed < leastStepMs) return;
      const recent = ((fetched - counted) / elapsed) * 1000;
      const before = rate ?? recent;
      rate = before + (1 - Math.exp(-elapsed / settleMs)) * (recent - before);
      counted = fetched;
      countedAt = now;
    },
    /** Bytes a second; null until a second has been seen. */
    bytesPerSecond: (now: number): number | null => (now - startedAt < leastSeenMs ? null : rate),
  };
}

/** Seconds until `bytes` are there; null where it is not known. */
export function secondsLeft(bytes: number, rate: number | null): number | null {
  return rate === null || rate < 1 ? null : bytes / rate;
}

export interface PullFailure {
  /** Whether asking again cannot help. */
  readonly permanent: boolean;
  /** All of a file was fetched and is thrown away: each further try costs the whole of it. */
  readonly damaged: boolean;
  /** What went wrong, without an end. */
  readonly reason: string;
  readonly remedy: string;
}

const mostWords = 250;

interface Known {
  readonly words: RegExp;
  readonly passes?: true;
  readonly reason: string;
  readonly remedy: string;
}

/** What the server says in which words, as Ollama 0.33 has them, and what can be done. The first that fits counts. */
const known: readonly Known[] = [
  {
    words: /no space left|not enough space|disk (is )?full|disk quota/i,
    reason: 'the disk on which the server keeps its models is full',
    remedy: 'Free some space and pull again: what was fetched is kept.',
  },
  {
    words: /newer version of ollama|\b412:|requires MLX/i,
    reason: 'this model needs another Ollama than the server is',
    remedy: 'Update Ollama and pull again, or take another variant of the model.',
  },
  {
    words: /file does not exist|manifest unknown|invalid model name|insecure protocol|is invalid/i,
    reason: 'there is no model of this name to fetch',
    remedy: 'Check the name and the tag behind the colon: names look like llama3.1:8b.',
  },
  {
    words: /unauthori[sz]ed|access denied|forbidden|HTTP 40[13]/i,
    reason: 'the server is not allowed to fetch this model',
    remedy: 'Sign in with Ollama where the model is private, or take another.',
  },
  {
    words: /permission denied|read-only file system/i,
    reason: 'the server cannot write where it keeps its models',
    remedy: 'Check the permissions of its folder of models.',
  },
  {
    words: /no such host|lookup |network is unreachable|no route to host|dial tcp|TLS handshake|i\/o timeout|max retries/i,
    passes: true,
    reason: 'the server cannot reach its library of models',
    remedy: 'Check the network of the machine it runs on, and pull again: the download resumes.',
  },
];

const again = 'Pull again: the download resumes.';

/** @param server address that was asked, for the words */
export function judgePullFailure(error: unknown, server: string): PullFailure {
  if (error instanceof CutPull) return { permanent: false, damaged: false, reason: error.message, remedy: again };
  const own = assizeCause(error);
  if (own !== undefined) return { permanent: true, damaged: false, reason: own.message, remedy: '' };
  if (!(error instanceof HttpFailure || error instanceof CallFailure)) {
    const reason = `no connection to ${server} (${reasonOf(error)})`;
    return { permanent: false, damaged: false, reason, remedy: 'Start Ollama there and pull again: the download resumes.' };
  }
  const words = error.message.replace(/^the server gave up in mid-answer: /, '').slice(0, mostWords);
  const text = error instanceof HttpFailure ? `HTTP ${error.status}: ${words}` : words;
  if (/digest mismatch/i.test(text)) {
    const remedy = 'Pull again; where it comes again, the network or the disk damages what it carries.';
    return { permanent: false, damaged: true, reason: `a file came damaged (${text})`, remedy };
  }
  const found = known.find((each) => each.words.test(text));
  if (found !== undefined) {
    return { permanent: found.passes !== true, damaged: false, reason: `${found.reason} (${text})`, remedy: found.remedy };
  }
  const permanent = error instanceof HttpFailure && error.status >= 400 && error.status < 500 && error.status !== 429;
  const remedy = permanent ? 'Check the name and the server.' : again;
  return { permanent, damaged: false, reason: `the server says: ${text}`, remedy };
}
