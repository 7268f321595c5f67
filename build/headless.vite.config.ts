import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { engineEntries } from '../electron.vite.config.ts';
import { root } from './repository.ts';

/** The entry of the command line, in front of the bundle as `bin/assize.js` is in front of the sources. */
const entry: Plugin = {
  name: 'entry',
  generateBundle() {
    const source = readFileSync(join(root, 'bin/assize.js'), 'utf8').replace('../src/headless/main.ts', './main.js');
    this.emitFile({ type: 'asset', fileName: 'assize.js', source });
  },
};

/**
 * The command line, the engine that `assize web` starts and the engine's workers, side by side: they find each
 * other by these names. They run on Node 24 next to better-sqlite3, whose binary cannot be bundled, and
 * Piscina, which starts each thread from a file in its package.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [entry],
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
