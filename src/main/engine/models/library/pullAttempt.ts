import type { SupervisorClock } from '../../service/supervisor.ts';
import type { OllamaLibrary } from './client.ts';
import { CutPull, type PullLine } from './pullLines.ts';
import { isWhole } from './pullProgress.ts';

/** How long the server may be silent, in milliseconds. While it fetches it tells so seventeen times a second. */
export interface PullPatience {
  /** Until its silence is told. */
  readonly notice: number;
  /** While it looks for the model, and while it fetches. */
  readonly fetching: number;
  /** While it reads all of a large model again to check it, and writes down what it has. */
  readonly verifying: number;
}

export const usualPatience: PullPatience = { notice: 10_000, fetching: 60_000, verifying: 1_800_000 };

/** Silence is looked at this often once it is told. */
const stepMs = 5_000;

/** Listens for signs of life. */
interface Listening {
  /** @param verifying whether the next word may take its time */
  heard(verifying: boolean): void;
  end(): void;
}

function listen(
  clock: SupervisorClock,
  patience: PullPatience,
  { onSilence, onEnd }: { onSilence: (seconds: number) => void; onEnd: (seconds: number) => void },
): Listening {
  let since = clock.now();
  let verifying = false;
  let callOff = () => {};
  const limit = () => (verifying ? patience.verifying : patience.fetching);
  const look = () => {
    const silent = clock.now() - since;
    if (silent >= limit()) return onEnd(Math.round(limit() / 1000));
    if (!verifying && silent >= patience.notice) onSilence(Math.round(silent / 1000));
    plan();
  };
  const plan = () => {
    const silent = clock.now() - since;
    const next = verifying || silent >= patience.notice ? limit() : Math.min(patience.notice, limit());
    const step = verifying ? Number.POSITIVE_INFINITY : stepMs;
    callOff = clock.after(Math.max(1, Math.min(next - silent, step)), look);
  };
  plan();
  return {
    heard(now) {
      since = clock.now();
      if (now === verifying) return;
      verifying = now;
      callOff();
      plan();
    },
    end: () => callOff(),
  };
}

/**
 * One connection. Resolves with success; whatever happens, the connection is closed at the end. Throws as
 * `OllamaLibrary.pull`, and `CutPull` where the server has been silent for too long.
 * @param told.onSilence told of seconds without a word while something should come
 */
export async function attemptPull(
  library: Pick<OllamaLibrary, 'pull'>,
  model: string,
  told: { readonly onLine: (line: PullLine) => void; readonly onSilence: (seconds: number) => void },
  { signal, clock, patience }: { readonly signal: AbortSignal; readonly clock: SupervisorClock; readonly patience: PullPatience },
): Promise<void> {
  const silence = new AbortController();
  let silent: number | null = null;
  const listening = listen(clock, patience, {
    onSilence: told.onSilence,
    onEnd(seconds) {
      silent = seconds;
      silence.abort();
    },
  });
  try {
    await library.pull(
      model,
      (line) => {
        listening.heard(line.digest === undefined && isWhole(line.status));
        told.onLine(line);
      },
      AbortSignal.any([signal, silence.signal]),
    );
  } catch (error) {
    // A connection that nobody answers on any more is one that broke.
    if (silent !== null && !signal.aborted) throw new CutPull(`the server said nothing for ${silent} s`);
    throw error;
  } finally {
    listening.end();
    silence.abort();
  }
}
