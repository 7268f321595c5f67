import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSettings } from '../../../src/main/engine/service/settings.ts';

const root = resolve(import.meta.dirname, '../../..');
const program = join(root, 'out/headless/assize.js');

function environment(folder: string, extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH = '', TMPDIR } = process.env;
  // An Ollama of this machine is no part of a test.
  const own = { ASSIZE_OLLAMA: '/nonexistent/ollama' };
  return {
    PATH,
    HOME: folder,
    ASSIZE_LOG_DIR: join(folder, 'log'),
    // Half of the time of a start goes into compiling the program.
    NODE_COMPILE_CACHE: join(tmpdir(), 'assize-test-compile-cache'),
    ...own,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...extra,
  };
}

function finished(child: ChildProcess): Promise<number | null> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((done) => child.once('exit', (code) => done(code)));
}

async function run(words: readonly string[], env: NodeJS.ProcessEnv, expected: readonly number[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await finished(child);
  if (code === null || !expected.includes(code)) throw new Error(`assize ${words.join(' ')} exits ${code}: ${err}`);
  return out;
}

/** Linux lists a process's children; the engine is the only one that the host has. */
function childOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  if (child === undefined || !Number.isInteger(child) || child === 0) throw new Error(`process ${pid} has no child`);
  return child;
}

/** Nothing listens there: a server of the user's own is no part of a test. */
const nowhere = 'http://127.0.0.1:2';

/** As this user set it at an earlier start. */
function setBeforehand(store: string, ollamaUrl: string, home: string): void {
  const { HOME, XDG_CONFIG_HOME } = process.env;
  delete process.env.XDG_CONFIG_HOME;
  process.env.HOME = home;
  try {
    openSettings(store).change({ ollamaUrl });
  } finally {
    Object.assign(process.env, { HOME }, XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME });
  }
}

/** The loopback host in its own process, with its own store and home folder. */
export type RunningHost = Awaited<ReturnType<typeof startHost>>;

/**
 * @param extra environment variables, such as the demo model's profile
 * @param ollamaUrl what the settings say at the start
 */
export async function startHost(extra: Readonly<Record<string, string>> = {}, ollamaUrl = nowhere) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-e2e-'));
  const store = join(folder, 'trials.db');
  const env = environment(folder, extra);
  setBeforehand(store, ollamaUrl, folder);
  const child = spawn(process.execPath, [program, 'web', '--store', store, '--no-open'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const url = await new Promise<string>((found, fail) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const match = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(out);
      if (match !== null) found(match[0]);
    });
    child.once('exit', (code) => fail(new Error(`the host ended with ${code}: ${log}`)));
  });
  return {
    /** Address with the token, as printed. */
    url,
    origin: new URL(url).origin,
    store,
    folder,
    /** What the host wrote to stderr so far. */
    log: () => log,
    /** Process id of the engine that runs now. */
    enginePid: () => childOf(child.pid ?? 0),
    /** Runs a command line of the program on the same store; returns stdout. Throws where it exits otherwise than expected. */
    assize: (words: readonly string[], expected: readonly number[] = [0]) => run(words, env, expected),
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await finished(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
