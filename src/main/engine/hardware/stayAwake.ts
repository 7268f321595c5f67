// Keeps the machine from going to sleep during a run. The screen may still turn off.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { toolEnvironment } from './reading.ts';

const setState = '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint state);';
/** ES_CONTINUOUS and ES_SYSTEM_REQUIRED. */
const windowsScript = `$power = Add-Type -MemberDefinition '${setState}' -Name Power -Namespace Assize -PassThru; $power::SetThreadExecutionState([uint32]2147483649); [Console]::In.ReadToEnd()`;

/** What each system has for this: the machine stays awake as long as the program runs, and it ends with its standard input. */
const programs = ({ SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): Partial<Record<NodeJS.Platform, readonly string[]>> => ({
  linux: ['systemd-inhibit', '--what=sleep:idle', '--who=Assize', '--why=A run is under way', 'cat'],
  darwin: ['/usr/bin/caffeinate', '-i', 'cat'],
  win32: [
    `${SystemRoot}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    ...['-NoProfile', '-NonInteractive', '-Command', windowsScript],
  ],
});

/** Whether the machine knows any sleep at all: most virtual machines and containers do not, and Linux says so. */
function knowsSleep(platform: NodeJS.Platform, statesFile: string): boolean {
  if (platform !== 'linux') return true;
  try {
    return readFileSync(statesFile, 'utf8').trim() !== '';
  } catch {
    return false;
  }
}

/** A run that is over by then needs nothing. */
const usualWaitMs = 30_000;
const usualLookMs = 1000;

const mayNot = (why: string) =>
  `The computer may go to sleep before this run is done: ${why}. If it sleeps when nobody uses it, turn that off in its energy ` +
  'settings until then. A run that a sleep interrupts continues when the computer wakes.';

/**
 * Keeps the machine awake while that is wanted, until the function that it returns is called, or this process ends. Where the
 * system has no program for this, or does not allow it, the machine may sleep; a run then continues when it wakes. A machine that
 * knows no sleep is left as it is.
 * @param options.onFailure called once, with what that means and what to do
 * @param options.waitMs milliseconds in which it is wanted before the system is asked
 */
export function stayAwake({
  isWanted = () => true,
  onFailure = () => undefined,
  waitMs = usualWaitMs,
  lookMs = usualLookMs,
  platform = process.platform,
  statesFile = '/sys/power/state',
}: {
  isWanted?: () => boolean;
  onFailure?: (sentence: string) => void;
  waitMs?: number;
  lookMs?: number;
  platform?: NodeJS.Platform;
  statesFile?: string;
} = {}): () => void {
  if (!knowsSleep(platform, statesFile)) return () => undefined;
  const [program, ...words] = programs(process.env)[platform] ?? [];
  let wantedSince: number | null = null;
  let child: ChildProcess | null = null;
  let hasFailed = false;
  const fail = (why: string): void => {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(mayNot(why));
  };
  const letSleep = (): void => {
    const { stdin } = child ?? {};
    child = null;
    (stdin as Writable | null | undefined)?.end();
  };
  const begin = (): void => {
    if (program === undefined) {
      fail('nothing is known on this system that keeps it awake');
      return;
    }
    try {
      const env = toolEnvironment(process.env);
      const begun = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true, env });
      child = begun;
      begun.on('error', () => fail(`${program} cannot be started`));
      // By a signal, all processes of a terminal end together.
      begun.on('exit', (code) => code !== null && child === begun && fail(`${program} is not allowed to keep it awake`));
      // A program that did not start has no standard input.
      (begun.stdin as Writable | null)?.on('error', () => undefined);
      begun.unref();
    } catch {
      fail(`${program} cannot be started`);
    }
  };
  const look = (): void => {
    if (!isWanted()) {
      wantedSince = null;
      letSleep();
      return;
    }
    wantedSince ??= performance.now();
    if (child === null && !hasFailed && performance.now() - wantedSince >= waitMs) begin();
  };
  const timer = setInterval(look, lookMs).unref();
  look();
  return () => {
    clearInterval(timer);
    letSleep();
  };
}
