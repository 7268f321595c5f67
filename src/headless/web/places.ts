import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const fromSource = import.meta.filename.endsWith('.ts');

/** The program's root: above `src/headless/web`, or above the bundle's `out/headless`. */
const root = resolve(here, fromSource ? '../../..' : '../..');

/** Where the parts of the program are that the loopback host starts or serves. */
export const places = {
  engine: fromSource ? join(root, 'src/main/engine/service/main.ts') : join(here, 'engine.js'),
  screens: join(root, 'out/renderer'),
  resources: join(root, 'resources'),
} as const;
