import { type ParseArgsConfig, parseArgs } from 'node:util';
import { commandText, elsewhereOf, ownCall, resolveStorePath } from '../main/engine/engine.ts';
import type { ExitCode } from '../shared/errors.ts';
import { badInput, systemCode } from '../shared/errors.ts';

/** Words about work under way, made again whenever they are shown. */
export interface LiveText {
  /** For one line of a terminal. Where it is too long, the end of `tail` is kept. */
  line(): { readonly head: string; readonly tail: string };
  /** For a file or another program, one line every 15 s. */
  report(): string;
}

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
  /** From now on an interrupt ends the process by its signal: for work in one go, in which no signal is heard. */
  readonly endAtOnce: () => void;
}

type OptionHelp = readonly [flag: string, meaning: string];

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Every word it takes, with what it means; a meaning can have several lines. */
  readonly options: readonly OptionHelp[];
  /** Names of the words other than options where the usage does not say them; as `parseWords` takes them. */
  positionals?(args: readonly string[]): readonly string[];
  /** Nothing is exit code 0. */
  run(words: Words, surroundings: Surroundings): Promise<ExitCode> | Promise<void>;
}

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

export const fired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const usageText = (usage: string): string => `Usage: ${usage.replaceAll(/^assize(?= )|(?<=, or )assize(?= )/g, ownCall)}`;

/** What `--help` prints: summary, usage and the options, aligned. */
export function helpText({ summary, usage, options }: Command): string {
  const width = Math.max(0, ...options.map(([flag]) => flag.length));
  const lines = options.map(
    ([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning.replaceAll('\n', `\n${' '.repeat(width + 4)}`)}\n`,
  );
  return `${summary}\n${usageText(usage)}\n\n${lines.join('')}`;
}

/** The options in a usage: `--name VALUE` is a text, `--name VALUE…` and `[--name VALUE]…` are several, any other a flag. */
function optionsIn(usage: string): NonNullable<ParseArgsConfig['options']> {
  const found = usage.matchAll(/--([a-z-]+)(?: ([^\s|[(-]\S*))?/g);
  return Object.fromEntries(
    Array.from(found, ([, name = '', value]) => [
      name,
      value === undefined ? { type: 'boolean' } : { type: 'string', multiple: value.endsWith('…') },
    ]),
  );
}

/** The words of a usage other than options: `<file>`, `[experiment]`, `<store>…`. */
const positionalsIn = (usage: string): string[] => usage.match(/(?<= )(?:<\S+>…?|\[[^\s\]-][^\s\]]*\])(?= |$)/g) ?? [];

export type Words = ReturnType<typeof parseWords>;

/**
 * Parses a command's words; anything unknown, missing or left over is bad input that names the option.
 * @param usage says which options there are
 * @param positionals names of the words other than options, in brackets where one can be left out; after the last there can be
 * more of its kind if it ends with …; those of the usage
 */
export function parseWords(args: readonly string[], usage: string, positionals: readonly string[] = positionalsIn(usage)) {
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options: optionsIn(usage), allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, ambiguous] = /^Option '(.*)' argument is ambiguous/.exec(message) ?? [];
    const reason =
      ambiguous === undefined
        ? message.split(/\.\s/)[0]
        : `${ambiguous} needs a value (one that starts with a dash: ${ambiguous}=-VALUE)`;
    throw badInput(`${reason}. ${usageText(usage)}`);
  }
  const missing = positionals[parsed.positionals.length];
  if (missing !== undefined && !missing.startsWith('[')) throw badInput(`${missing} is missing. ${usageText(usage)}`);
  const extra = positionals.at(-1)?.endsWith('…') === true ? undefined : parsed.positionals[positionals.length];
  if (extra !== undefined) throw badInput(`${JSON.stringify(extra)} is one word too many. ${usageText(usage)}`);
  const text = (name: string) => {
    const value = parsed.values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    args,
    positionals: parsed.positionals,
    text,
    /** Every value of an option that may be given several times. */
    texts(name: string) {
      const value = parsed.values[name];
      return Array.isArray(value) ? value.map(String) : [];
    },
    flag: (name: string) => parsed.values[name] === true,
    /** A whole number of at least `least`. Throws bad input. */
    whole(name: string, least: number) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least) {
        throw badInput(`${JSON.stringify(value)} is not a whole number of at least ${least}`, `--${name}`);
      }
      return number;
    },
    /** An option without which the command cannot run. Throws bad input, which names all such options that are missing. */
    need(name: string) {
      const value = text(name);
      if (value !== undefined) return value;
      const needed = [...usage.replace(/\[[^\]]*\]/g, '').matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
      const lacking = [...new Set([...needed, name])].filter((each) => parsed.values[each] === undefined);
      const named = lacking.map((each) => `--${each}`).join(', ');
      throw badInput(`${named} ${lacking.length === 1 ? 'is' : 'are'} missing. ${usageText(usage)}`);
    },
  };
}

/** The share that `--prevalence` names, 0-1 exclusive. Throws bad input. */
export function prevalenceIn(words: Words): number | undefined {
  const given = words.text('prevalence');
  if (given === undefined) return undefined;
  const share = /^\d*\.?\d+$/.test(given) ? Number(given) : 0;
  if (share > 0 && share < 1) return share;
  const percentage = Number(given.replace(/%$/, ''));
  const instead = percentage >= 1 && percentage < 100 ? `${percentage / 100} for ${percentage}%` : 'such as 0.05 for 5%';
  throw badInput(`${JSON.stringify(given)} is no share; take a number between 0 and 1: ${instead}`, '--prevalence');
}

/** Path of the store that a command names. Says first of all if it is from elsewhere. */
export function storeNamed(given: string | undefined, say: (line: string) => void): string {
  const path = resolveStorePath(given);
  const why = elsewhereOf(path);
  if (why !== null) {
    say(`FROM ELSEWHERE: ${path}: ${why}.`);
    const copying = commandText('adopt', path, '--into', 'FILE');
    say(`It is only read, its settings do not count, and its results are computed again. To work with it: ${copying}`);
  }
  return path;
}

/** Checks `--ollama`. Throws bad input. */
export function serverUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const field = '--ollama';
  // A bare number would be read as one of the forms of an IPv4 address.
  if (/^:?\d+$/.test(text)) {
    const port = text.replace(':', '');
    throw badInput(`${JSON.stringify(text)} is a port and no address; write it like http://127.0.0.1:${port}`, field);
  }
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw badInput(`${JSON.stringify(text)} is not an address; write it like http://127.0.0.1:11434`, field);
  }
  // Not repeated: a password may be in it, and the record says where calls went.
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw badInput('an address has no user, password, ? or #; write it like http://127.0.0.1:11434', field);
  }
  // A server can listen on these, but clients cannot connect to them everywhere.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href.replace(/\/$/, '');
}

/** The other machines that a command may ask. Throws bad input for an address in place of a host. */
export function allowedHostsIn(words: Words): string[] {
  const hosts = words.texts('allow-host');
  const address = hosts.find((host) => /\/|^([^:]*|\[.*\]):\d+$/.test(host));
  if (address !== undefined) {
    const example = 'give the name or number of a machine, such as gpu.example.org, without http://, port and path';
    throw badInput(`${address} is an address; ${example}`, '--allow-host');
  }
  return hosts;
}

/** The server that a command names, and the other machines that it may ask, of which the user is warned. Throws bad input. */
export function serverWords(words: Words, say: (line: string) => void): { url: string | undefined; allowedHosts: string[] } {
  const allowedHosts = allowedHostsIn(words);
  if (allowedHosts.length > 0) say(`WARNING: cases may be sent to ${allowedHosts.join(', ')}, which is not this machine.`);
  return { url: serverUrl(words.text('ollama')), allowedHosts };
}

/** What kept a server from listening, as bad input where `--port` is at fault; any other error as it is. */
export function portFault(error: unknown, port: number): unknown {
  const code = systemCode(error);
  if (code === 'ERR_SOCKET_BAD_PORT') return badInput(`there is no port ${port}; ports go up to 65535`, '--port');
  if (code === 'EADDRINUSE') return badInput(`port ${port} is in use; take another one, or 0 for any that is free`, '--port');
  if (code === 'EACCES') return badInput(`port ${port} is not allowed here; take one above 1023`, '--port');
  return error;
}
