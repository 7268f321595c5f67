// Reads copies of a bundle, of which any line and any name can be a forger's, and finds each text, event and row of results that
// two of them have in different versions.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { passageOf, placeOf, type Uses, usesOf } from '../../../../resources/bundle/uses.mjs';
import { filesIn } from '../../../../resources/bundle/verify.mjs';
import { eventHash, genesisHash, partName, refOfBytes, toHex } from '../../../core/record/hash.ts';
import { erasureChain } from '../../../core/record/identity.ts';
import { stringsIn } from '../../../core/text/guard.ts';
import { erasureSchema } from '../../../shared/differences.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { checkBundle, erasedLine, eventLine, saltsSchema, textLine } from './unpackBundle.ts';

type BundledEvent = z.infer<typeof eventLine>;

const about = { experiment: z.string(), arm: z.string(), case: z.string() };
const rowLine = z.looseObject({ trial: z.string(), ...about });
const aboutForm = z.object({ ...about, replicate: z.int().optional().catch(undefined) });
type Row = z.infer<typeof rowLine>;

const manifestForm = z.looseObject({
  redacted: z.boolean(),
  root: z.string(),
  files: z.array(z.looseObject({ path: z.string() })),
});
const openForm = z.object({ case: z.string() });
const caseForm = z.object({ id: z.string() });
const erasureForm = z.object(erasureSchema.shape);

const parsed = <T>(form: z.ZodType<T>, text: string): T | undefined =>
  form.safeParse(attempt((): unknown => JSON.parse(text), null)).data;

export type Lines<T> = ReturnType<typeof linesOf<T>>;

/** The lines of a file by subject (an unsound one first), and how many are unreadable or repeat a subject. */
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
function isSound({ events }: Copy, event: BundledEvent): boolean {
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

export interface Version {
  readonly raw: string;
  readonly fits: boolean | null;
}

/** Two versions of something, and how to find where it is. */
export interface Pair {
  readonly other: Version | null;
  readonly checked: Version | null;
  place(): Uses & { readonly what: string | null };
  answered?(uses: Uses['uses']): 'other' | 'checked' | undefined;
  /** Of a file, of which only lines that differ are in the versions: its name, and how many more such lines there are. */
  readonly file?: { readonly name: string; readonly more_lines: number };
}

/** Where a text is used, by the first of the copies that names it. */
function placeOfText(ref: string, copies: readonly Copy[], lists: readonly string[]): ReturnType<Pair['place']> {
  for (const copy of copies) {
    const found = usesOf(ref, [...copy.chains.values()].flat(), aboutIn(copy));
    if (found.uses.length > 0) return { ...found, what: null };
  }
  const sound = copies.map(({ texts }) => texts.by.get(ref)?.value).find((text) => text?.fits === true);
  const id = parsed(z.object({ id: z.string() }), sound?.raw ?? '')?.id ?? 'of an unknown name';
  const isCase = lists.some((list) => list.includes(`["${ref}"`));
  const what = isCase ? `Case ${id} of the data set, which no trial is about` : 'A text that no event names';
  return { uses: [], more_uses: 0, used_in: 0, what };
}

const answerForm = z.object({ answer: z.string() });

/** The copy whose words of a speech are in the answer that it was read from, which both have; undefined where that is not known. */
function answeredIn(other: Copy, checked: Copy, uses: Uses['uses'], said: Pick<Pair, 'other' | 'checked'>) {
  const speech = uses.find(({ kind, field }) => kind === 'utterance-make' && field === 'text');
  const before = checked.chains.get(speech?.trial ?? '')?.slice(0, speech?.seq ?? 0) ?? [];
  const call = before.findLast(({ kind }) => kind === 'call-answer');
  const ref = parsed(answerForm, call?.payload ?? '')?.answer ?? '';
  const [one, another] = [other, checked].map(({ texts }) => texts.by.get(ref)?.value);
  if (one?.fits !== true || another?.fits !== true) return undefined;
  const answer = attempt(() => new Set([one.raw, ...stringsIn(JSON.parse(one.raw))]), new Set([one.raw]));
  const [inOther, inChecked] = [said.other, said.checked].map((version) => answer.has(version?.raw ?? ''));
  return inOther === inChecked ? undefined : inOther ? ('other' as const) : ('checked' as const);
}

/** The text that a value names, if the copy has it. `request` and `file` are hashes of what is not kept. */
function refIn(copy: Copy, field: string, value: string): string | undefined {
  if (field === 'request' || field === 'file') return undefined;
  return copy.texts.by.has(value) ? value : field === 'messages' ? copy.parts.get(value) : undefined;
}

/** A value as JSON, in which events are named by their place and texts by their ref. @param names of refs, for those that are listed as changed */
const neutral = (copy: Copy, field: string, value: unknown, names: ReadonlyMap<string, string>): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'string') return inner;
    const ref = refIn(copy, field, inner);
    return ref === undefined ? (copy.places.get(inner) ?? inner) : (names.get(ref) ?? ref);
  }) ?? '';

/** Throws where JSON is not as a record has it: what is hidden by another spelling would not be compared. */
function payloadIn({ payload }: BundledEvent): Record<string, unknown> {
  const value = z.record(z.string(), z.unknown()).parse(JSON.parse(payload));
  if (JSON.stringify(value) !== payload) throw new Error('written in another way');
  return value;
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.values(value).length === 0);

/** Whether a row lacks what goes with the text of its case: groups, the weight, and what a change was from and to. */
function isLeftOutOfRow(field: string, value: unknown): boolean {
  if (field !== 'change') return ['groups', 'weight'].includes(field) && isNothing(value);
  const { from, to } = (value ?? {}) as { from?: unknown; to?: unknown };
  return isNothing(from) && isNothing(to);
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const version = (raw: string | undefined, fits: boolean | null): Version | null => (raw === undefined ? null : { raw, fits });

/** Collects what differs between the copies. Its functions return whether they found something. */
export function collector(other: Copy, checked: Copy, lacks: { readonly other: Lack; readonly checked: Lack }) {
  const pairs = new Map<string, Pair>();
  /** Texts that are in a pair. */
  const taken = new Set<string>();
  /** Chains of which an event or a row is in a pair. */
  const touched = new Set<string>();
  let hashes = 0;
  const lists = [other, checked].flatMap(({ texts }) =>
    [...texts.by.values()].flatMap(({ value: { raw, fits } }) => (fits && raw.startsWith('{"v":1,"cases":') ? [raw] : [])),
  );
  const texts = (one: string | undefined, another: string | undefined): void => {
    for (const ref of [one, another]) if (ref !== undefined) taken.add(ref);
    const said = {
      other: other.texts.by.get(one ?? '')?.value ?? null,
      checked: checked.texts.by.get(another ?? '')?.value ?? null,
    };
    pairs.set(`${one} ${another}`, {
      ...said,
      answered: (uses) => answeredIn(other, checked, uses, said),
      place: () => placeOfText(another ?? one ?? '', another === undefined ? [other, checked] : [checked, other], lists),
    });
  };
  /** @param field of the event or row that differs; empty for all of it */
  const values = (subject: Parameters<typeof placeOf>[0], field: string, one: Version | null, another: Version | null): void => {
    touched.add(subject.trial);
    const place = () => {
      const { uses, ...rest } = placeOf(subject, aboutIn(checked));
      return {
        ...rest,
        uses: uses.map((use) => ({ ...use, what: field === '' ? use.what : `${use.what}: ${field}` })),
        what: null,
      };
    };
    pairs.set(JSON.stringify([subject, field]), { other: one, checked: another, place });
  };

  /** What adds the fields in which two payloads differ. Throws where they cannot be compared by fields. */
  const fields = (one: BundledEvent, another: BundledEvent, list: (field: string, a: unknown, b: unknown) => void) => {
    const [before, after] = [payloadIn(one), payloadIn(another)];
    const found: (() => void)[] = [];
    // A request is made of the other fields, so it differs where they do.
    const names = new Set(Object.keys({ ...before, ...after }));
    for (const field of [...names].sort((a, b) => Number(a === 'request') - Number(b === 'request'))) {
      const [a, b] = [before[field], after[field]];
      if (JSON.stringify(a) === JSON.stringify(b) || (field === 'request' && found.length > 0)) continue;
      const inOther = new Set(stringsIn(a).flatMap((value) => refIn(other, field, value) ?? []));
      const inChecked = new Set(stringsIn(b).flatMap((value) => refIn(checked, field, value) ?? []));
      const gone = [...inOther.difference(inChecked)];
      const come = [...inChecked.difference(inOther)];
      for (let at = 0; at < Math.max(gone.length, come.length); at++) found.push(() => texts(gone[at], come[at]));
      const paired = new Map(come.flatMap((ref, at) => (gone[at] === undefined ? [] : [[ref, gone[at]] as const])));
      if (neutral(other, field, a, new Map()) !== neutral(checked, field, b, paired)) found.push(() => list(field, a, b));
    }
    return found;
  };

  const events = (one: BundledEvent, another: BundledEvent): boolean => {
    const subject = { trial: another.trial, seq: another.seq, kind: another.kind };
    const [isOneSound, isOtherSound] = [isSound(other, one), isSound(checked, another)];
    const list = (field: string, a: unknown, b: unknown) =>
      values(subject, field, version(shown(a), isOneSound), version(shown(b), isOtherSound));
    const whole = () => list('', `${one.kind} ${one.payload}`, `${another.kind} ${another.payload}`);
    const isSamePayload = one.payload === another.payload;
    const found = one.kind !== another.kind ? [whole] : isSamePayload ? [] : attempt(() => fields(one, another, list), [whole]);
    for (const add of found) add();
    if (found.length > 0) return true;
    const links = (['hash', 'prev_hash'] as const).filter((name) => one[name] !== another[name]);
    if (isSamePayload && links.length === 0) return false;
    // With its hash and after the event before it, an event differs because that one does, or one that it names.
    if (isOneSound && isOtherSound) hashes += 1;
    else if (links.length === 0) list('', one.payload, another.payload);
    else for (const name of links) list(name, one[name], another[name]);
    return true;
  };

  const rows = (one: Row, another: Row): boolean => {
    const isHead = (copy: Copy, { trial, head_hash: head }: Row) => copy.chains.get(trial)?.at(-1)?.hash === head;
    const isLeftOut = (lack: Lack, field: string, value: unknown) => isLeftOutOfRow(field, value) && lack.hasNoCase(one.trial);
    const differing = Object.keys({ ...one, ...another }).filter(
      (each) => JSON.stringify(one[each]) !== JSON.stringify(another[each]),
    );
    for (const field of differing) {
      const [a, b] = [one[field], another[field]];
      if (isLeftOut(lacks.other, field, a) || isLeftOut(lacks.checked, field, b)) continue;
      if (field === 'head_hash' && isHead(other, one) && isHead(checked, another)) continue;
      const rawOf = typeof a === typeof b ? shown : (value: unknown) => JSON.stringify(value);
      values({ trial: one.trial, seq: null, kind: 'trials' }, field, version(rawOf(a), null), version(rawOf(b), null));
    }
    return differing.length > 0;
  };
  return { pairs, taken, touched, texts, events, rows, hashes: () => hashes };
}

/** Where two texts begin to differ, and how many characters there are from the first to the last that differ, of the longer one. */
export function changeIn(one: string, another: string): { readonly start: number; readonly changed: number } {
  const most = Math.min(one.length, another.length);
  let [start, end] = [0, 0];
  while (start < most && one[start] === another[start]) start++;
  while (end < most - start && one.at(-1 - end) === another.at(-1 - end)) end++;
  return { start, changed: Math.max(one.length, another.length) - start - end };
}

/** A text in words, or as it is written where it is too long for that. */
export function inWords(raw: string): string {
  const { text, more } = passageOf(raw);
  return more === 0 && text !== '' ? text : raw;
}
