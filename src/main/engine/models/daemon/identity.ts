import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const patienceMs = 10_000;

/** Field 22 of /proc/PID/stat: clock ticks from boot to the start. The name before it may hold anything, also brackets. */
function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // One that has ended and was not yet taken note of by its parent is gone.
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

async function output(program: string, words: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await run(program, [...words], {
      timeout: patienceMs,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/**
 * When a process began, in the words of its system: a process of another time that got the same number has another
 * one. Null where there is no such process, or the system does not tell.
 */
export async function processIdentity(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const ticks = startTicks(pid);
    if (ticks === null) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  }
  if (process.platform === 'win32') {
    const script = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CreationDate.ToFileTimeUtc()`;
    return output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  }
  return output('ps', ['-o', 'lstart=', '-p', String(pid)]);
}
