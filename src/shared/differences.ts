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
});
export type Difference = z.infer<typeof differenceSchema>;

const onlySchema = z.strictObject({
  /** Trials and other chains; at most 100 names. */
  chains: z.array(z.string()),
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

/** A comparison of a bundle with another copy of it. */
export const differencesSchema = z.strictObject({
  other: z.string(),
  /** Whether every file in them has the same bytes. */
  same: z.boolean(),
  /** What the check of each copy found. */
  other_result: z.enum(['intact', 'tampered']),
  result: z.enum(['intact', 'tampered']),
  /** The root over the events of each, hexadecimal; null where an event does not hold. */
  other_root: z.string().nullable(),
  root: z.string().nullable(),
  /** Most changed characters first, at most 100. */
  list: z.array(differenceSchema),
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

/** How much differs, in a sentence. */
export function countWords(found: Differences): string {
  const all = found.list.length + found.more;
  if (found.same) return 'The two copies are the same in every file.';
  if (all === 0) return 'No words of a text, an event or a result that both copies have differ, but the copies are not the same.';
  const further = found.files.length + found.more_files;
  const files =
    further === 0 ? '' : `, and ${amount(further, 'file differs', 'files differ')} in something else: they are named at the end`;
  return `${amount(all, 'place differs', 'places differ')}${files}${all > 1 ? ', the largest difference first' : ''}${found.more > 0 ? `; the first ${found.list.length} are shown` : ''}.`;
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

function goneWords(where: string, { left_out, erased, erasures, redacted }: Differences['gone_other']): string[] {
  return [
    ...(redacted
      ? [
          `${where.replace(/^t/, 'T')} is redacted: it leaves out ${amount(left_out, 'text')}, the salt and what else is about cases. Its report.html was made without them, so it was not compared.`,
        ]
      : []),
    ...(erased + erasures.length > 0
      ? [
          `${amount(erased, 'text was', 'texts were')} erased in ${where}${erasures.length === 0 ? '' : `: ${erasures.map(erasureWords).join('; ')}. A record does not keep who erased them or why. Its experiment.json, salts.json, statistics.json and reports were made without them, so these files were not compared`}.`,
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

/** Kinds of files that differ in something that is not listed, and what that means. */
const fileKinds: readonly { readonly are: RegExp; readonly words: (names: string) => string }[] = [
  {
    are: /^(?!verify\.html$).*\.html$/,
    words: (names) =>
      `Reports that differ in something that is not listed above: ${names}. They show what the record says, and no root covers them: read both versions next to each other, or export them again from the intact copy. A report names root and signer, so that those of two intact copies can differ in these.`,
  },
  {
    are: /^(?:verify\.html|\w+\.mjs)$/,
    words: (names) =>
      `Parts of the verifier that differ: ${names}. Another version of Assize writes another verifier; check both copies with one that you trust.`,
  },
  {
    are: /^(?:checkpoint\.txt|key\.txt|log\.jsonl|manifest\.json)$/,
    words: (names) =>
      `What is about signatures and files, and differs: ${names}. A copy has the log and signatures of those who exported it.`,
  },
  { are: /^/, words: (names) => `Files that differ in something that is not listed above: ${names}.` },
];

/** The report of a trial by the trial, as tables and searches name it. */
const fileName = (name: string) => name.replace(/^reports\/(\w+)\.html$/, '$& (the report of trial $1)');

function fileWords({ files, more_files }: Differences): string[] {
  const byKind = Map.groupBy(files, (name) => fileKinds.find(({ are }) => are.test(name)));
  const more = more_files === 0 ? [] : [`${amount(more_files, 'file more differs', 'files more differ')}.`];
  return [
    ...fileKinds.flatMap((kind) => {
      const names = byKind.get(kind);
      return names === undefined ? [] : [kind.words(names.map(fileName).join(', '))];
    }),
    ...more,
  ];
}

/** What else differs, in sentences. Names in them are as the copies have them. */
export function restWords(found: Differences): string[] {
  const { only_other, only_checked, gone_other, gone_checked, hashes, lines } = found;
  const only = (where: string, { chains, events, texts, rows }: Only) =>
    events + texts + rows === 0
      ? []
      : [
          `Only in ${where}: ${amount(events, 'event')}, ${amount(texts, 'text')} and ${amount(rows, 'row')} of results${chains.length === 0 ? '' : `, with all of ${chains.join(', ')}`}.`,
        ];
  return [
    ...only('the other copy', only_other),
    ...only('the checked file', only_checked),
    ...goneWords('the other copy', gone_other),
    ...goneWords('the checked file', gone_checked),
    ...(hashes === 0 ? [] : [`${amount(hashes, 'event differs', 'events differ')} only in hashes that follow from the above.`]),
    ...lines.map(lineWords),
    ...fileWords(found),
  ];
}

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
