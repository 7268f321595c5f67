import type { SupervisorClock } from '../../service/supervisor.ts';
import type { OllamaLibrary } from './client.ts';
import { CutPull, isWhole, type PullLine } from './pullProgress.ts';

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
  let since = clock.now();
  let verifying = false;
  let callOff = () => {};
  const look = () => {
    const silent = clock.now() - since;
    if (silent >= (verifying ? patience.verifying : patience.fetching)) {
      // A connection that nobody answers on any more is one that broke.
      return silence.abort(new CutPull(`the server said nothing for ${Math.round(silent / 1000)} s`));
    }
    if (!verifying && silent >= patience.notice) told.onSilence(Math.round(silent / 1000));
    callOff = clock.after(patience.notice / 10, look);
  };
  look();
  try {
    await library.pull(
      model,
      (line) => {
        since = clock.now();
        verifying = line.digest === undefined && isWhole(line.status);
        told.onLine(line);
      },
      AbortSignal.any([signal, silence.signal]),
    );
  } catch (error) {
    throw silence.signal.aborted && !signal.aborted ? silence.signal.reason : error;
  } finally {
    callOff();
    silence.abort();
  }
}
