// What one source reports of the GPUs, and how its tools are run.
import { execFile } from 'node:child_process';
import type { Gpu } from '../../../shared/api/hardware.ts';

export interface GpuReading {
  readonly gpus: readonly Gpu[];
  readonly notes: readonly string[];
  /**
   * `absent`: this machine has no such source. `reported`: what it says counts, also that there is no GPU.
   * `failed`: it could not report all this time, and mostly nothing; earlier reports may still be true.
   */
  readonly state: 'absent' | 'reported' | 'failed';
  /** A graphics driver is broken or missing although there is a card. */
  readonly driverTrouble: boolean;
}

export const absent: GpuReading = { gpus: [], notes: [], state: 'absent', driverTrouble: false };

export const reported = (gpus: readonly Gpu[], notes: readonly string[] = []): GpuReading => ({
  gpus,
  notes,
  state: 'reported',
  driverTrouble: false,
});

export const failed = (note: string): GpuReading => ({ gpus: [], notes: [note], state: 'failed', driverTrouble: false });

export const unreported = {
  memory_used: null,
  utilisation: null,
  temperature: null,
  power: null,
  driver: null,
  unified: false,
} satisfies Partial<Gpu>;

export type ToolResult =
  | { readonly ended: 'well'; readonly output: string }
  /** It ended with another status than 0; `output` is the standard output and then the standard error. */
  | { readonly ended: 'badly'; readonly code: number | null; readonly output: string }
  | { readonly ended: 'missing' | 'timeout' | 'too-long' };

export type RunTool = (program: string, args: readonly string[]) => Promise<ToolResult>;

/** Numbers and words as the parsers know them, in any language of the user; nothing else of the environment is passed on. */
export function toolEnvironment({ PATH, Path, SystemRoot, HOME }: NodeJS.ProcessEnv): Record<string, string> {
  const kept = { LC_ALL: 'C', LANG: 'C', PATH: PATH ?? Path, SystemRoot, HOME };
  return Object.fromEntries(Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const hanging = new Set<string>();

/**
 * Runs a program without a shell, for at most five seconds and a mebibyte of output. A tool that hangs in its driver cannot
 * be killed: the program does not wait for it, and does not start it again before it has ended.
 * @param limits in place of these
 */
export function runTool(
  program: string,
  args: readonly string[],
  limits: { readonly milliseconds: number; readonly bytes: number } = { milliseconds: 5000, bytes: 1024 * 1024 },
): Promise<ToolResult> {
  const asked = JSON.stringify([program, ...args]);
  if (hanging.has(asked)) return Promise.resolve({ ended: 'timeout' });
  return new Promise((resolve) => {
    const options = {
      env: toolEnvironment(process.env),
      maxBuffer: limits.bytes,
      windowsHide: true,
      killSignal: 'SIGKILL',
    } as const;
    const child = execFile(program, [...args], options, (error, output, errors) => {
      clearTimeout(timer);
      hanging.delete(asked);
      const code = error?.code as number | string | null | undefined;
      if (error === null) resolve({ ended: 'well', output });
      else if (code === 'ENOENT' || code === 'EACCES') resolve({ ended: 'missing' });
      else if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve({ ended: 'too-long' });
      // A system that is out of processes or files says nothing of the tool.
      else if (typeof code === 'string') resolve({ ended: 'badly', code: null, output: error.message });
      else resolve({ ended: 'badly', code: code ?? null, output: `${output}${errors}` });
    });
    const timer = setTimeout(() => {
      hanging.add(asked);
      child.kill('SIGKILL');
      child.unref();
      resolve({ ended: 'timeout' });
    }, limits.milliseconds);
  });
}
