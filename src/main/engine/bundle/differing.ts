// Finds each text, event and row of results that two copies of a bundle have in different versions.
import { z } from 'zod';
import { passageOf, placeOf, type Uses, usesOf } from '../../../../resources/bundle/uses.mjs';
import { changedLines } from '../../../core/text/differences.ts';
import { stringsIn } from '../../../core/text/guard.ts';
import { isReadable } from '../../../shared/differences.ts';
import { attempt } from '../attempt.ts';
import { aboutIn, type BundledEvent, type CopiedText, type Copy, isSound, type Row } from './copies.ts';

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

/** What says where a text is used, by a copy that names it. */
function placing(all: readonly Copy[]) {
  const lists = all.flatMap(({ texts }) =>
    [...texts.by.values()].flatMap(({ value: { raw, fits } }) => (fits && raw.startsWith('{"v":1,"cases":') ? [raw] : [])),
  );
  return (ref: string, copies: readonly Copy[]): ReturnType<Pair['place']> => {
    for (const copy of copies) {
      const found = usesOf(ref, [...copy.chains.values()].flat(), aboutIn(copy));
      if (found.uses.length > 0) return { ...found, what: null };
    }
    const sound = copies.map(({ texts }) => texts.by.get(ref)?.value).find((text) => text?.fits === true);
    const { data: kase } = z.object({ id: z.string() }).safeParse(attempt((): unknown => JSON.parse(sound?.raw ?? ''), null));
    const what = lists.some((list) => list.includes(`["${ref}"`))
      ? `Case ${kase?.id ?? 'of an unknown name'} of the data set, which no trial is about`
      : 'A text that no event names';
    return { uses: [], more_uses: 0, used_in: 0, what };
  };
}

/** An event or a row of results as the place. @param field what differs in it */
function placeOfValue(copy: Copy, subject: Parameters<typeof placeOf>[0], field: string): ReturnType<Pair['place']> {
  const { uses, ...rest } = placeOf(subject, aboutIn(copy));
  return { ...rest, uses: uses.map((use) => ({ ...use, what: field === '' ? use.what : `${use.what}: ${field}` })), what: null };
}

/** Fields that are hashes of what is not kept. */
const unkept = ['request', 'file'];

/** The text that a value names, if the copy has it. */
function refIn(copy: Copy, field: string, value: string): string | undefined {
  if (unkept.includes(field)) return undefined;
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

/** Rows of a report about the copy that it was made of: its root, signer and origin. */
const rowOfCopy =
  /^<th scope="row">(?:Record root when this was written|Bundle root|Copied from|Signer|Signed with a key|Newest checkpoint|Log root that it signs|Fingerprint of the key that signed it|When it was signed|Witnesses|Time stamp of an authority)<\/th>/;

/** A report without these rows. */
function withoutCopy(text: string): string {
  const [first, ...rows] = text.split('<tr>');
  const kept = rows.map((row) => (rowOfCopy.test(row) ? row.slice(row.indexOf('</tr>') + 5) : `<tr>${row}`));
  return [first, ...kept].join('');
}

/** Whether two versions of a report differ only in root, signer and origin. */
export const isSameBut = (name: string, one: Uint8Array, another: Uint8Array): boolean =>
  name.endsWith('.html') && withoutCopy(Buffer.from(one).toString()) === withoutCopy(Buffer.from(another).toString());

/** A file as people read it: HTML without tags, JSON as names and values. */
function readableFile(name: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString();
  if (name.endsWith('.json')) return inWords(text);
  if (!name.endsWith('.html')) return text;
  // Without a pattern that reaches from one tag to another one, which a forger could make slow.
  const [first = '', ...styled] = withoutCopy(text).split(/<(?=style|script)/);
  const outside = styled.map((part) => part.slice(Math.max(0, part.search(/<\/(?:style|script)>/))));
  return [first, ...outside]
    .join('')
    .replace(/<\/?(?:a|b|bdi|code|em|i|mark|q|span|strong)(?: [^<>]*)?>/g, '')
    .replace(/(?:<[^<>]*>)+/g, '\n')
    .replace(/&(?:lt|gt|quot|#39);/g, (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"' })[entity] ?? "'")
    .replaceAll('&amp;', '&')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
    .join('\n');
}

/** Files in bytes that are compared line by line. */
const mostBytes = 20_000_000;

/** The lines in which two versions of a file differ; null where that is not shown, as where a report differs in no word. */
export function fileLines(name: string, one: Uint8Array, another: Uint8Array): ReturnType<typeof changedLines> | null {
  if (!isReadable(name) || Math.max(one.length, another.length) > mostBytes) return null;
  const [a, b] = [readableFile(name, one), readableFile(name, another)];
  if (a !== b) return changedLines(a, b);
  return name.endsWith('.html') ? null : changedLines(Buffer.from(one).toString(), Buffer.from(another).toString());
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Collects what differs between the copies. Its functions return whether they found something. */
export function collector(other: Copy, checked: Copy) {
  const pairs = new Map<string, Pair>();
  /** Texts that are in a pair. */
  const taken = new Set<string>();
  const place = placing([other, checked]);
  let hashes = 0;
  const texts = (one: string | undefined, another: string | undefined): void => {
    const version = (copy: Copy, ref = ''): CopiedText | null => copy.texts.by.get(ref)?.value ?? null;
    for (const ref of [one, another]) if (ref !== undefined) taken.add(ref);
    pairs.set(`${one} ${another}`, {
      other: version(other, one),
      checked: version(checked, another),
      place: () => place(another ?? one ?? '', another === undefined ? [other, checked] : [checked, other]),
    });
  };
  const values = (subject: Parameters<typeof placeOf>[0], field: string, of: Pick<Pair, 'other' | 'checked'>): void =>
    void pairs.set(JSON.stringify([subject, field]), { ...of, place: () => placeOfValue(checked, subject, field) });

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
      const gone = [...inOther].filter((ref) => !inChecked.has(ref));
      const come = [...inChecked].filter((ref) => !inOther.has(ref));
      for (let at = 0; at < Math.max(gone.length, come.length); at++) found.push(() => texts(gone[at], come[at]));
      const paired = new Map(come.flatMap((ref, at) => (gone[at] === undefined ? [] : [[ref, gone[at]] as const])));
      if (neutral(other, field, a, new Map()) !== neutral(checked, field, b, paired)) found.push(() => list(field, a, b));
    }
    return found;
  };

  const events = (one: BundledEvent, another: BundledEvent): boolean => {
    const subject = { trial: another.trial, seq: another.seq, kind: another.kind };
    const [isOneSound, isOtherSound] = [isSound(other, one), isSound(checked, another)];
    const version = (raw: unknown, fits: boolean): Version | null => (raw === undefined ? null : { raw: shown(raw), fits });
    const list = (field: string, a: unknown, b: unknown) =>
      values(subject, field, { other: version(a, isOneSound), checked: version(b, isOtherSound) });
    const isOtherPayload = one.payload !== another.payload || one.kind !== another.kind;
    const found =
      one.kind === another.kind && isOtherPayload ? attempt(() => fields(one, another, list), null) : isOtherPayload ? null : [];
    if (found === null) list('', `${one.kind} ${one.payload}`, `${another.kind} ${another.payload}`);
    for (const add of found ?? []) add();
    if (found === null || found.length > 0) return true;
    const differing = (['hash', 'prev_hash'] as const).filter((name) => one[name] !== another[name]);
    if (!isOtherPayload && differing.length === 0) return false;
    // With its hash and after the event before it, an event differs because that one does, or one that it names.
    if (isOneSound && isOtherSound) hashes += 1;
    else if (differing.length === 0) list('', one.payload, another.payload);
    else for (const name of differing) list(name, one[name], another[name]);
    return true;
  };

  /** @param isLeftOut whether a value of a field of a trial is not there because the copy is redacted, or the case was erased in it */
  const rows = (
    one: Row,
    another: Row,
    isLeftOut: (trial: string, field: string, value: unknown, copy: Copy) => boolean,
  ): boolean => {
    let isFound = false;
    const isHead = (copy: Copy, { trial, head_hash: head }: Row) => copy.chains.get(trial)?.at(-1)?.hash === head;
    for (const field of new Set([...Object.keys(one), ...Object.keys(another)])) {
      const [a, b] = [one[field], another[field]];
      if (JSON.stringify(a) === JSON.stringify(b)) continue;
      isFound = true;
      if (isLeftOut(one.trial, field, a, other) || isLeftOut(one.trial, field, b, checked)) continue;
      if (field === 'head_hash' && isHead(other, one) && isHead(checked, another)) continue;
      const [before, after] = [a, b].map((value) => {
        const raw = typeof a === typeof b ? shown(value) : JSON.stringify(value);
        return value === undefined ? null : { raw, fits: null };
      });
      values({ trial: another.trial, seq: null, kind: 'trials' }, field, { other: before ?? null, checked: after ?? null });
    }
    return isFound;
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
