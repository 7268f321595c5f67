// How much garbage a program leaves that works with many objects.
import { setFlagsFromString } from 'node:v8';

/**
 * Bounds it for the whole process, threads included: else it may take three times the room of what is in use before it is
 * collected. A V8 whose flags are frozen, as those of browsers can be, ends the process instead, so not in Electron.
 */
export function collectEarlier(): void {
  if (process.versions.electron === undefined) setFlagsFromString('--heap-growing-percent=80');
}
