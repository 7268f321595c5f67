import type { OllamaLibrary } from './client.ts';
import { CutPull, type PullLine } from './pullLines.ts';

/** How long the server may be silent, in milliseconds. While it fetches it tells so seventeen times a second. */
export interface PullPatience {
  /** Before its first layer, while it looks for the model. */
  readonly beginning: number;
  readonly fetching: number;
  /** While it reads all of a large model again to check it. */
  readonly verifying: number;
}

export const usualPatience: PullPatience = { beginning: 180_000, fetching: 60_000, verifying: 1_800_000 };

/** One connection. Resolves with success; whatever happens, the connection is closed at the end. Throws as `OllamaLibrary.pull`. */
export async function attemptPull(
  library: Pick<OllamaLibrary, 'pull'>,
  model: string,
  onLine: (line: PullLine) => void,
  signal: AbortSignal,
  patience: PullPatience = usualPatience,
): Promise<void> {
  const silence = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), ms);
  };
  wait(patience.beginning);
  try {
    await library.pull(
      model,
      (line) => {
        wait(line.digest === undefined ? patience.verifying : patience.fetching);
        onLine(line);
      },
      AbortSignal.any([signal, silence.signal]),
    );
  } catch (error) {
    // A connection that nobody answers on any more is one that broke.
    if (silence.signal.aborted && !signal.aborted) throw new CutPull();
    throw error;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
