import { ownCall } from '../main/engine/engine.ts';
import type { ExitCode } from '../shared/errors.ts';
import type { Words } from './options.ts';

/** Words about work under way, made again whenever they are shown. */
export interface LiveText {
  /** For one line of a terminal. Where it is too long, the end of `tail` is kept. */
  line(): { readonly head: string; readonly tail: string };
  /** For a file or another program, one line every 15 s. */
  report(): string;
}

/** What a command gets from its host. */
export interface Surroundings {
  /** Fires at the first interrupt. */
  readonly signal: AbortSignal;
  /** Results: to stdout. Into a file or pipe, the content of a file goes as it is, and other text as a terminal may be given it. */
  readonly out: (text: string, as?: 'file') => void;
  /** The result of a command that takes `--json`: as JSON with it, as text without. */
  readonly tell: (report: object, text: string) => void;
  /** Progress and remarks: to stderr. */
  readonly say: (line: string) => void;
  /** A line that replaces the last such line on a terminal, and is thinned out elsewhere. */
  readonly progress: (line: string) => void;
  /** Shows the text until the function that it returns is called, or the command ends. */
  readonly live: (text: LiveText) => () => void;
  readonly readInput: () => Promise<string>;
  /**
   * From now on an interrupt ends the process by its signal: for work in one go, in which no signal is heard. A temporary copy
   * of a store on a read-only medium then stays until the next one is made.
   */
  readonly endAtOnce: () => void;
}

type OptionHelp = readonly [flag: string, meaning: string];

export interface Command {
  readonly name: string;
  readonly usage: string;
  /** One sentence for the overview. */
  readonly summary: string;
  /** Every word it takes, with what it means; a meaning can have several lines. */
  readonly options: readonly OptionHelp[];
  /** Names of the words other than options where the usage does not say them; as `parseWords` takes them. */
  positionals?(args: readonly string[]): readonly string[];
  run(words: Words, surroundings: Surroundings): Promise<ExitCode>;
}

/** Options that mean the same in every command that has them. */
export const optionHelp = {
  store: ['--store FILE', 'the record; without it ASSIZE_STORE, else the default place of this system'],
  ollama: ['--ollama URL', 'the server; http://127.0.0.1:11435 is the demo model'],
  startOllama: [
    '--start-ollama',
    'where nothing answers at the Ollama of this machine, starts one for the run and ends it afterwards; docs/ollama.md',
  ],
  allowHost: ['--allow-host HOST', 'allows calls to a host that is not this machine; can be given several times'],
  prevalence: [
    '--prevalence P',
    'share of the positive label in another population, such as 0.05: predictive values and accuracy there',
  ],
  json: ['--json', 'prints the result as JSON'],
} as const satisfies Record<string, OptionHelp>;

/** Resolves once the signal has fired. */
export const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** What `--help` prints: summary, usage and the options, aligned. */
export function helpText({ summary, usage, options }: Command): string {
  const width = Math.max(0, ...options.map(([flag]) => flag.length));
  const lines = options.map(
    ([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}\n`,
  );
  return `${summary}\nUsage: ${usage.replaceAll(/^assize(?= )|(?<=, or )assize(?= )/g, ownCall)}\n\n${lines.join('')}`;
}
