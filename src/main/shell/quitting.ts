export interface QuittableProgram {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

/** Time for runs to put what they hold on the record. The record is valid without it too: the next start continues from there. */
export const stopTimeMs = 10_000;

/** Ends runs in order first: the first wish to quit waits for the engine. @param stop resolves when it is gone, or too late */
export function quitInOrder(program: QuittableProgram, stop: (timeoutMs: number) => Promise<void>): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  program.on('before-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void stop(stopTimeMs).finally(() => {
      state = 'stopped';
      program.quit();
    });
  });
}
