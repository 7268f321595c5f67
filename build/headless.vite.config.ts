import { defineConfig } from 'vite';
import { engineEntries } from '../electron.vite.config.ts';
import { root } from './repository.ts';

/**
 * The command line, the engine that `assize web` starts and the engine's workers, side by side: they find each
 * other by these names. They run on Node 24 next to better-sqlite3, whose binary cannot be bundled, and
 * Piscina, which starts a file of its own in its threads.
 */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { target: 'node', noExternal: true, external: ['better-sqlite3', 'piscina'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'out/headless',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: 'src/headless/main.ts', ...engineEntries },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
    },
  },
});
