import { defineConfig } from 'vite';
import { root } from './repository.ts';

/** One file that runs on Node 24 next to better-sqlite3, whose binary cannot be bundled. */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { target: 'node', noExternal: true, external: ['better-sqlite3'] },
  build: {
    ssr: 'src/headless/main.ts',
    target: 'node24',
    outDir: 'out/headless',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rolldownOptions: { output: { format: 'es', entryFileNames: 'main.js' } },
  },
});
