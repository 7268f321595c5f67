// Runs the tests of e2e/engine against a real engine, `llamaCpp`, `ollama` or `vllm`, and says on one line how
// that went. Exit 0 where there is no such engine, 1 where a test failed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countLine, countVitest } from '../count/count.ts';
import { root } from '../repository.ts';
import { findLlamaServer, findOllama, findVllm } from './programs.ts';

const engines = {
  llamaCpp: { name: 'engine', report: 'engine.json', find: findLlamaServer },
  ollama: { name: 'ollama', report: 'ollama.json', find: findOllama },
  vllm: { name: 'vllm', report: 'vllm.json', find: findVllm },
} as const;

const [which] = process.argv.slice(2);
if (which !== 'llamaCpp' && which !== 'ollama' && which !== 'vllm')
  throw new Error(`name an engine: ${Object.keys(engines).join(' or ')}`);
const { name, report, find } = engines[which];

const found = find();
if ('missing' in found) {
  console.log(`${name}: not available (${found.missing})`);
} else {
  const results = join(root, 'test-results');
  const file = join(results, report);
  mkdirSync(results, { recursive: true });
  // Counts as one failure, should the runner die before it writes its own.
  writeFileSync(file, JSON.stringify({ success: false, testResults: [{ status: 'failed', assertionResults: [] }] }));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const words = ['run', '--config', 'vitest.engine.config.ts', '--reporter=default', '--reporter=json'];
  const { status } = spawnSync(process.execPath, [vitest, ...words, `--outputFile.json=${file}`, `e2e/engine/${which}.test.ts`], {
    cwd: root,
    stdio: 'inherit',
  });
  const count = countVitest(JSON.parse(readFileSync(file, 'utf8')));
  console.log(
    `${name}: ${count.failed === 0 ? `${count.passed} passed` : countLine(count)}${count.failed === 0 && count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
  );
  process.exitCode = status === 0 && count.failed === 0 ? 0 : 1;
}
