import { defineConfig } from 'vitest/config';

// Apart from the other tests: these need an engine that not every machine has.
export default defineConfig({
  test: { include: ['e2e/engine/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000, fileParallelism: false },
});
