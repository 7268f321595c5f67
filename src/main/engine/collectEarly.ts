// How early V8 collects garbage in a process that holds much: large reports and imports.
import { setFlagsFromString } from 'node:v8';

/**
 * Starts a collection when the memory in use has grown by a fifth since the last one, in all threads of the process and until it ends.
 * V8 else lets it grow to three or four times as much. Nothing under Electron, where flags are frozen: setting one would end the process.
 */
export function collectEarly(): void {
  if (process.versions.electron === undefined) setFlagsFromString('--heap-growing-percent=20');
}
