import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Keeps what a test opened until it ends, and then closes the newest first. */
export function kept<T extends { close(): unknown }>(made: T): T {
  onTestFinished(async () => {
    await made.close();
  });
  return made;
}

export function keptFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assize-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
