import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for stores that many test files begin with: each of them is made once in a run. */
    readonly stores: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'assize-test-stores-'));
  provide('stores', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
