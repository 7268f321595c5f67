// What earlier checks of a store read, in a file that the user names: a check that was cut short goes on, and a later one reads
// only what is new. What is not read again is never called intact (decision 60).
import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { EarlierReport } from '../../../shared/checkpoints.ts';
import { badInput } from '../../../shared/errors.ts';
import type { ChainEnd, StoredEvent } from '../store/events.ts';
import { programVersion } from '../version.ts';
import type { BadRecord } from './chain.ts';

const headerSchema = z.strictObject({ file: z.literal('assize-verify'), format: z.literal(1), program: z.string() });
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** The begin of a check, a chain that it read with its number of events and its head, and its end with the record root. */
const lineSchema = z.union([
  z.tuple([z.string(), z.int().min(1), hash]),
  z.strictObject({ begun: z.iso.datetime() }),
  z.strictObject({ ended: z.iso.datetime(), root: hash }),
]);

/** Characters that are written at once: what a check that is killed loses. */
const mostHeld = 2 ** 15;

interface ReadChain {
  readonly events: number;
  readonly head: string;
  /** When the check began that read it. */
  readonly at: string;
}

interface Earlier {
  readonly chains: ReadonlyMap<string, ReadChain>;
  readonly root: string | null;
  /** Length of the text up to its last whole line. */
  readonly length: number;
  /** Why it is of no use. */
  readonly flaw: string | null;
}

/** How a check uses what earlier ones read, and keeps what it reads itself. */
export interface EarlierCheck {
  /** Whether a chain was read before and has the same number of events and the same head now. */
  hasRead(end: ChainEnd): boolean;
  /** What is wrong with a chain that was read before and did not merely grow, or null. */
  changed(chain: readonly StoredEvent[]): BadRecord | null;
  /** What is wrong where a chain that was read before is not among those that are there, or null. */
  lost(present: ReadonlyMap<string, string>): BadRecord | null;
  /** Keeps that a chain was read and is sound. */
  keep(end: ChainEnd): void;
  /** What is told of it. Nothing is written afterwards. @param root of all chains, where nothing is wrong */
  finish(root: string | null): EarlierReport;
}

/** @throws bad input for a file that no check wrote, so that it is left as it is */
function readEarlier(path: string): Earlier {
  const none = { chains: new Map<string, ReadChain>(), root: null, length: 0 };
  if (!existsSync(path)) return { ...none, flaw: null };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(path, error);
  }
  const lines = text.split('\n');
  // A check that was killed may have left a part of a line.
  const length = Buffer.byteLength(text) - Buffer.byteLength(lines.pop() ?? '');
  const header = headerSchema.safeParse(parsed(lines[0]));
  if (!header.success)
    throw badInput('this file was not written by assize verify --resume; name one that does not exist yet', {
      file: path,
      field: '--resume',
    });
  if (header.data.program !== programVersion)
    return { ...none, flaw: `it is of version ${header.data.program.slice(0, 40)} of the program, which may have checked less` };
  let [at, root]: [string, string | null] = ['', null];
  for (const [place, line] of lines.slice(1).entries()) {
    const { data } = lineSchema.safeParse(parsed(line));
    if (data === undefined || (Array.isArray(data) && at === '')) return { ...none, flaw: `its line ${place + 2} is damaged` };
    if (Array.isArray(data)) none.chains.set(data[0], { events: data[1], head: data[2], at });
    else if ('begun' in data) at = data.begun;
    else root = data.root;
  }
  return { chains: none.chains, root, length, flaw: null };
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}

function unusable(path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return badInput(`the file cannot be read and written (${code})`, { file: path, field: '--resume' });
}

/** Appends lines to the file, which is its owner's alone. */
function appender(path: string, { length }: Earlier) {
  // A link could lead to another file of the user's.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  let file: number;
  try {
    file = openSync(path, flags, 0o600);
  } catch (error) {
    throw unusable(path, error);
  }
  ftruncateSync(file, length);
  let held = '';
  const flush = () => {
    writeSync(file, held);
    held = '';
  };
  const line = (value: unknown) => {
    held += `${JSON.stringify(value)}\n`;
    if (held.length > mostHeld) flush();
  };
  if (length === 0) line({ file: 'assize-verify', format: 1, program: programVersion } satisfies z.infer<typeof headerSchema>);
  line({ begun: new Date().toISOString() });
  flush();
  return {
    line,
    close() {
      flush();
      closeSync(file);
    },
  };
}

const badChain = (trial: string, seq: number, problem: string): BadRecord => ({ trial, seq, kind: 'earlier', problem });

/**
 * Opens the file of earlier checks, or begins one.
 * @param ends of all chains of the store
 * @throws bad input where the file is another one, or cannot be written
 */
export function openEarlierCheck(path: string, ends: readonly ChainEnd[]): EarlierCheck {
  const found = readEarlier(path);
  const isForeign = found.chains.size > 0 && !ends.some(({ chain }) => found.chains.has(chain));
  const flaw = found.flaw ?? (isForeign ? 'it is of another store' : null);
  const chains = flaw === null ? found.chains : new Map<string, ReadChain>();
  const file = flaw === null ? appender(path, found) : null;
  const again: string[] = [];
  let now = 0;
  const same = (one: ReadChain | undefined, { events, hash: head }: ChainEnd) =>
    one !== undefined && one.events === events && one.head === head.toString('hex');
  return {
    hasRead(end) {
      const known = chains.get(end.chain);
      if (known === undefined || !same(known, end)) return false;
      again.push(known.at);
      return true;
    },
    changed(chain) {
      const name = chain[0]?.trial ?? '';
      const known = chains.get(name);
      if (known === undefined || chain[known.events - 1]?.hash.toString('hex') === known.head) return null;
      const place = known.events - 1;
      return badChain(name, place, `the check of ${known.at} read another event here, ${known.head}: it was changed or removed`);
    },
    lost(present) {
      for (const [name, { at }] of chains)
        if (!present.has(name)) return badChain(name, 0, `the check of ${at} read this chain, and it is no longer there`);
      return null;
    },
    keep(end) {
      now += 1;
      if (!same(chains.get(end.chain), end)) file?.line([end.chain, end.events, end.hash.toString('hex')]);
    },
    finish(root) {
      if (root !== null) file?.line({ ended: new Date().toISOString(), root });
      file?.close();
      const times = [...new Set(again)].toSorted();
      return {
        chains_read: now,
        chains_not_read: again.length,
        first: times[0] ?? null,
        last: times.at(-1) ?? null,
        root: again.length === 0 ? null : found.root,
        not_used: flaw,
      };
    },
  };
}
