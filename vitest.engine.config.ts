import { defineConfig } from 'vitest/config';

// Apart from the other tests: these need an engine that not every machine has, and vLLM takes minutes to start.
export default defineConfig({
  test: { include: ['e2e/engine/*.test.ts'], testTimeout: 900_000, hookTimeout: 900_000, fileParallelism: false },
});
