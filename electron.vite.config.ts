import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const at = (path: string) => resolve(import.meta.dirname, path);
const output = (name: string, format: 'es' | 'cjs') => ({ format, entryFileNames: name, chunkFileNames: '[name]-[hash].js' });

/** What runs on Node outside of any bundle: a binary of its own, and a package that starts its own file in its threads. */
const external = ['better-sqlite3', 'piscina'];
/** Licences of what is bundled, beside each bundle; as text, which both hosts serve. */
const license = { fileName: 'licences.txt' };

/** The entries of an engine; it finds its workers beside itself, by these names. */
export const engineEntries = {
  engine: at('src/main/engine/service/main.ts'),
  'query-worker': at('src/main/engine/queries/worker.ts'),
  'retrieval-worker': at('src/main/engine/lab/preparation/retrievalWorker.ts'),
};

/**
 * stdlib asks by `eval` whether there are generators, which the content policy refuses, aloud. The page then took another way
 * through a sum than the engine.
 */
const withGenerators: Plugin = {
  name: 'with-generators',
  enforce: 'pre',
  load: (id) => (id.includes('assert-has-generator-support/lib/main.js') ? 'module.exports = () => true;' : null),
};

/**
 * The desktop program: shell and engine, the bridge between shell and page, and the page, which the loopback host serves too.
 * The page uses no inline script or style and no `data:` address, so that it runs under
 * `src/shared/api/contentPolicy.ts`.
 */
export default defineConfig({
  main: {
    build: {
      target: 'node24',
      license,
      externalizeDeps: false,
      rolldownOptions: {
        external,
        input: { index: at('src/main/index.ts'), ...engineEntries },
        output: output('[name].js', 'es'),
      },
    },
  },
  preload: {
    build: {
      target: 'node24',
      license,
      externalizeDeps: false,
      // A sandboxed preload script is one file, and CommonJS.
      rolldownOptions: { input: { index: at('src/preload/index.ts') }, output: output('[name].cjs', 'cjs') },
    },
  },
  renderer: {
    root: at('src/renderer'),
    base: './',
    publicDir: false,
    plugins: [withGenerators, react()],
    server: { host: '127.0.0.1' },
    build: {
      target: 'es2022',
      cssTarget: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
      license,
      minify: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_500,
      rolldownOptions: {
        input: at('src/renderer/index.html'),
        // In one piece with zod, its setting holds before any other piece makes a schema.
        output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules\/zod\/|zodWithoutCode/ }] } },
      },
    },
  },
});
