// Keeps the machine from going to sleep during a run. The screen may still turn off.
import { spawn } from 'node:child_process';
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

/** A run that is over by then needs nothing. */
const usualWaitMs = 30_000;

/**
 * Keeps the machine awake until the function that it returns is called, or this process ends. Where the system has no program
 * for this, or does not allow it, the machine may sleep; a run then continues when it wakes.
 * @param waitMs milliseconds before the system is asked
 */
export function stayAwake(waitMs = usualWaitMs, platform = process.platform): () => void {
  const [program, ...words] = programs(process.env)[platform] ?? [];
  if (program === undefined) return () => undefined;
  let letSleep = (): void => undefined;
  const timer = setTimeout(() => {
    try {
      const env = toolEnvironment(process.env);
      const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true, env });
      child.on('error', () => undefined);
      // A program that did not start has no standard input.
      (child.stdin as Writable | null)?.on('error', () => undefined);
      child.unref();
      letSleep = () => (child.stdin as Writable | null)?.end();
    } catch {
      // A run does not end because its machine may sleep.
    }
  }, waitMs);
  timer.unref();
  return () => {
    clearTimeout(timer);
    letSleep();
  };
}
