// Reads a copy of a bundle to compare it with another one. Any line and any name in it can be a forger's.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { filesIn } from '../../../../resources/bundle/verify.mjs';
import { eventHash, genesisHash, partName, refOfBytes, toHex } from '../../../core/record/hash.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { erasedLine, eventLine, saltsSchema, textLine } from './unpackBundle.ts';

export type BundledEvent = z.infer<typeof eventLine>;
const rowLine = z.looseObject({ trial: z.string(), experiment: z.string(), arm: z.string(), case: z.string() });
export type Row = z.infer<typeof rowLine>;

export interface CopiedText {
  readonly ref: string;
  readonly raw: string;
  /** Whether it has the hash that it is named by. */
  readonly fits: boolean;
  /** Whether it is about a case, which a redacted bundle leaves out. */
  readonly isData: boolean;
}

interface Line<T> {
  readonly bytes: Buffer;
  readonly value: T;
}

/** The lines of a file by what they are about; of several about the same, one that is not sound, if there is one. */
export interface Lines<T> {
  readonly by: ReadonlyMap<string, Line<T>>;
  /** Lines that cannot be read. */
  readonly unread: number;
  /** Lines about what an earlier one is about. */
  readonly repeated: number;
}

const manifestForm = z.looseObject({
  redacted: z.boolean(),
  root: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
});

export interface Copy {
  readonly files: Awaited<ReturnType<typeof filesIn>>;
  /** Null where it cannot be read. */
  readonly manifest: z.infer<typeof manifestForm> | null;
  /** Whether its manifest is right about its files. */
  readonly isAsListed: boolean;
  readonly events: Lines<BundledEvent>;
  readonly texts: Lines<CopiedText>;
  readonly rows: Lines<Row>;
  readonly chains: ReadonlyMap<string, readonly BundledEvent[]>;
  /** Where the event with a hash is. */
  readonly places: ReadonlyMap<string, string>;
  /** Refs by the beginning that prompts name them by. */
  readonly parts: ReadonlyMap<string, string>;
  readonly erased: ReadonlySet<string>;
}

function linesOf<T>(
  { bytes = new Uint8Array(0) }: { readonly bytes?: Uint8Array } = {},
  schema: z.ZodType<T>,
  keyOf: (value: T) => string,
  isSound: (value: T) => boolean = () => true,
): Lines<T> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const by = new Map<string, Line<T>>();
  let [unread, repeated] = [0, 0];
  for (let start = 0; start < all.length; ) {
    const found = all.indexOf(10, start);
    const line = all.subarray(start, found < 0 ? all.length : found);
    start += line.length + 1;
    const { data: value } = schema.safeParse(attempt((): unknown => JSON.parse(line.toString()), null));
    if (value === undefined) {
      unread += 1;
      continue;
    }
    const key = keyOf(value);
    const before = by.get(key);
    if (before !== undefined) repeated += 1;
    if (before === undefined || isSound(before.value)) by.set(key, { bytes: line, value });
  }
  return { by, unread, repeated };
}

export const aboutIn =
  ({ rows }: Copy) =>
  (trial: string) => {
    const row = rows.by.get(trial)?.value;
    if (row === undefined) return undefined;
    const { experiment, arm, case: kase, replicate } = row;
    return { experiment, arm, case: kase, ...(Number.isInteger(replicate) ? { replicate: Number(replicate) } : {}) };
  };

export const placeOfEvent = ({ trial, seq }: BundledEvent): string => `${trial} ${seq}`;

const hasItsHash = ({ seq, kind, payload, prev_hash, hash }: BundledEvent): boolean =>
  toHex(eventHash(Buffer.from(prev_hash, 'hex'), seq, kind, Buffer.from(payload))) === hash;

/** Whether an event has its hash and follows the one before it in its copy. */
export function isSound({ events }: Copy, event: BundledEvent): boolean {
  const { trial, seq } = event;
  const before = seq === 0 ? toHex(genesisHash(trial)) : events.by.get(placeOfEvent({ ...event, seq: seq - 1 }))?.value.hash;
  return before === event.prev_hash && attempt(() => hasItsHash(event), false);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Throws store-unreadable where it is no zip of files. */
export async function readCopy(path: string): Promise<Copy> {
  const files = await filesIn(readFileSync(path)).catch((error: unknown) => {
    throw new AssizeError(
      'store-unreadable',
      `it cannot be compared: ${error instanceof Error ? error.message : String(error)}`,
      { file: path },
    );
  });
  const jsonIn = (name: string): unknown =>
    attempt(() => JSON.parse(Buffer.from(files.get(name)?.bytes ?? []).toString()) as unknown, null);
  const manifest = manifestForm.safeParse(jsonIn('manifest.json')).data ?? null;
  const salts = saltsSchema.safeParse(jsonIn('salts.json')).data ?? {};
  const copied = textLine.transform(({ ref, dataset, text, base64 }) => {
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    const fits = refOfBytes(Buffer.from(salts[dataset] ?? '', 'hex'), bytes) === ref;
    return { ref, raw: text ?? base64 ?? '', fits, isData: dataset !== 0 };
  });
  const texts = linesOf(
    files.get('texts.jsonl'),
    copied,
    ({ ref }) => ref,
    ({ fits }) => fits,
  );
  const events = linesOf(files.get('events.jsonl'), eventLine, placeOfEvent, (event) => attempt(() => hasItsHash(event), false));
  const list = [...events.by.values()].map(({ value }) => value);
  const erased = linesOf(files.get('erased.jsonl'), erasedLine, ({ ref }) => ref);
  return {
    files,
    manifest,
    isAsListed:
      manifest?.files.length === files.size - 1 &&
      manifest.files.every(({ path: name, bytes: size, sha256: hash }) => {
        const file = files.get(name);
        return file?.problem === null && file.bytes.length === size && sha256(file.bytes) === hash;
      }),
    events,
    texts,
    rows: linesOf(files.get('trials.jsonl'), rowLine, ({ trial }) => trial),
    chains: Map.groupBy(list, ({ trial }) => trial),
    places: new Map(list.map((event) => [event.hash, placeOfEvent(event)])),
    parts: new Map([...texts.by.keys()].map((ref) => [partName(ref), ref])),
    erased: new Set(erased.by.keys()),
  };
}
