// What differs between two copies of a bundle, and how it is said.
import { z } from 'zod';
import { badRecordSchema } from './damage.ts';

const versionSchema = z.strictObject({
  text: z.string(),
  /** Whether it has the hash that its copy gives it; null of what has none of its own, such as a row of results. */
  fits: z.boolean().nullable(),
});

const differenceSchema = badRecordSchema.pick({ uses: true, more_uses: true, used_in: true }).extend({
  /** What differs, where no event says it: `Case D01 of the data set, which no trial is about`. */
  what: z.string().nullable(),
  /** In the other copy and in the checked one, whole; null where a copy has nothing in this place. */
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
});

/** A comparison of a bundle with another copy of it. */
export const differencesSchema = z.strictObject({
  other: z.string(),
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
  /** Events that differ only in hashes, which follow from other differences or were changed. */
  hashes: z.int(),
  /** Other files of the bundle that differ, or that only one has: reports, statistics, signatures. */
  files: z.array(z.string()),
});
export type Differences = z.infer<typeof differencesSchema>;

const amount = (number: number, one: string, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

/** Whether two copies differ in anything that was recorded. */
export const isDifferent = ({ list, only_other, only_checked, hashes, files }: Differences): boolean =>
  list.length + hashes + files.length + [only_other, only_checked].reduce((sum, { events, texts }) => sum + events + texts, 0) >
  0;

/** How much differs, in a sentence. */
export function countWords(found: Differences): string {
  const all = found.list.length + found.more;
  if (!isDifferent(found)) return 'The two copies say the same.';
  if (all === 0) return 'No text, event or result that both copies have differs.';
  return `${amount(all, 'place differs', 'places differ')}${all > 1 ? ', the largest difference first' : ''}${found.more > 0 ? `; the first ${found.list.length} are shown` : ''}.`;
}

/** Which copy has the words that were recorded, as far as hashes show it. */
export function trustWords({ other_result, result, other_root, root }: Differences): string {
  const bothIntact = result === 'intact' && other_result === 'intact';
  if (result === 'tampered' && other_result === 'tampered')
    return 'The check finds a fault in both copies: neither is known to be the original.';
  const intact = bothIntact ? 'Both copies are intact' : `The ${result === 'intact' ? 'checked file' : 'other copy'} is intact`;
  if (other_root !== root)
    return `${intact}, and the roots differ: only a root, a key or a checkpoint that you got by another way shows which copy was recorded.`;
  return bothIntact
    ? `${intact} and have the same root.`
    : `${intact}, and the root of both is the same: its words are those that the root was made of.`;
}

/** What else differs, in sentences. */
export function restWords({ only_other, only_checked, hashes, files }: Differences): string[] {
  const only = (where: string, { chains, events, texts }: Differences['only_other']) =>
    events + texts === 0
      ? []
      : [
          `Only in ${where}: ${amount(events, 'event')} and ${amount(texts, 'text')}${chains.length === 0 ? '' : `, with all of ${chains.join(', ')}`}.`,
        ];
  return [
    ...only('the other copy', only_other),
    ...only('the checked file', only_checked),
    ...(hashes === 0 ? [] : [`${amount(hashes, 'event differs', 'events differ')} in hashes only.`]),
    ...(files.length === 0 ? [] : [`Other files that differ: ${files.join(', ')}.`]),
  ];
}

/** What is known of a version. */
export const versionWords = (version: Difference['other']): string =>
  version === null ? 'has nothing here' : version.fits === null ? '' : version.fits ? 'fits its hash' : 'does not fit its hash';
