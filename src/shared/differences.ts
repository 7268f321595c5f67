// What differs between two copies of a bundle, and how it is said.
import { z } from 'zod';
import { badRecordSchema } from './damage.ts';
import { quantity } from './sizes.ts';

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
  /** In the other copy and in the checked one; null where a copy has nothing in this place, both where `what` says it all. */
  other: versionSchema.nullable(),
  checked: versionSchema.nullable(),
  /** Of a speech, the copy whose words are in the model's answer as received, which both copies have with its hash. */
  answered: z.enum(['other', 'checked']).optional(),
  /** Characters from the first to the last that differ, of the longer version. */
  changed: z.int().min(0),
  /** Of another file of the bundle, its name: the versions then are the first lines that differ, as people read them, and more do. */
  file: z.string().optional(),
  more_lines: z.int().optional(),
});
export type Difference = z.infer<typeof differenceSchema>;

const onlySchema = z.strictObject({
  /** Names of whole trials and other chains; at most 100. */
  chains: z.array(z.string()),
  /** Whole trials, with case and replicate; at most 100. */
  trials: z.array(z.string()),
  /** Events beyond those that both have, also of these trials, and how many of each kind: `{"review": 1, "event of trials": 12}`. */
  events: z.int(),
  event_kinds: z.record(z.string(), z.int()),
  texts: z.int(),
  /** Rows of results. */
  rows: z.int(),
});

export const erasureSchema = z.strictObject({
  at: z.iso.datetime(),
  scope: z.enum(['data-set', 'experiment', 'case']),
  experiment: z.string().nullable(),
  case: z.string().nullable(),
  /** Texts that it took, also from where the other copy has none. */
  texts: z.int().min(0),
});

const goneSchema = z.strictObject({
  /** Texts about cases that it lacks because it is redacted. */
  left_out: z.int(),
  erased: z.int(),
  /** Erasures that the other one does not have, in order; `case` is its id, null where that is not known. */
  erasures: z.array(erasureSchema),
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

const logSchema = z.strictObject({
  entries: z.int(),
  /** Fingerprints of the keys that signed it. */
  signers: z.array(z.string()),
  /** Entries that the other one lacks, by what they are of: `{"trials": 2}`. */
  only: z.record(z.string(), z.int()),
});

export const differencesSchema = z.strictObject({
  other: z.string(),
  /** The checked one. */
  compared: z.string(),
  /** Whether every file in them has the same bytes. */
  same: z.boolean(),
  /** What the check of each copy found. */
  other_result: z.enum(['intact', 'tampered']),
  result: z.enum(['intact', 'tampered']),
  /** The root over the events of each, hexadecimal; null where the check ended at a fault before it came to the root. */
  other_root: z.string().nullable(),
  root: z.string().nullable(),
  /** Null where no key signed a copy, and of a tampered one also where its signatures were not checked or do not hold. */
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
  /** Trials that both copies have, and those of them whose events, texts, results and reports are the same. */
  trials: z.strictObject({ both: z.int(), same: z.int() }),
  /** Reports of the other trials that are byte for byte the same in both copies, at most 100. */
  same_reports: z.array(z.string()),
  /** Files of which each manifest says another size or sum, where both manifests fit the files next to them. */
  relisted: z.array(z.string()),
  /** Files with lines that cannot be read, are repeated, or come in another order. */
  lines: z.array(linesSchema),
  /** Other files of the bundle that differ, that only one has, or that differ in more than is listed. */
  files: z.array(z.string()),
  /** Files beyond these: none, since all are named. */
  more_files: z.literal(0),
  /** Files that differ only in root, signer and origin. */
  of_copy: z.array(z.string()),
  /** Files that differ and were not compared, because one copy is redacted or texts were erased in it. */
  not_compared: z.array(z.string()),
});
export type Differences = z.infer<typeof differencesSchema>;
export type Only = Differences['only_other'];

const some = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** `a, b and c`. */
export const listed = (words: readonly string[]) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

const sides = ['other', 'checked'] as const;
type Side = (typeof sides)[number];
const whereOf = { other: 'the other copy', checked: 'the checked file' } as const;
const beside = { other: 'checked', checked: 'other' } as const;

/** `3 events (1 review, 1 sign-off, 1 erasure)`. */
function eventsWords({ events, event_kinds: kinds }: Only): string {
  const counts = Object.entries(kinds).map(([kind, number]) => quantity(number, kind, kind.replace(/^[\w-]+/, '$&s')));
  return counts.length === 1 ? `${counts[0]}` : `${quantity(events, 'event')} (${counts.join(', ')})`;
}

const checkOf = ({ other_root, other_log, other_result, root, log, result }: Differences, side: Side) =>
  side === 'checked' ? { root, log, result } : { root: other_root, log: other_log, result: other_result };

/** The root of each copy with what it is of; in place of one that is not known, why. */
export const rootsOf = (found: Differences): readonly (readonly [title: string, root: string | null])[] =>
  sides.map((side) => [`Root of ${whereOf[side]}`, checkOf(found, side).root]);
export const noRootWords = 'not known, the check ended at a fault before';

const upper = (words: string) => words.replace(/^t/, 'T');

const nameIn = (path: string) => path.split(/[\\/]/).at(-1) ?? path;

/** What the two are called: the names of files can be the same. */
export const titlesOf = ({ other, compared }: Pick<Differences, 'other' | 'compared'>) =>
  ({ other: `The other copy (${nameIn(other)})`, checked: `The checked file (${nameIn(compared)})` }) as const;

const areIntact = ({ result, other_result }: Differences) => result === 'intact' && other_result === 'intact';

/** Who signed which copy, and in what their logs differ in length. */
export function originWords(found: Differences): string[] {
  const { other_log, log } = found;
  const covered =
    (other_log === null && log === null) || areIntact(found)
      ? ''
      : ' A signature covers the events, which name each text by its hash; it does not cover words that do not fit their hash.';
  const by = (side: Side) => {
    const { root, log: of, result } = checkOf(found, side);
    if (of !== null) return `signed by the key ${of.signers.join(', ')}`;
    if (root === null) return 'not checked for signatures';
    return result === 'tampered' ? 'without a signature that was found to hold' : 'not signed with a key';
  };
  const entries = ({ entries: number, only }: NonNullable<Differences['log']>) => {
    const kinds = Object.entries(only).map(([kind, count]) => `${count} of ${kind}`);
    return `${quantity(number, 'entry', 'entries')}${kinds.length === 0 ? '' : `, among them ${listed(kinds)} that the other log lacks`}`;
  };
  return [
    by('other') === by('checked')
      ? `The events of both copies are ${by('other')}.${covered}`
      : `The events of the other copy are ${by('other')}; those of the checked file are ${by('checked')}.${covered}`,
    ...(log === null || other_log === null || log.entries === other_log.entries
      ? []
      : [`The log of the other copy has ${entries(other_log)}; that of the checked file has ${entries(log)}.`]),
  ];
}

const byAnotherWay = 'only a root, a key or a checkpoint that you got by another way shows';

/** Which copy has the words that were recorded, as far as hashes show it. */
export function trustWords(found: Differences): string {
  const { other_result, result, other_root, root, only_other, only_checked, hashes, list } = found;
  if (result === 'tampered' && other_result === 'tampered')
    return 'The check finds a fault in both copies: neither is known to be the original.';
  const bothIntact = areIntact(found);
  const intact = bothIntact ? 'Both copies are intact' : `The ${result === 'intact' ? 'checked file' : 'other copy'} is intact`;
  if (other_root === null || root === null)
    return `${intact}. The check of ${whereOf[root === null ? 'checked' : 'other']} ended at a fault before it came to the root: ${byAnotherWay} whether the intact one is what was recorded.`;
  const isGrown = bothIntact && hashes === 0 && list.every(({ file }) => file !== undefined);
  if (isGrown && only_other.events > 0 !== only_checked.events > 0) {
    const newer = only_other.events > 0 ? 'other' : 'checked';
    return `${intact}. ${upper(whereOf[beside[newer]])} is the older one: ${whereOf[newer]} has all of its events and more, so the roots differ. Hashes do not show who added events.`;
  }
  if (other_root !== root) return `${intact}, and the roots differ: ${byAnotherWay} which copy was recorded.`;
  return bothIntact
    ? `${intact} and have the same root.`
    : `${intact}, and the root of both is the same: its words are those that the root was made of.`;
}

/** Which words the models were asked with whose prompts a text is a part of; nothing where hashes do not show it. */
export function askedWords(found: Differences, { uses = [], other, checked }: Difference): string {
  const isPrompt = uses.some(({ field }) => field === 'messages');
  if (!isPrompt || found.root === null || found.root !== found.other_root || other === null || checked === null) return '';
  const recorded = sides.find((side) => found[side === 'other' ? 'other_result' : 'result'] === 'intact');
  if (recorded === undefined || { other, checked }[beside[recorded]].fits !== false) return '';
  return `The calls named here were made with the words of ${whereOf[recorded]}: these words have the hash that the prompts name. None was made with the words of ${whereOf[beside[recorded]]}. What those might have changed can be tried: in a copy of your own, with “Try again…” on the screen of the trial.`;
}

/** Which copy has the words that the model answered; nothing where its answer does not show it. */
export const answeredWords = ({ answered }: Difference): string =>
  answered === undefined
    ? ''
    : `The model’s answer as received, which both copies have with its hash, has the words of ${whereOf[answered]}. The speech in ${whereOf[beside[answered]]} says something else than the model answered.`;

function erasureWords(
  { at, scope, experiment, case: kase }: z.infer<typeof erasureSchema>,
  timeText: (at: string) => string,
): string {
  const what = {
    case: kase === null ? 'a case' : `case ${kase}`,
    experiment: `what was said in the experiment ${experiment}`,
    'data-set': 'a whole data set',
  };
  return `${what[scope]} on ${timeText(at)}`;
}

/** What one copy has and the other one has not, in sentences. @param timeText of an ISO time */
export function addedWords(found: Differences, timeText: (at: string) => string): string[] {
  return sides.flatMap((which) => {
    const [where, from] = [whereOf[which], whereOf[beside[which]]];
    const [only, { left_out, erased, erasures, redacted }] = [found[`only_${which}`], found[`gone_${which}`]];
    const { trials, events, texts, rows } = only;
    const parts = [
      ...(events === 0 ? [] : [eventsWords(only)]),
      ...(texts === 0 ? [] : [quantity(texts, 'text')]),
      ...(rows === 0 ? [] : [quantity(rows, 'row of results', 'rows of results')]),
    ];
    // An erasure also takes the words of a review that was written later, say, or of another experiment.
    const never = erasures.reduce((sum, each) => sum + each.texts, -erased);
    const more = never > 0 ? `, and ${never} more that ${from} never had` : '';
    const what = erasures.map((each) => erasureWords(each, timeText)).join('; ');
    const whichErased = what === '' ? '' : `: ${what}. A record does not keep who erased them or why`;
    return [
      ...(parts.length === 0
        ? []
        : [`Only in ${where}: ${listed(parts)}${trials.length === 0 ? '' : `, with all of ${some(trials)}`}.`]),
      ...(redacted
        ? [`${upper(where)} is redacted: it leaves out ${quantity(left_out, 'text')}, the salt and what else is about cases.`]
        : []),
      ...(erased + erasures.length === 0
        ? []
        : [`${quantity(erased, 'text was', 'texts were')} erased in ${where}${more}${whichErased}.`]),
    ];
  });
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

/** Whether people read a file, so that the lines that differ are shown. */
export const isReadable = (name: string): boolean => /\.(?:html|jsonl?|csv|md|txt)$/.test(name) && !isVerifier(name);

function sameTrialsWords({ same: all, trials: { both, same }, gone_other, gone_checked }: Differences): string[] {
  if (all || both === 0) return [];
  const isPartly = [gone_other, gone_checked].some(({ redacted, erased }) => redacted || erased > 0);
  const which =
    same === both
      ? `${same === 1 ? 'The trial' : `All ${same} trials`} that both have`
      : `${same} of the ${both} trials that both have`;
  return [`${which} ${same === 1 ? 'is' : 'are'} the same in both copies${isPartly ? ', as far as both have the texts' : ''}.`];
}

/** What else differs, in sentences. Names in them are as the copies have them. */
export function restWords(found: Differences): string[] {
  const { list, hashes, lines, files, of_copy: ofCopy } = found;
  const shown = new Set(list.map(({ file }) => file));
  const further = Object.groupBy(
    files.filter((name) => !shown.has(name)),
    (name) => (isVerifier(name) ? 'verifier' : name.endsWith('.html') ? 'layouts' : 'others'),
  );
  const of = (names: readonly string[] = [], words: (names: string) => string) =>
    names.length === 0 ? [] : [words(some(names))];
  const signing = ofCopy.filter((name) => !name.endsWith('.html'));
  const reports = ofCopy.length - signing.length;
  const parts = [...signing, ...(reports === 0 ? [] : [quantity(reports, 'report')])];
  return [
    ...sameTrialsWords(found),
    ...of(found.same_reports, (names) =>
      found.same_reports.length === 1
        ? `The report of the trial that differs, ${names}, is byte for byte the same in both copies, so it shows the words of at most one of them.`
        : `These reports of trials that differ are byte for byte the same in both copies, so each shows the words of at most one of them: ${names}.`,
    ),
    ...(areIntact(found) || found.relisted.length === 0
      ? []
      : [
          `The list of contents, manifest.json, differs too, in the size or sum of ${some(found.relisted)}. In each copy it fits the files of that copy, so it was adapted to the change.`,
        ]),
    ...(hashes === 0 ? [] : [`${quantity(hashes, 'event differs', 'events differ')} only in hashes that follow from the above.`]),
    ...lines.map(lineWords),
    ...of(
      parts,
      () => `${quantity(ofCopy.length, 'file differs', 'files differ')} only in root, signer and origin: ${listed(parts)}.`,
    ),
    ...(!areIntact(found) && list.some(({ file }) => file?.endsWith('.html'))
      ? [
          'The reports above differ too, so those of one copy do not show the recorded words. No root covers reports: export them again from the intact copy.',
        ]
      : []),
    ...of(
      further.verifier,
      (names) =>
        `Parts of the verifier that differ: ${names}. Another version of Assize writes another one; check both copies with one that you trust.`,
    ),
    ...of(
      found.not_compared,
      (names) => `Not compared: ${names}. They were made without what one copy lacks, so a change in them is not found here.`,
    ),
    ...of(
      further.layouts,
      (names) =>
        `Reports that only one copy has, or that are the same in every word and differ in style or layout, as another version or build of Assize writes them (style can also hide words: open both): ${names}.`,
    ),
    ...of(further.others, (names) => `Files that differ, or that only one copy has, and are not listed above: ${names}.`),
  ];
}

/** Whether `what` says all of a difference. */
export const hasNoVersion = ({ other, checked }: Difference): boolean => other === null && checked === null;

/** How many lines of a file differ beyond those that are shown; nothing where none do. */
export const moreLinesWords = ({ more_lines: more = 0 }: Difference): string =>
  more === 0 ? '' : `… and ${quantity(more, 'more line that differs', 'more lines that differ')}`;

/** What is known of a version, and how much of it is shown, to follow what it is called. */
export function versionWords(version: Difference['other']): string {
  if (version === null) return 'has nothing here';
  const { text, before, more, fits } = version;
  const whole = before + text.length + more;
  return [
    ...(text === '' ? ['has no words here'] : []),
    ...(fits === null ? [] : [fits ? 'fits its hash' : 'does not fit its hash']),
    ...(before + more === 0
      ? []
      : [`is too long to show whole: ${text.length} of its ${whole} characters, from character ${before + 1} on`]),
  ].join(' and ');
}
