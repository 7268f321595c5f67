// Type-checks the layers that may not use Node with their own tsconfig; the others, tests and tools with the root's, at
// once; what runs in a page during tests with that of e2e/.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { layerOf, layers } from './boundaries/rules.ts';
import { listFiles, root } from './repository.ts';

const compiler = resolve(root, 'node_modules/@typescript/native/bin/tsc');
const inRepository = listFiles(['src/', 'build/', 'bench/', 'e2e/', 'bin/']).filter((path) => /\.(tsx?|js)$/.test(path));
const occupied = layers.filter((layer) => inRepository.some((path) => layerOf(path) === layer));
const rest = ['tsconfig.json', 'e2e/tsconfig.json'];
const strict = new Set(occupied.map(({ tsconfig }) => tsconfig).filter((config) => !rest.includes(config)));
// Those that take what is left come last.
const configs = [...strict, ...rest];
const covered = new Set<string>();
let failed = false;

function fail(message: string): void {
  failed = true;
  console.error(message);
}

/** Compiles one configuration and returns the repository's files that it names itself or imports. */
function compile(config: string): string[] {
  // Each checker checks again what its files import: more of them than cores only cost time.
  const options = ['-p', config, '--noEmit', '--listFiles', '--checkers', String(Math.min(availableParallelism(), 4))];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [compiler, ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  const lines = stdout.split('\n');
  const listed = lines
    .filter((line) => line.startsWith(root + sep))
    .map((line) => relative(root, line.trim()).replaceAll(sep, '/'));
  if (status !== 0) fail(`${config}: the compiler refuses it.\n${lines.filter((line) => !isAbsolute(line)).join('\n')}${stderr}`);
  return listed.filter((path) => !path.startsWith('node_modules/'));
}

for (const config of configs) {
  if (!existsSync(resolve(root, config))) {
    fail(`${config} is missing: every layer that holds files has its own.`);
    continue;
  }
  const listed = compile(config);
  const places = occupied.filter(({ tsconfig }) => tsconfig === config).map(({ place }) => place);
  const isOwn = (path: string) => (strict.has(config) ? places.some((place) => path.startsWith(place)) : !covered.has(path));
  const own = listed.filter(isOwn);
  for (const path of own) covered.add(path);
  if (own.length === 0) fail(`${config} covers no file: its "include" leads nowhere.`);
  else console.log(`${config}: ${own.length} files`);
}

const uncovered = inRepository.filter((path) => !covered.has(path));
if (uncovered.length > 0) fail(`No tsconfig covers ${uncovered.join(', ')}.`);
process.exitCode = failed ? 1 : 0;
