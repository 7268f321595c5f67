// Builds and packs the program for the system that it runs on: out/packages. With --dir, only the folder and no installer.
import { join } from 'node:path';
import { build as pack } from 'electron-builder';
import { buildProgram } from '../products.ts';
import { root } from '../repository.ts';
import { packaging } from './config.ts';

const words = process.argv.slice(2);
const unknown = words.filter((word) => word !== '--dir');
if (unknown.length > 0) throw new Error(`--dir is the only option, not ${unknown.join(' ')}.`);

const built = join(root, 'out');
buildProgram(built);
const made = await pack({ projectDir: root, config: packaging(built), dir: words.includes('--dir'), publish: 'never' });
for (const file of made) console.log(file);
