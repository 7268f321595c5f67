// Runs every check, also after one has failed, and writes how each went to test-results/steps.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.ts';

/** npm scripts in the order in which they run: the quick ones first. */
const steps = ['types', 'lint', 'dead', 'boundaries', 'build', 'unit', 'e2e'];

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

const outcomes = steps.map((name) => {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { status, error } = spawnSync('npm', ['run', '--silent', name], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) console.error(error.message);
  return { name, ok: status === 0, seconds: Number(((performance.now() - started) / 1000).toFixed(1)) };
});

writeFileSync(join(results, 'steps.json'), `${JSON.stringify(outcomes, null, 2)}\n`);
console.log('');
for (const { name, ok, seconds } of outcomes) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}  ${seconds} s`);
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
