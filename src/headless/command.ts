import type { ExitCode } from '../shared/errors.ts';

/** What a command gets from its host. */
export interface Surroundings {
  /** Fires at the first interrupt. */
  readonly signal: AbortSignal;
  /** Results: to stdout. */
  readonly out: (text: string) => void;
  /** Progress and remarks: to stderr. */
  readonly say: (line: string) => void;
  /** A line that replaces the last such line on a terminal, and is thinned out elsewhere. */
  readonly progress: (line: string) => void;
  readonly readInput: () => Promise<string>;
}

export interface Command {
  readonly name: string;
  readonly usage: string;
  /** One sentence for the overview. */
  readonly summary: string;
  run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode>;
}
