// Runs every bench, or those that are named, one after the other, also after one has failed, and writes what they printed to
// bench-results.json: node bench/main.ts [NAME ...]. Ends with 1 if one missed a goal or failed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../build/repository.ts';
import { machine, rounded } from './support/lines.ts';

const named = process.argv.slice(2);
/** `engines` and `soak` have commands of their own. */
const benches = [
  ...['trialSize', 'bootstrap', 'statistics', 'simulations', 'coverage', 'changes', 'anytime', 'retrieval', 'schedule'],
  ...['throughput', 'store', 'growth', 'search', 'chart', 'screens', 'rendererMemory', 'promptCache'],
];

interface Result {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
  /** As printed; of JSON its value, in which `met` says whether a goal was met. */
  readonly lines: readonly unknown[];
}

async function resultOf(name: string): Promise<Result> {
  const began = performance.now();
  const bench = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: unknown[] = [];
  createInterface({ input: bench.stdout }).on('line', (line) => {
    console.log(`${name} | ${line}`);
    lines.push(line.startsWith('{') ? JSON.parse(line) : line);
  });
  const [code] = await once(bench, 'close');
  return { name, ok: code === 0, seconds: rounded((performance.now() - began) / 1000, 1), lines };
}

const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], { cwd: root });
const about = { date: new Date().toISOString(), commit: commit.toString().trim(), ...machine() };
const results: Result[] = [];
for (const name of named.length > 0 ? named : benches) {
  results.push(await resultOf(name));
  // After each, since all together take hours.
  writeFileSync(join(root, 'bench-results.json'), `${JSON.stringify({ ...about, benches: results }, null, 2)}\n`);
}
console.log('');
for (const { name, ok, seconds } of results) console.log(`${ok ? 'ok    ' : 'MISSED'}  ${name}  ${seconds} s`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
