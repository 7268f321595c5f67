// Runs every check, or after a build those that are named, also after one has failed, and writes how each went to
// test-results/steps.json: node build/steps.ts [SCRIPT ...]
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './repository.ts';

/**
 * npm scripts. Those of a stage run side by side; the next stage begins when all of them are done. The tests need what
 * `build` makes, and fill each other's waits. The boundaries are among the unit tests.
 */
const named = process.argv.slice(2);
const stages =
  named.length > 0
    ? [['build'], named]
    : [
        ['build', 'types', 'lint', 'dead'],
        ['unit', 'e2e'],
      ];

interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

/** Runs a script. Each of its lines bears its name, since others speak at the same time. */
function run(name: string): Promise<Outcome> {
  const started = performance.now();
  const say = (line: string) => console.log(`${name.padEnd(5)} | ${line}`);
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', say);
  return new Promise((resolve) => {
    const end = (ok: boolean) => resolve({ name, ok, seconds: Number(((performance.now() - started) / 1000).toFixed(1)) });
    child.on('error', (error) => {
      say(error.message);
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });
}

const outcomes: Outcome[] = [];
for (const stage of stages) outcomes.push(...(await Promise.all(stage.map(run))));

writeFileSync(join(results, 'steps.json'), `${JSON.stringify(outcomes, null, 2)}\n`);
console.log('');
for (const { name, ok, seconds } of outcomes) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}  ${seconds} s`);
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
