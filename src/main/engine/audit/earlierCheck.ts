// What earlier checks of a store read, in a file that the user names: a check that was cut short continues, and a later one reads
// only what is new. What is not read again is never called intact (decision 60).
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { badInput, systemCode } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import type { ChainEnd, StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import type { BadRecord } from './chain.ts';

const format = 2;
const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Every format begins like this. */
const anyHeaderSchema = z.looseObject({ file: z.literal('assize-verify'), format: z.int(), program: z.string() });
const headerSchema = z.strictObject({ ...anyHeaderSchema.shape, format: z.literal(format), store: hash });
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

/** Tells stores apart, even with equal experiments: by the log's random name, or in older formats by the first, salted hash. */
const identityOf = ({ log, events }: Store): string =>
  toHex(hashParts(['assize/verify-store', log.origin() || (events.first() ?? '')]));

/** @throws bad input for a file that no check wrote, so that it is left as it is */
function readEarlier(path: string, store: string): Earlier {
  const none = { chains: new Map<string, ReadChain>(), root: null, length: 0 };
  if (!existsSync(path)) return { ...none, flaw: null };
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
  // A check that was killed may have left a part of a line.
  const length = bytes.lastIndexOf('\n') + 1;
  const whole = bytes.subarray(0, length);
  const [first, ...lines] = whole.toString().split('\n').slice(0, -1);
  const header = anyHeaderSchema.safeParse(parsed(first));
  if (!header.success)
    throw badInput('this file was not written by assize verify --resume; name one that does not exist yet', {
      file: path,
      field: '--resume',
    });
  const flaw = headerFlaw(header.data, store) ?? (isUtf8(whole) ? null : 'a part of it is not text');
  if (flaw !== null) return { ...none, flaw };
  let [at, root]: [string, string | null] = ['', null];
  for (const [place, line] of lines.entries()) {
    const { data } = lineSchema.safeParse(parsed(line));
    if (data === undefined || (Array.isArray(data) && at === ''))
      return { ...none, chains: new Map(), flaw: `its line ${place + 2} is damaged` };
    if (Array.isArray(data)) none.chains.set(data[0], { events: data[1], head: data[2], at });
    else if ('begun' in data) at = data.begun;
    else root = data.root;
  }
  return { chains: none.chains, root, length, flaw: null };
}

/** Why a file that begins like this is not used, or null. */
function headerFlaw(header: z.infer<typeof anyHeaderSchema>, store: string): string | null {
  if (header.program !== programVersion)
    return `it is of version ${header.program.slice(0, 40)} of the program, which may have checked less`;
  if (header.format !== format) return `it has format ${header.format}, and this program reads format ${format}`;
  const { data } = headerSchema.safeParse(header);
  if (data === undefined) return 'its first line is damaged';
  return data.store === store ? null : 'it is of another store, or of this one in an older format';
}

const parsed = (line = ''): unknown => attempt(() => JSON.parse(line), undefined);

function unusable(path: string, error: unknown): Error {
  return badInput(`the file cannot be read and written (${systemCode(error) ?? 'unknown reason'})`, {
    file: path,
    field: '--resume',
  });
}

/** Opens the file, which only its owner can read, without what follows its last whole line. */
function openCut(path: string, length: number): number {
  // A link could lead to another file of the user's.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
  let file: number | null = null;
  try {
    file = openSync(path, flags, 0o600);
    ftruncateSync(file, length);
    return file;
  } catch (error) {
    if (file !== null) closeSync(file);
    throw unusable(path, error);
  }
}

function appender(path: string, length: number, store: string) {
  const file = openCut(path, length);
  let held = '';
  const flush = () => {
    let rest = Buffer.from(held);
    held = '';
    // One call can write a part.
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
  };
  const line = (value: unknown) => {
    held += `${JSON.stringify(value)}\n`;
    if (held.length > mostHeld) flush();
  };
  try {
    if (length === 0)
      line({ file: 'assize-verify', format, program: programVersion, store } satisfies z.infer<typeof headerSchema>);
    line({ begun: new Date().toISOString() });
    // An empty file would be refused the next time.
    flush();
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    line,
    close() {
      try {
        flush();
      } finally {
        closeSync(file);
      }
    },
  };
}

const badChain = (trial: string, seq: number, problem: string): BadRecord => ({ trial, seq, kind: 'earlier', problem });

export type EarlierCheck = ReturnType<typeof openEarlierCheck>;

/** Opens the file of earlier checks, or starts one; the caller closes it. @throws bad input for another or unwritable file */
export function openEarlierCheck(path: string, store: Store) {
  const identity = identityOf(store);
  const { flaw, ...found } = readEarlier(path, identity);
  const { chains } = found;
  let now = 0;
  const same = ({ chain, events, hash: head }: ChainEnd) => {
    const known = chains.get(chain);
    return known !== undefined && known.events === events && known.head === head.toString('hex');
  };
  const { true: unread = [], false: wanted = [] } = Object.groupBy(store.events.ends(), (end) => `${same(end)}` as const);
  // Last, so that nothing can fail while the file is open and is never closed.
  const file = flaw === null ? appender(path, found.length, identity) : null;
  return {
    /** Chains that were read before and have the same number of events and the same head now. */
    unread,
    wanted,
    /** What is wrong with a chain that was read before and changed in another way than by growing, or null. */
    changed(chain: readonly StoredEvent[]) {
      const name = chain[0]?.trial ?? '';
      const known = chains.get(name);
      if (known === undefined || chain[known.events - 1]?.hash.toString('hex') === known.head) return null;
      const place = known.events - 1;
      return badChain(name, place, `the check of ${known.at} read another event here, ${known.head}: it was changed or removed`);
    },
    /** What is wrong where a chain that was read before is not among those that are there, or null. */
    lost(present: ReadonlyMap<string, string>) {
      for (const [name, { at }] of chains)
        if (!present.has(name)) return badChain(name, 0, `the check of ${at} read this chain, and it is no longer there`);
      return null;
    },
    /** Keeps that a chain was read and is sound. */
    keep(end: ChainEnd) {
      now += 1;
      if (!same(end)) file?.line([end.chain, end.events, end.hash.toString('hex')]);
    },
    /** The report. Notes the end of the check. @param root of all chains, where nothing is wrong */
    finish(root: string | null) {
      if (root !== null) file?.line({ ended: new Date().toISOString(), root });
      const times = [...new Set(unread.map(({ chain }) => chains.get(chain)?.at ?? ''))].toSorted();
      return {
        chains_read: now,
        chains_not_read: unread.length,
        first: times[0] ?? null,
        last: times.at(-1) ?? null,
        root: unread.length === 0 ? null : found.root,
        not_used: flaw,
      };
    },
    /** Writes what is not written yet, and closes the file. */
    close: (): void => file?.close(),
  };
}
