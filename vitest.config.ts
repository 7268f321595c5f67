import { defineConfig } from 'vitest/config';

/** Tests of code without processes, files and servers: they need no room of their own. */
const pure = ['src/{core,shared,renderer}/**/*.test.ts'];

export default defineConfig(({ mode }) => ({
  test: {
    // The default leaves a core idle, which on two of them doubles the time.
    maxWorkers: '100%',
    // V8 ends processes with several threads by chance where the processor has protection keys for memory:
    // "Check failed: jit_page.has_value()". So no test runs in a thread, and those that start threads do without keys.
    pool: 'forks',
    execArgv: ['--no-memory-protection-keys'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    provide: { exhaustive: mode === 'exhaustive' },
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'process',
          include: ['src/**/*.test.ts', 'build/**/*.test.ts'],
          exclude: pure,
          globalSetup: 'build/freshCommandLine.ts',
        },
      },
    ],
  },
}));
