// What differs between two copies of a bundle. No copy is said to be the same as another one that has other bytes.
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { chainInWords, fileInWords } from '../../../../resources/bundle/uses.mjs';
import { partName } from '../../../core/record/hash.ts';
import { changedLines } from '../../../core/text/differences.ts';
import { type Difference, type Differences, isReadable, type Only } from '../../../shared/differences.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { fingerprintOf } from '../checkpoint/userKey.ts';
import {
  aboutIn,
  type Copy,
  changeIn,
  collector,
  inWords,
  type Lack,
  type Lines,
  lackOf,
  type Pair,
  placeOfEvent,
  readCopy,
  type Version,
} from './differing.ts';
import { isBundle } from './unpackBundle.ts';

const mostListed = 100;
/** Files of which lines are shown, and bytes of one that is compared line by line. */
const mostFiles = 50;
const mostBytes = 20_000_000;
const mostUses = 20;
/** Characters of all versions together, and of a name. */
const mostShown = 2_000_000;
const mostInName = 1000;
/** Characters before the first difference, of a version that is not shown whole. */
const context = 200;

/** A forger can make any name too long to show. The words of versions, `text`, have their own limit. */
const withShortNames = <T>(found: T): T =>
  JSON.parse(
    JSON.stringify(found, (key, value: unknown) =>
      typeof value === 'string' && key !== 'text' && value.length > mostInName
        ? `${value.slice(0, mostInName)} … (${value.length - mostInName} more characters)`
        : value,
    ),
  );

/** Both versions in words, or as they are written where only that differs. */
function inFull({ other, checked }: Pair): readonly (Version | null)[] {
  const said = [other, checked].map((version) => (version === null ? null : { ...version, raw: inWords(version.raw) }));
  return said[0]?.raw === said[1]?.raw ? [other, checked] : said;
}

function part({ raw, fits }: Version, most: number, start: number): NonNullable<Difference['other']> {
  const from = raw.length <= most ? 0 : Math.max(0, Math.min(start - context, raw.length - most));
  const text = raw.slice(from, from + most).toWellFormed();
  return { text, before: from, more: raw.length - from - text.length, fits };
}

const sized = (pair: Pair) => ({ pair, ...changeIn(pair.other?.raw ?? '', pair.checked?.raw ?? '') });

function listOf(pairs: readonly ReturnType<typeof sized>[]): Difference[] {
  const most = Math.floor(mostShown / (2 * pairs.length));
  return pairs.map(({ pair, changed }) => {
    const { uses, more_uses, used_in, what } = pair.place();
    const answered = pair.answered?.(uses);
    const versions = inFull(pair);
    const { start } = changeIn(versions[0]?.raw ?? '', versions[1]?.raw ?? '');
    const [other = null, checked = null] = versions.map((version) => (version === null ? null : part(version, most, start)));
    return {
      uses: uses.slice(0, mostUses),
      more_uses: more_uses + Math.max(0, uses.length - mostUses),
      ...{ used_in, what, other, checked, changed },
      ...(answered === undefined ? {} : { answered }),
      ...(pair.file === undefined ? {} : { file: pair.file.name, more_lines: pair.file.more_lines }),
    };
  });
}

/** Rows of a report about the copy that it was made of: its root, signer and origin. */
const rowOfCopy =
  /^<th scope="row">(?:Record root when this was written|Bundle root|Copied from|Signed with a key|Newest checkpoint|Log root that it signs|Fingerprint of the key that signed it|When it was signed|Witnesses|Time stamp of an authority|Trials of this experiment that it signs)<\/th>/;

function withoutCopy(text: string): string {
  const [first, ...rows] = text.split('<tr>');
  const kept = rows.map((row) => (rowOfCopy.test(row) ? row.slice(row.indexOf('</tr>') + 5) : `<tr>${row}`));
  return [first, ...kept].join('');
}

/** These rows as people read them, each in a line. */
export const rowsOfCopy = (text: string): string =>
  text
    .split('<tr>')
    .flatMap((row) =>
      rowOfCopy.test(row) ? [readableFile('.html', row.slice(0, row.indexOf('</tr>'))).replaceAll('\n', ' ')] : [],
    )
    .join('\n');

/** JSON without spaces between its parts and with each character written in one way; other text as it is. Nothing it holds is lost. */
const compactJson = (text: string): string =>
  attempt(() => {
    JSON.parse(text);
    return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (piece) => (piece.startsWith('"') ? JSON.stringify(JSON.parse(piece)) : ''));
  }, text);

/** A file as people read it: HTML without tags, JSON as names and values. */
export function readableFile(name: string, text: string): string {
  if (name.endsWith('.json')) return inWords(compactJson(text));
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

const rewrittenWords = 'the same content in both copies, written otherwise (in spaces, line ends or codes of characters)';

const textOf = ({ files }: Copy, name: string): string => Buffer.from(files.get(name)?.bytes ?? []).toString();

/** A file that both have, with the lines that differ; nothing where they are not shown, as where a report differs in no word. */
function pairOfFile(name: string, other: Copy, checked: Copy): Pair[] {
  const sizes = [other, checked].map(({ files }) => files.get(name)?.bytes.length ?? Number.POSITIVE_INFINITY);
  if (!isReadable(name) || Math.max(...sizes) > mostBytes) return [];
  const [one, another] = [textOf(other, name), textOf(checked, name)];
  const [a, b] = [readableFile(name, one), readableFile(name, another)];
  if (a === b && name.endsWith('.html')) return [];
  const what = fileInWords(name, (trial) => aboutIn(checked)(trial) ?? aboutIn(other)(trial));
  const place = (words: string) => () => ({ uses: [], more_uses: 0, used_in: 0, what: words });
  if (name.endsWith('.json') && compactJson(one) === compactJson(another))
    return [{ other: null, checked: null, file: { name, more_lines: 0 }, place: place(`${what}: ${rewrittenWords}`) }];
  const found = a === b ? changedLines(one, another) : changedLines(a, b);
  const version = (raw: string) => ({ raw, fits: null });
  return [{ other: version(found.a), checked: version(found.b), file: { name, more_lines: found.more }, place: place(what) }];
}

function kindOfChain(chain: string): string {
  if (/^[0-9a-f]{16}$/.test(chain)) return 'trials';
  const [kind] = /^(?:experiment|preparation|assistant|review|erasure)(?=\/)/.exec(chain) ?? ['other chain'];
  return `${kind}s`;
}

const namedKinds = new Map([
  ['review-give', 'review'],
  ['comment-give', 'comment'],
  ['review-adjudicate', 'adjudication'],
  ['record-sign', 'sign-off'],
]);

const countsBy = <T>(all: readonly T[], kindOf: (each: T) => string): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(all, kindOf)].map(([kind, of]) => [kind, of.length]));

/** What only one copy has. @param isExplained whether a text is counted elsewhere */
function onlyIn(copy: Copy, without: Copy, lack: Lack, isExplained: (ref: string) => boolean): Only {
  const beyond = <T>(ours: Lines<T>, theirs: Lines<T>) => [...ours.by].filter(([key]) => !theirs.by.has(key));
  const ofErasure = new Set(lack.events.map(placeOfEvent));
  const chains = [...copy.chains.keys()].filter((chain) => !without.chains.has(chain));
  const trials = chains.filter((chain) => kindOfChain(chain) === 'trials').slice(0, mostListed);
  const events = beyond(copy.events, without.events);
  return {
    chains: chains.slice(0, mostListed),
    trials: trials.map((trial) => chainInWords(trial, aboutIn(copy)(trial))),
    events: events.length,
    event_kinds: countsBy(events, ([place, { value }]) =>
      ofErasure.has(place) ? 'erasure' : (namedKinds.get(value.kind) ?? `event of ${kindOfChain(value.trial)}`),
    ),
    texts: beyond(copy.texts, without.texts).filter(([ref]) => !isExplained(ref)).length,
    rows: beyond(copy.rows, without.rows).length,
  };
}

const sameBytes = (one: Copy, another: Copy, name: string): boolean => {
  const [a, b] = [one.files.get(name), another.files.get(name)];
  return a !== undefined && b !== undefined && a.problem === b.problem && Buffer.from(a.bytes).equals(b.bytes);
};

/** Whether what the manifests say differs only as the files, the events and the origin do. */
function isManifestExplained(copies: readonly [Copy, Copy]): boolean {
  const [rest, other] = copies.map(({ manifest }) =>
    JSON.stringify({ ...manifest, files: null, root: null, redacted: null, adopted: null }),
  );
  const isSameRoot = copies[0].manifest?.root === copies[1].manifest?.root;
  const isRight = ({ check: { result, counted }, manifest, root }: Copy) =>
    (result === 'intact' || counted?.bad_files === 0) && (isSameRoot || manifest?.root === root);
  return rest === other && copies.every(isRight);
}

/** Whether a file says who signed a copy, or is a report that differs only in the rows that say such things. */
function isOfCopy(name: string, other: Copy, checked: Copy): boolean {
  if (/^(?:checkpoint|cosigned|key)\.txt$|^log\.jsonl$/.test(name)) return true;
  const isInBoth = other.files.has(name) && checked.files.has(name);
  return name.endsWith('.html') && isInBoth && withoutCopy(textOf(other, name)) === withoutCopy(textOf(checked, name));
}

const trialReport = /^reports\/\w+\.html$/;
const madeOfTexts = /^(?:erased\.jsonl|(?:experiment|salts|statistics)\.json|report\.html)$/;

/** Whether a copy has another file because it is redacted, or texts were erased in it. */
const isMadeWithout = (name: string, copy: Copy, { events, report }: Lack): boolean =>
  events.length > 0
    ? madeOfTexts.test(name) || trialReport.test(name)
    : report.redacted && (/^(?:salts\.json|report\.html)$/.test(name) || (trialReport.test(name) && !copy.files.has(name)));

/** Compares what both have of a file line by line. @returns whether something differs that `compare` did not find, and what is odd about its lines */
function comparedLines<T>(file: string, one: Lines<T>, another: Lines<T>, compare: (a: T, b: T) => boolean) {
  let isUnexplained = false;
  let differing = 0;
  for (const [key, { bytes, value }] of another.by) {
    const before = one.by.get(key);
    if (before === undefined || before.bytes.equals(bytes)) continue;
    differing += 1;
    if (!compare(before.value, value)) isUnexplained = true;
  }
  const common = [...one.by.keys()].filter((key) => another.by.has(key));
  const order = [...another.by.keys()].filter((key) => one.by.has(key));
  const unread: [number, number] = [one.unread, another.unread];
  const repeated: [number, number] = [one.repeated, another.repeated];
  const reordered = common.some((key, at) => key !== order[at]);
  const isOdd = reordered || [...unread, ...repeated].some((count) => count > 0);
  const isOnlyBytes = differing === 0 && !isOdd && common.length === one.by.size && common.length === another.by.size;
  return { odd: isOdd ? [{ file, unread, repeated, reordered }] : [], isUnexplained: isUnexplained || isOnlyBytes };
}

/** How many trials both copies have, how many of them are the same in them, and unchanged reports of the others. @param files that differ */
function trialsIn(other: Copy, checked: Copy, { taken, touched }: ReturnType<typeof collector>, files: readonly string[]) {
  const both = [...checked.chains.keys()].filter((chain) => kindOfChain(chain) === 'trials' && other.chains.has(chain));
  const changed = new Set([...taken].flatMap((ref) => [ref, partName(ref)]));
  const namesChanged = (trial: string) =>
    checked.chains
      .get(trial)
      ?.some(({ payload }) => [...payload.matchAll(/"([\w-]{43}|[\w-]{12})"/g)].some(([, ref = '']) => changed.has(ref)));
  const same = both.filter(
    (trial) =>
      isDeepStrictEqual(other.chains.get(trial), checked.chains.get(trial)) &&
      other.rows.by.has(trial) === checked.rows.by.has(trial) &&
      !touched.has(trial) &&
      !files.includes(`reports/${trial}.html`) &&
      !namesChanged(trial),
  );
  const isSame = new Set(same);
  const reports = both.filter((trial) => !isSame.has(trial)).map((trial) => `reports/${trial}.html`);
  return {
    trials: { both: both.length, same: same.length },
    same_reports: reports.filter((name) => sameBytes(other, checked, name)).slice(0, mostListed),
  };
}

/** Files of which the manifests of two copies say something else. */
function relistedIn(copies: readonly [Copy, Copy]): string[] {
  const [one = new Map(), another = new Map()] = copies.map(
    ({ manifest }) => new Map(manifest?.files.map((file) => [file.path, JSON.stringify(file)])),
  );
  return [...new Set([...one.keys(), ...another.keys()])].filter((path) => one.get(path) !== another.get(path));
}

function differencesOf(other: Copy, checked: Copy) {
  const lacks = { other: lackOf(other, checked), checked: lackOf(checked, other) };
  const names = new Set([...other.files.keys(), ...checked.files.keys()]);
  const differing = [...names].filter((name) => !sameBytes(other, checked, name));
  const found = collector(other, checked, lacks);
  const ofLines = {
    'texts.jsonl': () =>
      comparedLines('texts.jsonl', other.texts, checked.texts, (one, another) => {
        if (one.raw !== another.raw) found.texts(another.ref, another.ref);
        return one.raw !== another.raw;
      }),
    'events.jsonl': () => comparedLines('events.jsonl', other.events, checked.events, found.events),
    'trials.jsonl': () => comparedLines('trials.jsonl', other.rows, checked.rows, found.rows),
  };
  const lines = Object.entries(ofLines).flatMap(([name, compare]) => (differing.includes(name) ? [{ name, ...compare() }] : []));
  // A text that both records name and one copy lacks without a reason.
  for (const [copy, without, { whyGone }] of [[other, checked, lacks.checked] as const, [checked, other, lacks.other] as const]) {
    const named = new Set([...without.events.by.values()].flatMap(({ value }) => value.payload.match(/[\w-]{43}/g) ?? []));
    for (const ref of copy.texts.by.keys())
      if (named.has(ref) && !without.texts.by.has(ref) && !found.taken.has(ref) && whyGone(ref) === null)
        found.texts(copy === other ? ref : undefined, copy === other ? undefined : ref);
  }
  const pairs = [...found.pairs.values()].map(sized).sort((one, another) => another.changed - one.changed);
  const explained = new Set(lines.flatMap(({ name, isUnexplained }) => (isUnexplained ? [] : [name])));
  const isManifestRight = isManifestExplained([other, checked]);
  const isAdoptedSame = JSON.stringify(other.manifest?.adopted) === JSON.stringify(checked.manifest?.adopted);
  const { files = [], ...apart } = Object.groupBy(differing, (name) => {
    if (explained.has(name) || (name === 'manifest.json' && isManifestRight && isAdoptedSame)) return 'explained';
    if (name === 'manifest.json' ? isManifestRight : isOfCopy(name, other, checked)) return 'of_copy';
    const isWithout = isMadeWithout(name, other, lacks.other) || isMadeWithout(name, checked, lacks.checked);
    return isWithout ? 'not_compared' : 'files';
  });
  const ofFiles = files.slice(0, mostFiles).flatMap((name) => pairOfFile(name, other, checked));
  const isCounted =
    ({ whyGone }: Lack) =>
    (ref: string) =>
      found.taken.has(ref) || whyGone(ref) !== null;
  return {
    same: differing.length === 0,
    list: listOf([...pairs.slice(0, mostListed), ...ofFiles.map(sized)]),
    more: Math.max(0, pairs.length - mostListed),
    only_other: onlyIn(other, checked, lacks.other, isCounted(lacks.checked)),
    only_checked: onlyIn(checked, other, lacks.checked, isCounted(lacks.other)),
    gone_other: lacks.other.report,
    gone_checked: lacks.checked.report,
    hashes: found.hashes(),
    ...trialsIn(other, checked, found, files),
    relisted: isManifestRight ? relistedIn([other, checked]) : [],
    lines: lines.flatMap(({ odd }) => odd),
    files,
    more_files: 0 as const,
    of_copy: apart.of_copy ?? [],
    not_compared: apart.not_compared ?? [],
  };
}

/** The log of a copy, with the entries that another copy does not have by the chain that they are of. */
function logOf(copy: Copy, without: Copy): Differences['log'] {
  const { log = null } = copy.check;
  if (log === null) return null;
  const known = new Set(textOf(without, 'log.jsonl').split('\n'));
  const added = textOf(copy, 'log.jsonl')
    .split('\n')
    .filter((line) => line !== '' && !known.has(line));
  return {
    entries: log.entries,
    signers: [...new Set(log.checkpoints.map(({ key }) => fingerprintOf(Buffer.from(key))))],
    only: countsBy(added, (line) => kindOfChain(/^\{"chain":"([^"]*)"/.exec(line)?.[1] ?? '')),
  };
}

/** Compares two copies of a bundle. @param field what named the other @throws not-found, bad-input, store-unreadable */
export async function compareBundles(path: string, otherPath: string, field = ''): Promise<Differences> {
  for (const file of [path, otherPath]) {
    if (isBundle(file)) continue;
    const place = file === otherPath && field !== '' ? { file, field } : { file };
    if (!existsSync(file)) throw new AssizeError('not-found', 'there is no such file', place);
    throw badInput(
      'only bundles are compared, and this is none. Export a bundle of the same experiment from the other copy',
      place,
    );
  }
  const [checked, other] = [await readCopy(path), await readCopy(otherPath)];
  const resultOf = ({ check }: Copy) => (check.result === 'intact' ? 'intact' : 'tampered');
  return {
    other: otherPath,
    compared: path,
    other_result: resultOf(other),
    result: resultOf(checked),
    other_root: other.root,
    root: checked.root,
    other_log: logOf(other, checked),
    log: logOf(checked, other),
    ...withShortNames(differencesOf(other, checked)),
  };
}
