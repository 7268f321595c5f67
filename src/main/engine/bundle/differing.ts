// Finds each text, event and row of results that two copies of a bundle have in different versions.
import { z } from 'zod';
import { passageOf, placeOf, type Uses, usesOf } from '../../../../resources/bundle/uses.mjs';
import { stringsIn } from '../../../core/text/guard.ts';
import { attempt } from '../attempt.ts';
import { aboutIn, type BundledEvent, type Copy, isSound, type Lack, parsed, type Row } from './copies.ts';

export interface Version {
  readonly raw: string;
  readonly fits: boolean | null;
}

/** Two versions of something, and how to find where it is. */
export interface Pair {
  readonly other: Version | null;
  readonly checked: Version | null;
  place(): Uses & { readonly what: string | null };
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
  let hashes = 0;
  const lists = [other, checked].flatMap(({ texts }) =>
    [...texts.by.values()].flatMap(({ value: { raw, fits } }) => (fits && raw.startsWith('{"v":1,"cases":') ? [raw] : [])),
  );
  const texts = (one: string | undefined, another: string | undefined): void => {
    for (const ref of [one, another]) if (ref !== undefined) taken.add(ref);
    pairs.set(`${one} ${another}`, {
      other: other.texts.by.get(one ?? '')?.value ?? null,
      checked: checked.texts.by.get(another ?? '')?.value ?? null,
      place: () => placeOfText(another ?? one ?? '', another === undefined ? [other, checked] : [checked, other], lists),
    });
  };
  /** @param field of the event or row that differs; empty for all of it */
  const values = (subject: Parameters<typeof placeOf>[0], field: string, one: Version | null, another: Version | null): void => {
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
  return { pairs, taken, texts, events, rows, hashes: () => hashes };
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
