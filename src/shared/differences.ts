// What differs between two copies of a bundle, and how it is said.
import { z } from 'zod';
import { badRecordSchema } from './damage.ts';

const versionSchema = z.strictObject({
  /** Whole, or a part of one that is too long; then it begins shortly before the first difference. */
  text: z.string(),
  /** Characters before and after this part. */
  before: z.int().min(0),
  more: z.int().min(0),
  /** Whether it has the hash that its copy gives it; null of what has none of its own, such as a row of results. */
  fits: z.boolean().nullable(),
});

const differenceSchema = badRecordSchema.pick({ uses: true, more_uses: true, used_in: true }).extend({
  /** What differs, where no event says it: `Case D01 of the data set, which no trial is about`. */
  what: z.string().nullable(),
  /** In the other copy and in the checked one; null where a copy has nothing in this place. */
  other: versionSchema.nullable(),
  checked: versionSchema.nullable(),
  /** Characters from the first to the last that differ, of the longer version. */
  changed: z.int().min(0),
  /** Of another file of the bundle, its name: the versions then are the first lines that differ, as people read them, and more do. */
  file: z.string().optional(),
  more_lines: z.int().optional(),
});
export type Difference = z.infer<typeof differenceSchema>;

const onlySchema = z.strictObject({
  /** Trials and other chains; at most 100 names. */
  chains: z.array(z.string()),
  /** The same with the case and the replicate of a trial. */
  chain_words: z.array(z.string()),
  /** Events beyond those that both have, also of these chains. */
  events: z.int(),
  texts: z.int(),
  /** Rows of results. */
  rows: z.int(),
});

const goneSchema = z.strictObject({
  /** Texts about cases that it lacks because it is redacted. */
  left_out: z.int(),
  /** Texts that it lacks because they were erased. */
  erased: z.int(),
  /** Erasures that the other one does not have, in order; `case` is its id, null where that is not known. */
  erasures: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      scope: z.enum(['data-set', 'experiment', 'case']),
      experiment: z.string().nullable(),
      case: z.string().nullable(),
      /** Texts that it took, also from where the other copy has none. */
      texts: z.int().min(0),
    }),
  ),
  /** Whether it is redacted and the other one is not. */
  redacted: z.boolean(),
});

const linesSchema = z.strictObject({
  file: z.string(),
  /** In the other copy and in the checked one: lines that cannot be read, and those about what an earlier line is about. */
  unread: z.tuple([z.int(), z.int()]),
  repeated: z.tuple([z.int(), z.int()]),
  /** Whether what both have comes in another order. */
  reordered: z.boolean(),
});

/** The log of a copy. */
const logSchema = z.strictObject({
  entries: z.int(),
  /** Fingerprints of the keys that signed it. */
  signers: z.array(z.string()),
  /** Chains of which it has an entry that the other one lacks; at most 100. */
  only: z.array(z.string()),
});

/** A comparison of a bundle with another copy of it. */
export const differencesSchema = z.strictObject({
  other: z.string(),
  /** The checked one. */
  compared: z.string(),
  /** Whether every file in them has the same bytes. */
  same: z.boolean(),
  /** What the check of each copy found. */
  other_result: z.enum(['intact', 'tampered']),
  result: z.enum(['intact', 'tampered']),
  /** The root over the events of each, hexadecimal; null where an event does not hold. */
  other_root: z.string().nullable(),
  root: z.string().nullable(),
  /** Null where no key signed a copy, or its events do not hold. */
  other_log: logSchema.nullable(),
  log: logSchema.nullable(),
  /** Most changed characters first, at most 100; then at most 50 files. */
  list: z.array(differenceSchema),
  /** Beyond the first 100, without files. */
  more: z.int(),
  only_other: onlySchema,
  only_checked: onlySchema,
  gone_other: goneSchema,
  gone_checked: goneSchema,
  /** Events that differ only in hashes, which follow from other differences. */
  hashes: z.int(),
  /** Files with lines that cannot be read, are repeated, or come in another order. */
  lines: z.array(linesSchema),
  /** Other files of the bundle that differ, that only one has, or that differ in more than is listed; at most 100 names. */
  files: z.array(z.string()),
  more_files: z.int(),
  /** Files that differ and were not compared, because one copy is redacted or texts were erased in it; at most 100 names. */
  not_compared: z.array(z.string()),
});
export type Differences = z.infer<typeof differencesSchema>;
export type Only = Differences['only_other'];

const amount = (number: number, one: string, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

const countOfOnly = ({ events, texts, rows }: Only) => events + texts + rows;

/** Whether two copies differ in more than texts that were left out or erased. */
export const isDifferent = ({
  list,
  only_other,
  only_checked,
  hashes,
  lines,
  files,
  result,
  other_result,
}: Differences): boolean =>
  result !== other_result ||
  list.length + hashes + lines.length + files.length + countOfOnly(only_other) + countOfOnly(only_checked) > 0;

const some = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** How much differs, in a sentence or two. */
export function countWords({ list, more, files, more_files, same, not_compared }: Differences): string {
  if (same) return 'The two copies are the same in every file.';
  const all = list.filter(({ file }) => file === undefined).length + more;
  const further = files.length + more_files;
  const places =
    all === 0
      ? 'No words of a text, an event or a result that both copies have differ, but the copies are not the same'
      : amount(all, 'place differs', 'places differ');
  const inFiles = further === 0 ? '' : `, and ${amount(further, 'file differs', 'files differ')} in something else`;
  const left =
    not_compared.length === 0
      ? ''
      : ` Not compared: ${some(not_compared)}. They were made without what one copy lacks, so a change in them is not found here.`;
  return `${places}${inFiles}${all > 1 ? ', the largest difference first' : ''}${more > 0 ? `; the first ${all - more} are shown` : ''}.${left}`;
}

const nameIn = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

/** What the two are called: the names of files can be the same. */
export const titlesOf = ({ other, compared }: Pick<Differences, 'other' | 'compared'>) =>
  ({ other: `The other copy (${nameIn(other)})`, checked: `The checked file (${nameIn(compared)})` }) as const;

/** Who signed which copy, which is older, and why their logs differ in length, where that is known. */
export function originWords(found: Differences): string[] {
  const { other_log, log, only_other, only_checked, gone_other, gone_checked, result, other_result } = found;
  const by = (of: Differences['log']) =>
    of === null ? 'signed by no key that was found' : `signed by the key ${of.signers.join(', ')}`;
  const beyond = (only: Only, erased: Differences['gone_other']) => only.events + erased.erasures.length;
  const [inOther, inChecked] = [beyond(only_other, gone_other), beyond(only_checked, gone_checked)];
  const older =
    result !== 'intact' || other_result !== 'intact' || (inOther > 0 && inChecked > 0)
      ? []
      : inOther + inChecked === 0
        ? ['Neither copy has an event that the other one lacks, so they do not show which is older.']
        : [
            `The ${inOther > 0 ? 'checked file is the older one: the other copy' : 'other copy is the older one: the checked file'} has everything that it has, and ${amount(inOther + inChecked, 'event')} more.`,
          ];
  const entries = (where: string, { only }: NonNullable<Differences['log']>) =>
    only.length === 0 ? '' : ` Only that of ${where} has entries of ${some(only)}.`;
  const logs =
    log === null || other_log === null || log.entries === other_log.entries
      ? []
      : [
          `The log of the other copy has ${amount(other_log.entries, 'entry', 'entries')}, that of the checked file ${log.entries}: it gets one for each trial that ends, and each checkpoint adds one for each other chain that has grown, such as those of the experiment, of reviews and of erasures.${entries('the other copy', other_log)}${entries('the checked file', log)}`,
        ];
  const signed =
    by(log) === by(other_log)
      ? `Both copies are ${by(log)}.`
      : `The other copy is ${by(other_log)}; the checked file is ${by(log)}.`;
  return [signed, ...older, ...logs];
}

/** Which copy has the words that were recorded, as far as hashes show it. */
export function trustWords(found: Differences): string {
  const { other_result, result, other_root, root, gone_other, gone_checked } = found;
  const bothIntact = result === 'intact' && other_result === 'intact';
  if (result === 'tampered' && other_result === 'tampered')
    return 'The check finds a fault in both copies: neither is known to be the original.';
  const intact = bothIntact ? 'Both copies are intact' : `The ${result === 'intact' ? 'checked file' : 'other copy'} is intact`;
  if (other_root === null || root === null)
    return `${intact}. The ${root === null ? 'checked file' : 'other copy'} has no root, because an event in it does not hold: only a root, a key or a checkpoint that you got by another way shows whether the intact one is what was recorded.`;
  if (bothIntact && gone_other.erasures.length + gone_checked.erasures.length > 0 && !isDifferent(found))
    return `${intact}. Their roots differ because an erasure is part of the record: all other events are the same.`;
  if (other_root !== root)
    return `${intact}, and the roots differ: only a root, a key or a checkpoint that you got by another way shows which copy was recorded.`;
  return bothIntact
    ? `${intact} and have the same root.`
    : `${intact}, and the root of both is the same: its words are those that the root was made of.`;
}

type Erasure = Differences['gone_other']['erasures'][number];

function erasureWords({ at, scope, experiment, case: kase }: Erasure): string {
  const what = {
    case: kase === null ? 'a case' : `case ${kase}`,
    experiment: `what was said in the experiment ${experiment}`,
    'data-set': 'a whole data set',
  };
  return `${what[scope]} on ${at}`;
}

/** Why an erasure says that it took more texts than the other copy has of them. */
function unmatched(erased: number, erasures: readonly Erasure[], from: string): string {
  const more = erasures.reduce((sum, { texts }) => sum + texts, 0) - erased;
  return more <= 0
    ? ''
    : ` What was erased is ${erased + more} texts in all; ${from} never had ${more} of them, such as the words of a review that was written later or of another experiment.`;
}

function goneWords(where: string, from: string, { left_out, erased, erasures, redacted }: Differences['gone_other']): string[] {
  return [
    ...(redacted
      ? [
          `${where.replace(/^t/, 'T')} is redacted: it leaves out ${amount(left_out, 'text')}, the salt and what else is about cases.`,
        ]
      : []),
    ...(erased + erasures.length > 0
      ? [
          `${amount(erased, 'text was', 'texts were')} erased in ${where}${erasures.length === 0 ? '' : `: ${erasures.map(erasureWords).join('; ')}. A record does not keep who erased them or why`}.${unmatched(erased, erasures, from)}`,
        ]
      : []),
  ];
}

function lineWords({ file, unread, repeated, reordered }: Differences['lines'][number]): string {
  const both = ([other, checked]: readonly [number, number]) => `${other} in the other copy, ${checked} in the checked file`;
  return `${file}: ${[
    ...(Math.max(...unread) > 0 ? [`lines that cannot be read: ${both(unread)}`] : []),
    ...(Math.max(...repeated) > 0 ? [`lines about the same as an earlier line: ${both(repeated)}`] : []),
    ...(reordered ? ['the lines come in another order'] : []),
  ].join('; ')}.`;
}

const isVerifier = (name: string) => /^(?:verify\.html|\w+\.mjs)$/.test(name);
const isOfSigning = (name: string) => /^(?:checkpoint\.txt|cosigned\.txt|key\.txt|log\.jsonl|manifest\.json)$/.test(name);

/** Whether people read a file, so that the lines that differ are shown. */
export const isReadable = (name: string): boolean =>
  /\.(?:html|jsonl?|csv|md|txt)$/.test(name) && !isVerifier(name) && !isOfSigning(name);

function fileWords({ list, files, more_files }: Differences): string[] {
  const shown = new Set(list.map(({ file }) => file));
  const says = (are: (name: string) => boolean, words: (names: string) => string) => {
    const names = files.filter((name) => !shown.has(name) && are(name));
    return names.length === 0 ? [] : [words(names.join(', '))];
  };
  return [
    ...(list.some(({ file }) => file?.endsWith('.html'))
      ? [
          'Reports show what the record says, and no root covers them: export them again from the intact copy. A report names root and signer, so that those of two intact copies can differ in these.',
        ]
      : []),
    ...says(
      isVerifier,
      (names) =>
        `Parts of the verifier that differ: ${names}. Another version of Assize writes another verifier; check both copies with one that you trust.`,
    ),
    ...says(
      isOfSigning,
      (names) =>
        `What is about signatures and files, and differs: ${names}. A copy has the log and signatures of those who exported it.`,
    ),
    ...says(
      (name) => !isVerifier(name) && !isOfSigning(name),
      (names) => `Files that differ, or that only one copy has, and are not listed above: ${names}.`,
    ),
    ...(more_files === 0 ? [] : [`${amount(more_files, 'file more differs', 'files more differ')}.`]),
  ];
}

/** What else differs, in sentences. Names in them are as the copies have them. */
export function restWords(found: Differences): string[] {
  const { only_other, only_checked, gone_other, gone_checked, hashes, lines } = found;
  const only = (where: string, { chain_words: chains, events, texts, rows }: Only) =>
    events + texts + rows === 0
      ? []
      : [
          `Only in ${where}: ${amount(events, 'event')}, ${amount(texts, 'text')} and ${amount(rows, 'row')} of results${chains.length === 0 ? '' : `, with all of ${chains.join(', ')}`}.`,
        ];
  return [
    ...only('the other copy', only_other),
    ...only('the checked file', only_checked),
    ...goneWords('the other copy', 'the checked file', gone_other),
    ...goneWords('the checked file', 'the other copy', gone_checked),
    ...(hashes === 0 ? [] : [`${amount(hashes, 'event differs', 'events differ')} only in hashes that follow from the above.`]),
    ...lines.map(lineWords),
    ...fileWords(found),
  ];
}

/** How many lines of a file differ beyond those that are shown; nothing where none do. */
export const moreLinesWords = ({ more_lines: more = 0 }: Difference): string =>
  more === 0 ? '' : `… and ${amount(more, 'more line that differs', 'more lines that differ')}`;

/** What is known of a version, and how much of it is shown. */
export function versionWords(version: Difference['other']): string {
  if (version === null) return 'has nothing here';
  const { text, before, more, fits } = version;
  return [
    ...(fits === null ? [] : [fits ? 'fits its hash' : 'does not fit its hash']),
    ...(before + more === 0
      ? []
      : [
          `is too long to show whole: ${text.length} of its ${before + text.length + more} characters, from character ${before + 1} on`,
        ]),
  ].join(' and ');
}
