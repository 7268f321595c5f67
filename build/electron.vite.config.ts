import { defineConfig, type UserConfig } from 'vite';
import { root } from './repository.ts';

/**
 * One bundle a process. What stays outside: Electron itself, better-sqlite3 for its binary, and Piscina, which
 * starts a file of its own in its threads.
 */
const bundles: Readonly<Record<string, UserConfig['build']>> = {
  main: {
    ssr: true,
    rolldownOptions: { input: { index: 'src/main/index.ts' }, output: { format: 'es', entryFileNames: '[name].js' } },
  },
  engine: {
    ssr: true,
    rolldownOptions: {
      // The engine looks for its workers beside itself under these names.
      input: {
        main: 'src/main/engine/service/main.ts',
        'query-worker': 'src/main/engine/queries/worker.ts',
        'retrieval-worker': 'src/main/engine/lab/preparation/retrievalWorker.ts',
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  preload: {
    ssr: true,
    // A sandboxed preload script is one file, and CommonJS.
    rolldownOptions: { input: { index: 'src/preload/index.ts' }, output: { format: 'cjs', entryFileNames: '[name].cjs' } },
  },
};

/** Licences of what is bundled, beside the bundle. */
export const license = { fileName: 'licences.md' } as const;

/** Processes under Electron that have a bundle: the modes of this configuration. */
export const electronBundles: readonly string[] = Object.keys(bundles);

export default defineConfig(({ mode }) => {
  const build = bundles[mode];
  if (build === undefined) throw new Error(`--mode must be one of ${electronBundles.join(', ')}, not ${mode}.`);
  return {
    root,
    publicDir: false,
    ssr: { target: 'node', noExternal: true, external: ['electron', 'better-sqlite3', 'piscina'] },
    build: {
      target: 'node24',
      outDir: `out/electron/${mode}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: false,
      license,
      ...build,
    },
  };
});
