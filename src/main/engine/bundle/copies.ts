// Reads copies of a bundle to compare them. Any line and any name in a copy can be a forger's.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { filesIn } from '../../../../resources/bundle/verify.mjs';
import { eventHash, genesisHash, partName, refOfBytes, toHex } from '../../../core/record/hash.ts';
import { erasureChain } from '../../../core/record/identity.ts';
import { erasureSchema } from '../../../shared/differences.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { checkBundle, erasedLine, eventLine, saltsSchema, textLine } from './unpackBundle.ts';

export type BundledEvent = z.infer<typeof eventLine>;

const about = { experiment: z.string(), arm: z.string(), case: z.string() };
const rowLine = z.looseObject({ trial: z.string(), ...about });
const aboutForm = z.object({ ...about, replicate: z.int().optional().catch(undefined) });
export type Row = z.infer<typeof rowLine>;

const manifestForm = z.looseObject({ redacted: z.boolean(), root: z.string() });
const openForm = z.object({ case: z.string() });
const caseForm = z.object({ id: z.string() });
const erasureForm = z.object(erasureSchema.shape);

/** What a text is as JSON of a form; undefined where it is not. */
export const parsed = <T>(form: z.ZodType<T>, text: string): T | undefined =>
  form.safeParse(attempt((): unknown => JSON.parse(text), null)).data;

export type Lines<T> = ReturnType<typeof linesOf<T>>;

/**
 * The lines of a file by what they are about (of several about the same, one that is not sound, if there is one), and how many
 * cannot be read, or are about what an earlier one is about.
 */
function linesOf<T>(
  { bytes = new Uint8Array(0) }: { readonly bytes?: Uint8Array } = {},
  schema: z.ZodType<T>,
  keyOf: (value: T) => string,
  isSound: (value: T) => boolean = () => true,
) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const by = new Map<string, { readonly bytes: Buffer; readonly value: T }>();
  let [unread, repeated] = [0, 0];
  for (let start = 0; start < all.length; ) {
    const found = all.indexOf(10, start);
    const line = all.subarray(start, found < 0 ? all.length : found);
    start += line.length + 1;
    const value = parsed(schema, line.toString());
    if (value === undefined) {
      unread += 1;
      continue;
    }
    const before = by.get(keyOf(value));
    if (before !== undefined) repeated += 1;
    if (before === undefined || isSound(before.value)) by.set(keyOf(value), { bytes: line, value });
  }
  return { by, unread, repeated };
}

export const aboutIn =
  ({ rows }: Copy) =>
  (trial: string) =>
    aboutForm.safeParse(rows.by.get(trial)?.value).data;

export const placeOfEvent = ({ trial, seq }: BundledEvent): string => `${trial} ${seq}`;

const hasItsHash = ({ seq, kind, payload, prev_hash, hash }: BundledEvent): boolean =>
  attempt(() => toHex(eventHash(Buffer.from(prev_hash, 'hex'), seq, kind, Buffer.from(payload))) === hash, false);

/** Whether an event has its hash and follows the one before it in its copy. */
export function isSound({ events }: Copy, event: BundledEvent): boolean {
  const { trial, seq } = event;
  const before = seq === 0 ? toHex(genesisHash(trial)) : events.by.get(placeOfEvent({ ...event, seq: seq - 1 }))?.value.hash;
  return before === event.prev_hash && hasItsHash(event);
}

export type Copy = Awaited<ReturnType<typeof readCopy>>;

/** Checks and reads a copy. Throws store-unreadable where it is no zip of files. */
export async function readCopy(path: string) {
  const check = await checkBundle(path);
  const files = await filesIn(readFileSync(path)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new AssizeError('store-unreadable', `it cannot be compared: ${why}`, { file: path });
  });
  const jsonIn = <T>(name: string, form: z.ZodType<T>) => parsed(form, Buffer.from(files.get(name)?.bytes ?? []).toString());
  const salts = jsonIn('salts.json', saltsSchema) ?? {};
  const copied = textLine.transform(({ ref, dataset, text, base64 }) => {
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    const fits = refOfBytes(Buffer.from(salts[dataset] ?? '', 'hex'), bytes) === ref;
    // A redacted bundle leaves out texts about cases.
    return { ref, raw: text ?? base64 ?? '', fits, isData: dataset !== 0 };
  });
  const texts = linesOf(
    files.get('texts.jsonl'),
    copied,
    ({ ref }) => ref,
    ({ fits }) => fits,
  );
  const events = linesOf(files.get('events.jsonl'), eventLine, placeOfEvent, hasItsHash);
  const list = [...events.by.values()].map(({ value }) => value);
  return {
    check,
    /** Over its events; null where one does not hold. */
    root: check.root ?? check.eventsRoot ?? null,
    files,
    /** Null where it cannot be read. */
    manifest: jsonIn('manifest.json', manifestForm) ?? null,
    events,
    texts,
    rows: linesOf(files.get('trials.jsonl'), rowLine, ({ trial }) => trial),
    chains: Map.groupBy(list, ({ trial }) => trial),
    /** Where the event with a hash is. */
    places: new Map(list.map((event) => [event.hash, placeOfEvent(event)])),
    /** Refs by the beginning that prompts name them by. */
    parts: new Map([...texts.by.keys()].map((ref) => [partName(ref), ref])),
    erased: linesOf(files.get('erased.jsonl'), erasedLine, ({ ref }) => ref).by,
  };
}

export type Lack = ReturnType<typeof lackOf>;

/** What a copy lacks of another one because it is redacted, or texts were erased in it since: that is no change of the record. */
export function lackOf(copy: Copy, from: Copy) {
  const redacted = copy.manifest?.redacted === true && from.manifest?.redacted === false;
  const [here, there] = [copy, from].map(({ chains }) => chains.get(erasureChain) ?? []) as [BundledEvent[], BundledEvent[]];
  // A copy that has others in their place was not erased: it differs.
  const added = there.every(({ hash }, at) => here[at]?.hash === hash) ? here.slice(there.length) : [];
  const said = added.flatMap(({ payload }) => parsed(erasureForm, payload) ?? []);
  const events = said.length === added.length ? added : [];
  /** Why it does not have a text that the other one has; null where that is not in order. */
  const whyGone = (ref: string): 'erased' | 'left_out' | null => {
    if (copy.texts.by.has(ref)) return null;
    if (copy.erased.has(ref)) return 'erased';
    return redacted && from.texts.by.get(ref)?.value.isData === true ? 'left_out' : null;
  };
  const gone = [...from.texts.by.keys()].map(whyGone);
  const idOf = (ref: string | null): string | null => {
    const text = from.texts.by.get(ref ?? '')?.value;
    return text?.fits === true ? (parsed(caseForm, text.raw)?.id ?? null) : null;
  };
  return {
    /** Erasures that it has beyond those of the other one. */
    events,
    whyGone,
    /** Whether it lacks what the data set says of the case of a trial. */
    hasNoCase(trial: string): boolean {
      const [open] = events.length === 0 ? [] : (copy.chains.get(trial) ?? []);
      const kase = open === undefined ? undefined : parsed(openForm, open.payload)?.case;
      return redacted || (kase !== undefined && copy.erased.has(kase) && !copy.texts.by.has(kase));
    },
    report: {
      left_out: gone.filter((why) => why === 'left_out').length,
      erased: gone.filter((why) => why === 'erased').length,
      erasures: events.length === 0 ? [] : said.map((each) => ({ ...each, case: idOf(each.case) })),
      redacted,
    },
  };
}
