// What differs between two copies of a bundle. No copy is said to be the same as another one that has other bytes.
import { existsSync } from 'node:fs';
import { chainInWords, fileInWords, type TextUse } from '../../../../resources/bundle/uses.mjs';
import type { BundleLog } from '../../../../resources/bundle/verify.mjs';
import type { Difference, Differences, Only } from '../../../shared/differences.ts';
import { badInput } from '../../../shared/errors.ts';
import { fingerprintOf } from '../checkpoint/userKey.ts';
import { aboutIn, type Copy, type Lines, placeOfEvent, readCopy } from './copies.ts';
import { changeIn, collector, fileLines, inWords, isSameBut, type Pair, type Version } from './differing.ts';
import { erasuresOf, eventsOfErasure, isErasedCase, isMadeWithout } from './erasedBetween.ts';
import { checkBundle, isBundle } from './unpackBundle.ts';

const mostListed = 100;
/** Files of which lines are shown. */
const mostFiles = 50;
const mostUses = 20;
/** Characters of all versions together, and of a name. */
const mostShown = 2_000_000;
const mostInName = 300;
/** Characters before the first difference, of a version that is not shown whole. */
const context = 200;

const shortName = (name: string): string =>
  name.length <= mostInName ? name : `${name.slice(0, mostInName)} … (${name.length - mostInName} more characters)`;

function shortUse(use: TextUse): TextUse {
  const entries = Object.entries(use).map(([name, value]) => [name, typeof value === 'string' ? shortName(value) : value]);
  return Object.fromEntries(entries) as TextUse;
}

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

/** @param pairs with the number of characters that differ */
function listOf(pairs: readonly (readonly [Pair, number])[]): Difference[] {
  const most = Math.floor(mostShown / (2 * pairs.length));
  return pairs.map(([pair, changed]) => {
    const { uses, more_uses, used_in, what } = pair.place();
    const versions = inFull(pair);
    const { start } = changeIn(versions[0]?.raw ?? '', versions[1]?.raw ?? '');
    const [other = null, checked = null] = versions.map((version) => (version === null ? null : part(version, most, start)));
    return {
      uses: uses.slice(0, mostUses).map(shortUse),
      more_uses: more_uses + Math.max(0, uses.length - mostUses),
      used_in,
      what: what === null ? null : shortName(what),
      ...{ other, checked, changed },
      ...(pair.file === undefined ? {} : { file: shortName(pair.file.name), more_lines: pair.file.more_lines }),
    };
  });
}

/** Files that both have, with the lines that differ. */
function pairsOfFiles(names: readonly string[], other: Copy, checked: Copy): Pair[] {
  return names.flatMap((name) => {
    const [before, after] = [other.files.get(name)?.bytes, checked.files.get(name)?.bytes];
    const found = before === undefined || after === undefined ? null : fileLines(name, before, after);
    if (found === null) return [];
    const version = (raw: string) => ({ raw, fits: null });
    const what = fileInWords(name, (trial) => aboutIn(checked)(trial) ?? aboutIn(other)(trial));
    return {
      ...{ other: version(found.a), checked: version(found.b), file: { name, more_lines: found.more } },
      place: () => ({ uses: [], more_uses: 0, used_in: 0, what }),
    };
  });
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

/** What only one copy has. @param isExplained whether a text is counted elsewhere */
function onlyIn(copy: Copy, without: Copy, isExplained: (ref: string) => boolean): Only {
  const beyond = <T>(ours: Lines<T>, theirs: Lines<T>) => [...ours.by].filter(([key]) => !theirs.by.has(key));
  const ofErasure = new Set(eventsOfErasure(copy, without).map(placeOfEvent));
  const chains = [...copy.chains.keys()].filter((chain) => !without.chains.has(chain));
  const trials = chains.filter((chain) => kindOfChain(chain) === 'trials').slice(0, mostListed);
  const events = beyond(copy.events, without.events);
  const kinds = Object.groupBy(events, ([place, { value }]) =>
    ofErasure.has(place) ? 'erasure' : (namedKinds.get(value.kind) ?? `event of ${kindOfChain(value.trial)}`),
  );
  return {
    chains: chains.slice(0, mostListed).map(shortName),
    trials: trials.map((trial) => shortName(chainInWords(trial, aboutIn(copy)(trial)))),
    events: events.length,
    event_kinds: Object.fromEntries(Object.entries(kinds).map(([kind, of = []]) => [kind, of.length])),
    texts: beyond(copy.texts, without.texts).filter(([ref]) => !isExplained(ref)).length,
    rows: beyond(copy.rows, without.rows).length,
  };
}

const isRedactedBeside = (copy: Copy, whole: Copy) => copy.manifest?.redacted === true && whole.manifest?.redacted === false;

/** Why a copy does not have a text that the other one has, where that is in order; null where it is not. */
function whyGone(copy: Copy, from: Copy, ref: string): 'erased' | 'left_out' | null {
  if (copy.texts.by.has(ref)) return null;
  if (copy.erased.has(ref)) return 'erased';
  return isRedactedBeside(copy, from) && from.texts.by.get(ref)?.value.isData === true ? 'left_out' : null;
}

function goneFrom(copy: Copy, from: Copy): Differences['gone_other'] {
  const all = [...from.texts.by.keys()].map((ref) => whyGone(copy, from, ref));
  const count = (why: string) => all.filter((each) => each === why).length;
  const redacted = isRedactedBeside(copy, from);
  return { left_out: count('left_out'), erased: count('erased'), erasures: erasuresOf(copy, from), redacted };
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.values(value).length === 0);

/** Whether a row lacks what goes with the text of its case: groups, the weight, and what a change was from and to. */
function isLeftOutOfRow(field: string, value: unknown): boolean {
  if (field !== 'change') return ['groups', 'weight'].includes(field) && isNothing(value);
  const { from, to } = (value ?? {}) as { from?: unknown; to?: unknown };
  return isNothing(from) && isNothing(to);
}

const sameBytes = (one: Copy, another: Copy, name: string): boolean => {
  const [a, b] = [one.files.get(name), another.files.get(name)];
  return a !== undefined && b !== undefined && a.problem === b.problem && Buffer.from(a.bytes).equals(b.bytes);
};

/** Whether what the manifests say differs only as the files, the events and the origin do. */
function isManifestExplained(copies: readonly Copy[], roots: readonly (string | null)[]): boolean {
  const rest = copies.map(({ manifest }) =>
    JSON.stringify({ ...manifest, files: null, root: null, redacted: null, adopted: null }),
  );
  const isSameRoot = copies[0]?.manifest?.root === copies[1]?.manifest?.root;
  const isRight = ({ isAsListed, manifest }: Copy, at: number) => isAsListed && (isSameRoot || manifest?.root === roots[at]);
  return rest[0] === rest[1] && copies.every(isRight);
}

/** Whether a file says who signed a copy, or is a report that differs only in the rows that say such things. */
function isOfCopy(name: string, other: Copy, checked: Copy): boolean {
  if (/^(?:checkpoint|cosigned|key)\.txt$|^log\.jsonl$/.test(name)) return true;
  const [one, another] = [other.files.get(name)?.bytes, checked.files.get(name)?.bytes];
  return one !== undefined && another !== undefined && isSameBut(name, one, another);
}

/** Whether a file is another one because a copy is redacted, or texts were erased in it. */
function isExplainedFile(name: string, other: Copy, checked: Copy): boolean {
  const isErased = [...eventsOfErasure(other, checked), ...eventsOfErasure(checked, other)].length > 0;
  if (isErased && isMadeWithout(name)) return true;
  const redacted = [other, checked].find((copy) => isRedactedBeside(copy, copy === other ? checked : other));
  if (redacted === undefined) return false;
  return ['salts.json', 'report.html'].includes(name) || (/^reports\/\w+\.html$/.test(name) && !redacted.files.has(name));
}

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
  const odd = {
    file,
    unread: [one.unread, another.unread] as [number, number],
    repeated: [one.repeated, another.repeated] as [number, number],
    reordered: common.some((key, at) => key !== order[at]),
  };
  const isOdd = odd.reordered || [...odd.unread, ...odd.repeated].some((count) => count > 0);
  const isOnlyBytes = differing === 0 && !isOdd && common.length === one.by.size && common.length === another.by.size;
  return { odd: isOdd ? [odd] : [], isUnexplained: isUnexplained || isOnlyBytes };
}

function differencesOf(
  other: Copy,
  checked: Copy,
  roots: readonly [string | null, string | null],
): Omit<Differences, 'other' | 'compared' | 'other_result' | 'result' | 'other_root' | 'root' | 'other_log' | 'log'> {
  const names = new Set([...other.files.keys(), ...checked.files.keys()]);
  const differing = new Set([...names].filter((name) => !sameBytes(other, checked, name)));
  const found = collector(other, checked);
  const isLeftOut = (trial: string, field: string, value: unknown, copy: Copy) => {
    const from = copy === other ? checked : other;
    return isLeftOutOfRow(field, value) && (isRedactedBeside(copy, from) || isErasedCase(copy, from, trial));
  };
  const ofLines = {
    'texts.jsonl': () =>
      comparedLines('texts.jsonl', other.texts, checked.texts, (one, another) => {
        if (one.raw !== another.raw) found.texts(another.ref, another.ref);
        return one.raw !== another.raw;
      }),
    'events.jsonl': () => comparedLines('events.jsonl', other.events, checked.events, found.events),
    'trials.jsonl': () =>
      comparedLines('trials.jsonl', other.rows, checked.rows, (one, another) => found.rows(one, another, isLeftOut)),
  };
  const lines = Object.entries(ofLines).flatMap(([name, compare]) => (differing.has(name) ? [[name, compare()] as const] : []));
  // A text that both records name and one copy lacks without a reason.
  for (const [copy, without] of [
    [other, checked],
    [checked, other],
  ] as const) {
    const named = new Set([...without.events.by.values()].flatMap(({ value }) => value.payload.match(/[\w-]{43}/g) ?? []));
    for (const ref of copy.texts.by.keys())
      if (named.has(ref) && !without.texts.by.has(ref) && !found.taken.has(ref) && whyGone(without, copy, ref) === null)
        found.texts(...((copy === other ? [ref, undefined] : [undefined, ref]) as [string | undefined, string | undefined]));
  }
  const sizedPair = (pair: Pair) => [pair, changeIn(pair.other?.raw ?? '', pair.checked?.raw ?? '').changed] as const;
  const sized = [...found.pairs.values()].map(sizedPair).sort(([, one], [, another]) => another - one);
  const explained = new Set(lines.flatMap(([name, { isUnexplained }]) => (isUnexplained ? [] : [name])));
  const isManifestRight = isManifestExplained([other, checked], roots);
  if (isManifestRight && JSON.stringify(other.manifest?.adopted) === JSON.stringify(checked.manifest?.adopted))
    explained.add('manifest.json');
  const further = [...differing].filter((name) => !explained.has(name));
  const ofCopy = new Set(further.filter((name) => (name === 'manifest.json' ? isManifestRight : isOfCopy(name, other, checked))));
  const [files, notCompared] = [false, true].map((is) =>
    further.filter((name) => !ofCopy.has(name) && isExplainedFile(name, other, checked) === is),
  );
  const ofFiles = pairsOfFiles((files ?? []).slice(0, mostFiles), other, checked);
  const isExplained = (copy: Copy, without: Copy) => (ref: string) =>
    found.taken.has(ref) || whyGone(without, copy, ref) !== null;
  return {
    same: differing.size === 0,
    list: listOf([...sized.slice(0, mostListed), ...ofFiles.map(sizedPair)]),
    more: Math.max(0, sized.length - mostListed),
    only_other: onlyIn(other, checked, isExplained(other, checked)),
    only_checked: onlyIn(checked, other, isExplained(checked, other)),
    gone_other: goneFrom(other, checked),
    gone_checked: goneFrom(checked, other),
    hashes: found.hashes(),
    lines: lines.flatMap(([, { odd }]) => odd),
    files: (files ?? []).map(shortName),
    more_files: 0,
    of_copy: [...ofCopy].map(shortName),
    not_compared: (notCompared ?? []).map(shortName),
  };
}

/** The entries of a log that another copy does not have, by the chain that they are of. */
function logOf(log: BundleLog | null, copy: Copy, without: Copy): Differences['log'] {
  if (log === null) return null;
  const linesIn = ({ files }: Copy) =>
    Buffer.from(files.get('log.jsonl')?.bytes ?? [])
      .toString()
      .split('\n');
  const known = new Set(linesIn(without));
  const added = linesIn(copy).flatMap((line) =>
    known.has(line) || line === '' ? [] : [kindOfChain(/^\{"chain":"([^"]*)"/.exec(line)?.[1] ?? '')],
  );
  return {
    entries: log.entries,
    signers: [...new Set(log.checkpoints.map(({ key }) => fingerprintOf(Buffer.from(key))))],
    only: Object.fromEntries(Object.entries(Object.groupBy(added, (kind) => kind)).map(([kind, of = []]) => [kind, of.length])),
  };
}

/**
 * Compares a bundle with another copy of it.
 * @param field what named the other copy
 * @throws bad-input where one of them is missing or no bundle, store-unreadable where it cannot be read
 */
export async function compareBundles(path: string, otherPath: string, field = ''): Promise<Differences> {
  for (const file of [path, otherPath]) {
    if (isBundle(file)) continue;
    const place = file === otherPath && field !== '' ? { file, field } : { file };
    if (!existsSync(file)) throw badInput('there is no such file', place);
    throw badInput(
      'only bundles are compared, and this is none. Export a bundle of the same experiment from the other copy',
      place,
    );
  }
  const [found, before] = [await checkBundle(path), await checkBundle(otherPath)];
  const resultOf = ({ result }: typeof found) => (result === 'intact' ? 'intact' : 'tampered');
  const rootOf = ({ root, eventsRoot }: typeof found) => root ?? eventsRoot ?? null;
  const [other, checked] = [await readCopy(otherPath), await readCopy(path)];
  return {
    other: otherPath,
    compared: path,
    other_result: resultOf(before),
    result: resultOf(found),
    other_root: rootOf(before),
    root: rootOf(found),
    other_log: logOf(before.log ?? null, other, checked),
    log: logOf(found.log ?? null, checked, other),
    ...differencesOf(other, checked, [rootOf(before), rootOf(found)]),
  };
}
