import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const storeModule = resolve(import.meta.dirname, '../store.ts');

export interface Child {
  /** Waits for a line of its output that begins like this, and returns the rest of it. */
  said(word: string): Promise<string>;
  /** Lets it continue: it waits for its input to end. */
  release(): void;
  kill(): void;
  readonly ended: Promise<number | null>;
}

/** The first lines of every child: `path` is the store, `say` writes a line, `released` waits. */
const preamble = `
  const { openStore, openStoreReadOnly } = await import(${JSON.stringify(storeModule)});
  const path = process.argv[1];
  const say = (line) => process.stdout.write(line + '\\n');
  const released = () => new Promise((done) => process.stdin.on('end', done).resume());
`;

/** Starts a process that runs some lines of JavaScript; `as` is the user it runs as, where that is possible. */
export function startChild(path: string, code: string, as?: number): Child {
  const node = [process.execPath, '--input-type=module', '-e', preamble + code, path];
  const [command = '', ...rest] =
    as === undefined ? node : ['setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups', ...node];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  let look = (): void => undefined;
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    look();
  });
  const ended = new Promise<number | null>((done) => {
    child.on('close', (code_) => {
      look();
      done(code_);
    });
  });
  return {
    said(word) {
      return new Promise((done, fail) => {
        look = () => {
          const line = output.split('\n').find((each) => each.startsWith(word));
          if (line !== undefined) done(line.slice(word.length).trim());
          else if (child.exitCode !== null || child.signalCode !== null)
            fail(new Error(`the process ended without ${JSON.stringify(word)}: ${output}`));
        };
        look();
      });
    },
    release: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

/** A user whom permissions bind, or why there is none. Root is not bound by permissions. */
export function ordinaryUser(): { uid: number | undefined; problem: string | null } {
  if (process.platform === 'win32') return { uid: undefined, problem: 'permissions work otherwise on Windows' };
  if (process.getuid?.() !== 0) return { uid: undefined, problem: null };
  const nobody = 65_534;
  const { status } = spawnSync('setpriv', [
    `--reuid=${nobody}`,
    `--regid=${nobody}`,
    '--clear-groups',
    process.execPath,
    '--version',
  ]);
  return status === 0
    ? { uid: nobody, problem: null }
    : { uid: undefined, problem: 'there is no setpriv to become another user with' };
}
