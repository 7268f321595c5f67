// Starts the built command line in its own process and folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { apiOf, ask, connect, tokenOf } from '../src/headless/web/testing.ts';
import { root } from './repository.ts';

const bundle = pathToFileURL(join(root, 'out/headless/main.js')).href;
const folder = mkdtempSync(join(tmpdir(), 'assize-bundle-'));

function wordsOf(args: readonly string[]): string[] {
  const call = `process.exitCode = await (await import(${JSON.stringify(bundle)})).main(${JSON.stringify(args)});`;
  return ['--input-type=module', '--eval', call];
}

/** A command, the exit code that it must end with, and what it must print. */
const trials: readonly [string[], number, string][] = [
  [['--version'], 0, `${manifest.version}\n`],
  [['verify', join(root, 'package.json')], 2, ''],
];

/** Runs a command to the end. Throws where it ends otherwise than expected. */
function tryCommand([args, code, out]: (typeof trials)[number]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, wordsOf(args), { cwd: folder, encoding: 'utf8' });
  if (status !== code || stdout !== out) {
    throw new Error(
      `The bundle does not start: ${args.join(' ')} exits ${status} instead of ${code} and prints\n${stdout}${stderr}`,
    );
  }
}

/** Asks the built loopback host for its page, and the engine and its worker behind it for what they have. */
async function tryWeb(): Promise<void> {
  const words = wordsOf(['web', '--no-open', '--store', join(folder, 'store.db')]);
  // An Ollama of this machine is no part of a build.
  const env = { ...process.env, ASSIZE_OLLAMA: '/nonexistent/ollama' };
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const line = await Promise.race([once(child.stdout, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`The built web host ends with ${child.exitCode}.`);
    const url = new URL(String(line[0]).trim());
    const page = await ask(Number(url.port), '/');
    if (page.status !== 200) throw new Error(`The built web host answers ${page.status} for its page.`);
    const client = await connect(Number(url.port), { token: tokenOf(url) });
    const status = await apiOf(client).engine.status({});
    const { experiments } = await apiOf(client).experiments.list({});
    if (status.version !== manifest.version || experiments.length > 0) {
      throw new Error(`The built engine answers ${JSON.stringify({ status, experiments })}`);
    }
    client.socket.close();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

try {
  for (const trial of trials) tryCommand(trial);
  console.log('out/headless/main.js starts');
  await tryWeb();
  console.log('its web host, engine and worker answer');
} finally {
  rmSync(folder, { recursive: true });
}
