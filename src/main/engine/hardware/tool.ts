import { spawn } from 'node:child_process';

/** What came of a run of a tool. It is never an exception: a tool that misbehaves is something to tell, and no fault of the program. */
export type ToolResult =
  | { readonly ended: 'well'; readonly output: string }
  /** It ended with another status than 0; `output` is the standard output and then the standard error. */
  | { readonly ended: 'badly'; readonly code: number | null; readonly output: string }
  | { readonly ended: 'missing' | 'timeout' | 'too-long' };

/** Runs a program with fixed arguments. */
export type RunTool = (program: string, args: readonly string[]) => Promise<ToolResult>;

const mostMilliseconds = 5000;
const mostBytes = 1024 * 1024;

/** Numbers and words as the parsers know them, whatever the user's language; nothing else of the environment is handed on. */
function toolEnvironment({ PATH, Path, SystemRoot, HOME }: NodeJS.ProcessEnv): Record<string, string> {
  const kept = { PATH: PATH ?? Path, SystemRoot, HOME };
  return {
    LC_ALL: 'C',
    LANG: 'C',
    ...Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** What the system says where it has not even the memory to begin. */
function begin(program: string, args: readonly string[]) {
  try {
    return spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'], env: toolEnvironment(process.env), windowsHide: true });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Runs that were left alone and have not ended. */
const hanging = new Set<string>();

/**
 * Runs a program without a shell, for at most five seconds and a mebibyte of output. One that hung and has not ended by now is not
 * started once more: those that a driver holds would grow in number for as long as somebody watches.
 * @param limits in place of these
 */
export function runTool(
  program: string,
  args: readonly string[],
  limits: { readonly milliseconds: number; readonly bytes: number } = { milliseconds: mostMilliseconds, bytes: mostBytes },
): Promise<ToolResult> {
  const asked = JSON.stringify([program, ...args]);
  return new Promise((resolve) => {
    if (hanging.has(asked)) return resolve({ ended: 'timeout' });
    const child = begin(program, args);
    if (child instanceof Error) return resolve({ ended: 'badly', code: null, output: child.message });
    const pieces = { out: [] as Buffer[], err: [] as Buffer[] };
    let bytes = 0;
    const finish = (result: ToolResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    /** A tool that hangs in its driver cannot be killed: it is left alone, and nobody waits for it. */
    const abandon = (ended: 'timeout' | 'too-long') => {
      hanging.add(asked);
      child.once('exit', () => hanging.delete(asked));
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      finish({ ended });
    };
    const timer = setTimeout(() => abandon('timeout'), limits.milliseconds);
    child.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      // A system that is out of processes or files says nothing of the tool.
      finish(code === 'ENOENT' || code === 'EACCES' ? { ended: 'missing' } : { ended: 'badly', code: null, output: message }),
    );
    // Where the system had no files left there are no streams either.
    if (child.pid === undefined) return;
    const collect = (kept: Buffer[]) => (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > limits.bytes) abandon('too-long');
      else kept.push(piece);
    };
    child.stdout.on('data', collect(pieces.out));
    child.stderr.on('data', collect(pieces.err));
    child.once('close', (code) => {
      const text = (kept: readonly Buffer[]) => Buffer.concat(kept).toString('utf8');
      if (code === 0) finish({ ended: 'well', output: text(pieces.out) });
      else finish({ ended: 'badly', code, output: `${text(pieces.out)}${text(pieces.err)}` });
    });
  });
}

/** Why a tool told nothing, as the end of a sentence that begins with its name. Null where it is not installed. */
export function toolTrouble(result: Exclude<ToolResult, { ended: 'well' }>): string | null {
  switch (result.ended) {
    case 'missing':
      return null;
    case 'timeout':
      return 'did not answer in time';
    case 'too-long':
      return 'wrote more than anybody would read';
    case 'badly': {
      const words = result.output.trim().split(/\r?\n/)[0]?.slice(0, 200).replace(/\.+$/, '');
      return `ended with status ${result.code ?? 'unknown'}${words ? `: ${words}` : ''}`;
    }
  }
}
