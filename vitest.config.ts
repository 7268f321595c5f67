import { defineConfig } from 'vitest/config';

/** Tests of code without processes, files and servers: they need no room of their own. */
const pure = ['src/{core,shared,renderer}/**/*.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    // The default leaves a core idle, which on two of them doubles the time.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    provide: { exhaustive: mode === 'exhaustive' },
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, pool: 'threads', isolate: false } },
      { extends: true, test: { name: 'process', include: ['src/**/*.test.ts', 'build/**/*.test.ts'], exclude: pure } },
    ],
  },
}));
