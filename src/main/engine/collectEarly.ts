// How early V8 collects garbage in a process that holds much: large reports and imports.
import { setFlagsFromString } from 'node:v8';

/** Trials from which on memory counts for more than time. */
const manyTrials = 200_000;

/**
 * Has V8 collect garbage in all threads of the process once the memory in use has grown by a fifth since the last collection, or has
 * doubled where few trials are read. By itself V8 lets it grow to three or four times as much, which takes a tenth less time. The newest
 * call counts, for the engine's main thread too. Nothing under Electron, where flags are frozen: setting one would end the process.
 */
export function collectEarly(trials = Number.POSITIVE_INFINITY): void {
  if (process.versions.electron === undefined) setFlagsFromString(`--heap-growing-percent=${trials > manyTrials ? 20 : 100}`);
}
