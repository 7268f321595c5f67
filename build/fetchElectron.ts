import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findElectron } from './electronRuntime.ts';
import { root } from './repository.ts';

type Found = ReturnType<typeof findElectron>;

/** Where the runtime is looked for and fetched from; all as the program has it unless set otherwise. */
export interface Means {
  readonly find: () => Found;
  /** Fetches the runtime; returns what went wrong, in one line, or null. */
  readonly fetch: () => string | null;
  /** File whose time of change is that of the last failure to fetch. */
  readonly note: string;
  readonly now: () => number;
}

const patienceMs = 120_000;
const dayMs = 24 * 3600 * 1000;

/** Runs the installer that comes with the package, which asks GitHub for the runtime. */
function install(): string | null {
  console.error("Fetching Electron's runtime, once …");
  const { status, stderr, error } = spawnSync(process.execPath, [join(root, 'node_modules/electron/install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return null;
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') return 'no answer in time';
  return firstLine(stderr ?? '') ?? 'the installer ended without a word';
}

const firstLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');

const usual: Means = { find: findElectron, fetch: install, note: join(root, 'out/electron-fetch-failed'), now: Date.now };

function failedAt(note: string): number {
  return statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/**
 * Electron's executable, fetched once if need be, or in a sentence why there is none. A failure to fetch is
 * remembered for a day.
 * @param again whether to try to fetch although that failed a short while ago
 */
export function obtainElectron(again: boolean, { find, fetch, note, now }: Means = usual): Found {
  const found = find();
  // Places that the user named are not for us to fill.
  const named = Boolean(process.env.ELECTRON_EXEC_PATH || process.env.ELECTRON_OVERRIDE_DIST_PATH);
  if ('executable' in found || named) return found;
  if (!again && now() - failedAt(note) < dayMs) {
    return { missing: "Electron's runtime could not be fetched a short while ago (npm start -- --fetch tries again)." };
  }
  const problem = fetch();
  const fetched = find();
  if ('executable' in fetched) {
    rmSync(note, { force: true });
    return fetched;
  }
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, `${problem ?? fetched.missing}\n`);
  return { missing: `Electron's runtime cannot be fetched (${problem ?? fetched.missing}).` };
}
