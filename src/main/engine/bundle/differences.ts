// What differs between two copies of a bundle, with both versions whole. What cannot be read of a copy counts as not there.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { passageOf, placeOf, type Uses, usesOf } from '../../../../resources/bundle/uses.mjs';
import { filesIn } from '../../../../resources/bundle/verify.mjs';
import { eventHash, partName, refOfBytes, toHex } from '../../../core/record/hash.ts';
import { stringsIn } from '../../../core/text/guard.ts';
import type { Difference, Differences } from '../../../shared/differences.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { checkBundle, eventLine, isBundle, saltsSchema, textLine } from './unpackBundle.ts';

type BundledEvent = z.infer<typeof eventLine>;
const rowLine = z.looseObject({ trial: z.string(), experiment: z.string(), arm: z.string(), case: z.string() });
type Row = z.infer<typeof rowLine>;

interface Version {
  readonly raw: string;
  readonly fits: boolean | null;
}

interface Copy {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly texts: ReadonlyMap<string, Version>;
  /** Refs by the beginning that prompts name them by. */
  readonly parts: ReadonlyMap<string, string>;
  readonly events: readonly BundledEvent[];
  readonly chains: ReadonlyMap<string, readonly BundledEvent[]>;
  readonly rows: ReadonlyMap<string, Row>;
}

/** Two versions of something, and how to find where it is. */
interface Pair {
  readonly other: Version | null;
  readonly checked: Version | null;
  place(): Uses & { readonly what: string | null };
}

const mostListed = 100;

function* linesIn<T>(bytes: Uint8Array | undefined, schema: z.ZodType<T>): Generator<T> {
  const all = Buffer.from(bytes ?? new Uint8Array(0));
  for (let start = 0; start < all.length; ) {
    const found = all.indexOf(10, start);
    const end = found < 0 ? all.length : found;
    const { data } = schema.safeParse(attempt((): unknown => JSON.parse(all.toString('utf8', start, end)), null));
    if (data !== undefined) yield data;
    start = end + 1;
  }
}

async function readCopy(path: string): Promise<Copy> {
  const files = await filesIn(readFileSync(path)).catch((error: unknown) => {
    throw new AssizeError(
      'store-unreadable',
      `it cannot be compared: ${error instanceof Error ? error.message : String(error)}`,
      {
        file: path,
      },
    );
  });
  const [salts = {}] = linesIn(files.get('salts.json'), saltsSchema);
  const texts = new Map<string, Version>();
  for (const { ref, dataset, text, base64 } of linesIn(files.get('texts.jsonl'), textLine)) {
    const bytes = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
    const fits = refOfBytes(Buffer.from(salts[dataset] ?? '', 'hex'), bytes) === ref;
    texts.set(ref, { raw: text ?? base64 ?? '', fits });
  }
  const events = [...linesIn(files.get('events.jsonl'), eventLine)];
  return {
    files,
    texts,
    parts: new Map([...texts.keys()].map((ref) => [partName(ref), ref])),
    events,
    chains: Map.groupBy(events, ({ trial }) => trial),
    rows: new Map([...linesIn(files.get('trials.jsonl'), rowLine)].map((row) => [row.trial, row])),
  };
}

const isSound = ({ seq, kind, payload, prev_hash, hash }: BundledEvent): boolean =>
  toHex(eventHash(Buffer.from(prev_hash, 'hex'), seq, kind, Buffer.from(payload))) === hash;

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const aboutIn = (copy: Copy) => (trial: string) => {
  const row = copy.rows.get(trial);
  return row === undefined ? undefined : { experiment: row.experiment, arm: row.arm, case: row.case };
};

/** Where a text is used, by a copy that names it. */
function placeOfText(ref: string, copies: readonly Copy[]): ReturnType<Pair['place']> {
  for (const copy of copies) {
    const found = usesOf(ref, copy.events, aboutIn(copy));
    if (found.uses.length > 0) return { ...found, what: null };
  }
  const sound = copies.map(({ texts }) => texts.get(ref)).find((text) => text?.fits === true);
  const isListed = copies.some(({ texts }) =>
    [...texts.values()].some(({ raw, fits }) => fits === true && raw.startsWith('{"v":1,"cases":') && raw.includes(`["${ref}"`)),
  );
  const { data: kase } = z.object({ id: z.string() }).safeParse(attempt((): unknown => JSON.parse(sound?.raw ?? ''), null));
  const what = isListed
    ? `Case ${kase?.id ?? 'of an unknown name'} of the data set, which no trial is about`
    : 'A text that no event names';
  return { uses: [], more_uses: 0, used_in: 0, what };
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
  return copy.texts.has(value) ? value : field === 'messages' ? copy.parts.get(value) : undefined;
}

/** A value as JSON, without the texts and the hashes in it. */
const bare = (copy: Copy, field: string, value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'string') return inner;
    const isHash = /^(?:[0-9a-f]{64}|[\w-]{43})$/.test(inner) || (field === 'messages' && /^[\w-]{12}$/.test(inner));
    return isHash || refIn(copy, field, inner) !== undefined ? '' : inner;
  }) ?? '';

const payloadForm = z.record(z.string(), z.unknown());

const versionIn = (event: BundledEvent, value: unknown): Version | null =>
  value === undefined ? null : { raw: shown(value), fits: isSound(event) };

/** Collects what differs between the copies. */
function collector(other: Copy, checked: Copy) {
  const pairs = new Map<string, Pair>();
  let hashes = 0;
  const texts = (one: string | undefined, another: string | undefined) => {
    const version = (copy: Copy, ref: string | undefined) => (ref === undefined ? null : (copy.texts.get(ref) ?? null));
    const place = () => placeOfText(another ?? one ?? '', another === undefined ? [other, checked] : [checked, other]);
    pairs.set(`${one} ${another}`, { other: version(other, one), checked: version(checked, another), place });
  };
  const values = (subject: Parameters<typeof placeOf>[0], field: string, of: Pick<Pair, 'other' | 'checked'>) =>
    pairs.set(JSON.stringify([subject, field]), { ...of, place: () => placeOfValue(checked, subject, field) });

  /** What adds the fields in which two payloads differ. Throws where JSON cannot be read or is nested too deep. */
  const fields = (one: BundledEvent, another: BundledEvent) => {
    const subject = { trial: another.trial, seq: another.seq, kind: another.kind };
    const [before, after] = [one, another].map(({ payload }) => payloadForm.parse(JSON.parse(payload)));
    const found: (() => void)[] = [];
    for (const field of Object.keys({ ...before, ...after })) {
      const [a, b] = [before?.[field], after?.[field]];
      if (JSON.stringify(a) === JSON.stringify(b)) continue;
      const [inOther, inChecked] = [
        stringsIn(a).flatMap((value) => refIn(other, field, value) ?? []),
        stringsIn(b).flatMap((value) => refIn(checked, field, value) ?? []),
      ];
      const gone = inOther.filter((ref) => !inChecked.includes(ref));
      const come = inChecked.filter((ref) => !inOther.includes(ref));
      for (let at = 0; at < Math.max(gone.length, come.length); at++) found.push(() => texts(gone[at], come[at]));
      if (bare(other, field, a) !== bare(checked, field, b))
        found.push(() => values(subject, field, { other: versionIn(one, a), checked: versionIn(another, b) }));
    }
    return found;
  };
  const events = (one: BundledEvent, another: BundledEvent): void => {
    const found = one.kind === another.kind ? attempt(() => fields(one, another), null) : null;
    for (const add of found ?? []) add();
    if (found?.length === 0) hashes += 1;
    if (found !== null) return;
    const [before, after] = [one, another].map((event) => versionIn(event, `${event.kind} ${event.payload}`));
    values({ trial: another.trial, seq: another.seq, kind: another.kind }, '', { other: before ?? null, checked: after ?? null });
  };
  return { pairs, texts, values, events, hashes: () => hashes };
}

/** What only one copy has. @param taken refs that are among the differences */
function onlyIn(copy: Copy, without: Copy, taken: ReadonlySet<string>): Differences['only_other'] {
  const chains = [...copy.chains.keys()].filter((chain) => !without.chains.has(chain));
  const beyond = [...copy.chains].map(([chain, events]) => {
    const there = new Set(without.chains.get(chain)?.map(({ seq }) => seq));
    return events.filter(({ seq }) => !there.has(seq)).length;
  });
  return {
    chains: chains.slice(0, mostListed),
    events: beyond.reduce((sum, count) => sum + count, 0),
    texts: [...copy.texts.keys()].filter((ref) => !without.texts.has(ref) && !taken.has(ref)).length,
  };
}

/** Characters from the first to the last that differ. */
function changedIn(one: string, another: string): number {
  const most = Math.min(one.length, another.length);
  let [start, end] = [0, 0];
  while (start < most && one[start] === another[start]) start++;
  while (end < most - start && one.at(-1 - end) === another.at(-1 - end)) end++;
  return Math.max(one.length, another.length) - start - end;
}

/** Both versions in words, or as they are written where only that differs. */
function listed({ other, checked, place }: Pair & { readonly changed: number }): Omit<Difference, 'changed'> {
  const [one, another] = [other, checked].map((version) => (version === null ? null : passageOf(version.raw).text));
  const isWritten = one === another;
  const said = (version: Version | null, words: string | null | undefined) =>
    version === null ? null : { text: isWritten ? version.raw : (words ?? ''), fits: version.fits };
  return { ...place(), other: said(other, one), checked: said(checked, another) };
}

/** Files whose lines are compared, and the manifest, which follows from all. */
const compared = ['events.jsonl', 'texts.jsonl', 'trials.jsonl', 'manifest.json'];

function differencesOf(
  other: Copy,
  checked: Copy,
): Omit<Differences, 'other' | 'other_result' | 'result' | 'other_root' | 'root'> {
  const found = collector(other, checked);
  for (const [ref, { raw }] of checked.texts) {
    const before = other.texts.get(ref);
    if (before !== undefined && before.raw !== raw) found.texts(ref, ref);
  }
  for (const [chain, events] of checked.chains) {
    const before = new Map(other.chains.get(chain)?.map((event) => [event.seq, event]));
    for (const event of events) {
      const one = before.get(event.seq);
      if (one !== undefined && (one.payload !== event.payload || one.kind !== event.kind)) found.events(one, event);
    }
  }
  for (const [trial, row] of checked.rows) {
    const before = other.rows.get(trial);
    for (const field of before === undefined ? [] : new Set([...Object.keys(before), ...Object.keys(row)])) {
      const [a, b] = [before?.[field], row[field]].map((value) =>
        value === undefined ? null : { raw: shown(value), fits: null },
      );
      if (a?.raw !== b?.raw && field !== 'head_hash')
        found.values({ trial, seq: null, kind: 'trials' }, field, { other: a ?? null, checked: b ?? null });
    }
  }
  // A text that both records name and one copy lacks.
  for (const [copy, without] of [
    [other, checked],
    [checked, other],
  ] as const) {
    const named = new Set(without.events.flatMap(({ payload }) => payload.match(/[\w-]{43}/g) ?? []));
    for (const ref of copy.texts.keys())
      if (named.has(ref) && !without.texts.has(ref)) copy === other ? found.texts(ref, undefined) : found.texts(undefined, ref);
  }
  const sized = [...found.pairs.values()]
    .map((pair) => ({ ...pair, changed: changedIn(pair.other?.raw ?? '', pair.checked?.raw ?? '') }))
    .sort((one, another) => another.changed - one.changed);
  const taken = new Set([...found.pairs.keys()].flatMap((key) => key.split(' ')));
  const names = new Set([...other.files.keys(), ...checked.files.keys()]);
  return {
    list: sized.slice(0, mostListed).map((pair) => ({ ...listed(pair), changed: pair.changed })),
    more: Math.max(0, sized.length - mostListed),
    only_other: onlyIn(other, checked, taken),
    only_checked: onlyIn(checked, other, taken),
    hashes: found.hashes(),
    files: [...names].filter(
      (name) =>
        !compared.includes(name) && !Buffer.from(other.files.get(name) ?? []).equals(Buffer.from(checked.files.get(name) ?? [])),
    ),
  };
}

/**
 * Compares a bundle with another copy of it.
 * @param field what named the other copy
 * @throws bad-input where one of them is no bundle, store-unreadable where it cannot be read
 */
export async function compareBundles(path: string, otherPath: string, field = ''): Promise<Differences> {
  for (const file of [path, otherPath])
    if (!isBundle(file))
      throw badInput(
        'only bundles are compared, and this is none. Export a bundle of the same experiment from the other copy',
        file === otherPath && field !== '' ? { file, field } : { file },
      );
  const [found, before] = [await checkBundle(path), await checkBundle(otherPath)];
  const resultOf = ({ result }: typeof found) => (result === 'intact' ? 'intact' : 'tampered');
  const rootOf = ({ root, eventsRoot }: typeof found) => root ?? eventsRoot ?? null;
  return {
    other: otherPath,
    other_result: resultOf(before),
    result: resultOf(found),
    other_root: rootOf(before),
    root: rootOf(found),
    ...differencesOf(await readCopy(otherPath), await readCopy(path)),
  };
}
