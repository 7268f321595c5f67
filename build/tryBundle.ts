// Starts the built command line in a process of its own, in a folder of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { root } from './repository.ts';

const bundle = pathToFileURL(join(root, 'out/headless/main.js')).href;
const folder = mkdtempSync(join(tmpdir(), 'assize-bundle-'));

function start(...args: string[]) {
  const call = `process.exitCode = await (await import(${JSON.stringify(bundle)})).main(${JSON.stringify(args)});`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', call], { cwd: folder, encoding: 'utf8' });
}

/** A command, the exit code that it must end with, and what it must print. */
const trials: readonly [string[], number, string][] = [
  [['--version'], 0, `${manifest.version}\n`],
  [['verify', join(root, 'package.json')], 2, ''],
];

try {
  for (const [args, code, out] of trials) {
    const { status, stdout, stderr } = start(...args);
    if (status !== code || stdout !== out) {
      throw new Error(
        `The bundle does not start: ${args.join(' ')} exits ${status} instead of ${code} and prints\n${stdout}${stderr}`,
      );
    }
  }
  console.log('out/headless/main.js starts');
} finally {
  rmSync(folder, { recursive: true });
}
