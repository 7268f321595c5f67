import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { markVariable } from './environment.ts';

const pollMs = 20;
const killMs = 2_000;

/** Sends a signal to every process of a group, and says whether there was one to send it to. 0 only looks. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    // None is left, or none of ours.
    return false;
  }
}

/** State and group of a process by /proc; null where it has ended. The name before them may hold anything, also brackets. */
function stateOf(pid: string): { state: string; group: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return null;
  }
}

/** Whether a process has ended, also where its parent was not told yet. Only Linux tells; false on other systems. */
export function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const found = stateOf(String(pid));
  return found === null || found.state === 'Z' || found.state === 'X';
}

const processNumbers = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** Whether anybody of a group runs. Who has ended counts as there until its parent takes note of it; only Linux tells. */
function groupRuns(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return processNumbers().some((pid) => {
    const found = stateOf(pid);
    return found?.group === group && found.state !== 'Z';
  });
}

/** Whether a group was gone within the time. */
async function goneWithin(group: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; groupRuns(group); waited += pollMs) {
    if (waited >= milliseconds) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Asks a group to end. Windows has no interrupt for a program without a console: there nobody is asked. */
export function interruptGroup(leader: number): void {
  if (process.platform !== 'win32') signalGroup(leader, 'SIGINT');
}

/** Ends a group at once, and waits until it is gone. On Windows, the process with all that it started. */
export async function killGroup(leader: number): Promise<void> {
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    await once(killer, 'exit').catch(() => undefined);
    return;
  }
  if (signalGroup(leader, 'SIGKILL')) await goneWithin(leader, killMs);
}

/** Asks a group to end, and kills what is left of it after `patienceMs`. */
export async function endGroup(leader: number, patienceMs: number): Promise<void> {
  interruptGroup(leader);
  if (process.platform === 'win32' || !(await goneWithin(leader, patienceMs))) await killGroup(leader);
}

/** Processes whose environment bears a mark, as far as Linux lets us see it; empty on other systems. */
export function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${markVariable}=${mark}`;
  return processNumbers()
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(wanted);
      } catch {
        // Ended meanwhile, or somebody else's.
        return false;
      }
    });
}

/** Kills every process that bears the mark, wherever it went, and waits until it is gone. */
export async function killMarked(mark: string): Promise<void> {
  for (let waited = 0; waited < killMs; waited += pollMs) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await sleep(pollMs);
  }
}
