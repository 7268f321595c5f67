import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { root } from './repository.ts';

/**
 * The page, for every host: addresses relative to itself, no inline script or style, nothing turned into a
 * `data:` address, so that it runs under the content policy of `src/shared/api/contentPolicy.ts`.
 */
export default defineConfig({
  root: join(root, 'src/renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: join(root, 'out/renderer'),
    emptyOutDir: true,
    minify: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
    // In one piece with zod, its setting holds before any other piece makes a schema.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'zod', test: /node_modules\/zod\/|zodWithoutCode/ }] } } },
  },
});
