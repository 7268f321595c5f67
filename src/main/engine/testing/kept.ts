import { onTestFinished } from 'vitest';

/** Keeps what a test opened until it ends, and then closes the newest first. */
export function kept<T extends { close(): unknown }>(made: T): T {
  onTestFinished(async () => {
    await made.close();
  });
  return made;
}
