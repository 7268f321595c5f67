import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';

/** Tests of code without processes, files and servers. */
const pure = ['src/{core,shared,renderer}/**/*.test.ts'];

/**
 * Threads start from the built command line, which `freshCommandLine.ts` keeps as new as its sources: from hundreds of sources
 * they take four times as long.
 */
const builtThreads: Plugin = {
  name: 'built threads',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/engine\/(?:queries\/pool|lab\/preparation\/retrievalThread)\.ts$/.test(id)) return null;
    const built = JSON.stringify(join(import.meta.dirname, 'out/headless'));
    const changed = code
      .replace("import.meta.filename.endsWith('.ts')", 'false')
      .replace('join(import.meta.dirname,', `join(${built},`);
    if (!changed.includes(`join(${built}, false ?`)) throw new Error(`${id} starts its thread in another way`);
    return changed;
  },
};

export default defineConfig(({ mode }) => ({
  test: {
    // Many tests wait for processes, servers and disks: two more than there are cores fill these waits.
    maxWorkers: availableParallelism() + 2,
    // Modules as Node gives them: else each access to one outside goes through a proxy, of which the check of boundaries makes millions.
    deps: { interopDefault: false },
    // Half of the time of a short command, and of a worker thread, goes into compiling the program.
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'assize-test-compile-cache'),
      // What a user is asked and allows is no part of a test.
      XDG_CONFIG_HOME: join(tmpdir(), 'assize-test-configuration'),
    },
    // V8 ends processes with several threads by chance where the processor has protection keys for memory:
    // "Check failed: jit_page.has_value()". So no test runs in a thread, and those that start threads do without keys.
    pool: 'forks',
    // Files share a worker one after the other: to start one and load the program takes longer than most files.
    isolate: false,
    execArgv: ['--no-memory-protection-keys'],
    testTimeout: 180_000,
    // Limits only end what hangs: a busy machine is slow.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 180_000,
    provide: { exhaustive: mode === 'exhaustive', kills: { exhaustive: 40, kills: 200 }[mode] ?? 4 },
    tags: [{ name: 'exhaustive', description: 'runs in the exhaustive suite alone: see docs/decisions/0056-two-suites.md' }],
    ...(mode === 'exhaustive' ? {} : { tagsFilter: ['!exhaustive'] }),
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    projects: [
      { extends: true, test: { name: 'pure', include: pure } },
      {
        extends: true,
        plugins: [builtThreads],
        test: {
          name: 'process',
          include: ['src/**/*.test.ts', 'build/**/*.test.ts'],
          exclude: pure,
          globalSetup: ['build/freshCommandLine.ts', 'build/testStores.ts'],
        },
      },
    ],
  },
}));
