// How early V8 collects garbage in a process that holds much: large reports and imports.
import { setFlagsFromString } from 'node:v8';

/** Trials from which on memory counts for more than time. */
const manyTrials = 200_000;

/**
 * Starts a collection when the memory in use has grown by a fifth since the last one, or doubled where few trials are read, in all
 * threads of the process and until it is said again. V8 else lets it grow to three or four times as much: it needs a tenth less time.
 * Nothing under Electron, where flags are frozen: setting one would end the process.
 */
export function collectEarly(trials = Number.POSITIVE_INFINITY): void {
  if (process.versions.electron === undefined) setFlagsFromString(`--heap-growing-percent=${trials > manyTrials ? 20 : 100}`);
}
