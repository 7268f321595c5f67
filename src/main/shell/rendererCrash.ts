/** The contents of a window, as far as the end of its process is about. */
export interface CrashableContents {
  on(event: 'render-process-gone', listener: (event: unknown, details: { readonly reason: string }) => void): unknown;
  reload(): void;
}

export interface CrashNotices {
  /** Says that the page was loaded again. */
  reloaded(): void;
  /** Asks whether to try again; otherwise the program ends. */
  askAgain(): Promise<boolean>;
  quit(): void;
}

const windowMs = 60_000;

/** Loads a page again whose process died, but not twice within a minute. Runs continue. @param now milliseconds, never back */
export function recoverFromCrashes(contents: CrashableContents, notices: CrashNotices, now: () => number): void {
  let last = Number.NEGATIVE_INFINITY;
  contents.on('render-process-gone', async (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const again = now() - last < windowMs;
    last = now();
    if (!again) {
      contents.reload();
      notices.reloaded();
    } else if (await notices.askAgain()) contents.reload();
    else notices.quit();
  });
}
