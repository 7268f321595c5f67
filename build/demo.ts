import { mkdirSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { main } from '../src/headless/main.ts';
import { startStandin } from '../src/main/engine/engine.ts';

/** The README's demonstration: a made-up model, the sample experiment, its table, and the proof of its record. */

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'out', 'demo');
const store = join(folder, 'assize.db');
const experiment = join(root, 'resources', 'experiments', 'nlsy97-demo.json');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const shown = (word: string) => (word.startsWith(root) ? relative(process.cwd(), word) : word);

/** Shows a command as a user would type it, runs it, and ends the demonstration where it fails. */
async function command(...words: readonly string[]): Promise<void> {
  process.stdout.write(`\n$ npx --no assize ${words.map(shown).join(' ')}\n`);
  const code = await main(words);
  if (code !== 0) throw new Error(`the command ended with exit code ${code}`);
}

const standin = await startStandin({ port: 0 });
try {
  await command('run', experiment, '--store', store, '--ollama', standin.url, '--concurrency', '4');
  await command('stats', 'nlsy97-demo', '--store', store);
  await command('verify', store);
  await command('replay', store);
} finally {
  await standin.close();
}
