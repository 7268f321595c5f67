// Processes of each system: their identity, and how to end them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { attempt } from '../../attempt.ts';
import { markVariable } from './environment.ts';

const run = promisify(execFile);
const pollMs = 20;
const killMs = 2_000;
const patienceMs = 10_000;

/** Fields 5, 9 and 22 of /proc/PID/stat, after a name with any characters; null where no such process runs any more. */
function statOf(pid: number): { group: number; flags: number; startTicks: string } | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), null);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  if (stat === null || fields[0] === 'Z' || fields[0] === 'X') return null;
  return { group: Number(fields[2]), flags: Number(fields[6]), startTicks: fields[19] ?? '' };
}

/** `PF_EXITING` of Linux: set before a process gives up its ports, long before it counts as ended. */
const exiting = 0x4;

/** Whether a process has ended or is ending. Only Linux reports it; false on other systems. */
export const hasEnded = (pid: number): boolean =>
  process.platform === 'linux' && ((statOf(pid)?.flags ?? exiting) & exiting) !== 0;

/** When a process began, as its system says: another process of the same number began later. Null: none, or unknown. */
export async function processIdentity(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const found = statOf(pid);
    if (found === null) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${found.startTicks}`;
  }
  const script = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CreationDate.ToFileTimeUtc()`;
  const [program, ...words] =
    process.platform === 'win32'
      ? ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', script]
      : ['ps', '-o', 'lstart=', '-p', String(pid)];
  const options = { timeout: patienceMs, windowsHide: true, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const { stdout } = await run(program, words, options).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}

/** Sends a signal to every process of a group, and says whether there was one to send it to. 0 only looks. */
const signalGroup = (group: number, signal: NodeJS.Signals | 0): boolean => attempt(() => process.kill(-group, signal), false);

const processNumbers = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Whether a process of a group runs. Except on Linux, one that has ended counts until its parent takes note of it. */
function groupRuns(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  return processNumbers().some((pid) => statOf(pid)?.group === group);
}

async function goneWithin(group: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; groupRuns(group); waited += pollMs) {
    if (waited >= milliseconds) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Asks a group to end. Windows has no interrupt for a program without a console: there nothing is asked. */
export function interruptGroup(leader: number): void {
  if (process.platform !== 'win32') signalGroup(leader, 'SIGINT');
}

/** Ends a group at once, and waits until it is gone. On Windows, the process with all that it started. */
export async function killGroup(leader: number): Promise<void> {
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    await once(killer, 'exit').catch(() => undefined);
  } else if (signalGroup(leader, 'SIGKILL')) await goneWithin(leader, killMs);
}

/** Asks a group to end, and kills what is left of it after `patienceMs`. */
export async function endGroup(leader: number, patienceMs: number): Promise<void> {
  interruptGroup(leader);
  if (process.platform === 'win32' || !(await goneWithin(leader, patienceMs))) await killGroup(leader);
}

/** Processes whose environment bears a mark, as far as Linux lets us see it; empty on other systems. */
export function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  // One that has ended meanwhile, or is somebody else's, shows nothing.
  const variables = (pid: number) => attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '').split('\0');
  return processNumbers().filter((pid) => variables(pid).includes(`${markVariable}=${mark}`));
}

/** Kills every process that bears the mark, wherever it went, and waits until it is gone. */
export async function killMarked(mark: string): Promise<void> {
  for (let waited = 0; waited < killMs; waited += pollMs) {
    const left = markedProcesses(mark);
    if (left.length === 0) return;
    // Some may have ended by themselves.
    for (const pid of left) attempt(() => process.kill(pid, 'SIGKILL'), false);
    await sleep(pollMs);
  }
}
