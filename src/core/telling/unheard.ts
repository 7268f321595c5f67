// Describes how a trial was changed, and what in it was not heard: the speech withheld or replaced, or those after the cut.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { TrialChange } from '../../shared/changes.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { namerAmong } from '../figures/speakers.ts';
import { swapTitles } from '../figures/swapText.ts';
import { speechOf } from '../record/withheld.ts';

const isSilencing = ({ speech, replaced, truncated }: TrialChange): boolean =>
  speech !== undefined || replaced !== undefined || truncated !== undefined;

/** By an utterance that was not heard. */
export const notHeard = 'not heard by the court';

/** By the words that the court heard in its place. */
export const heardInPlace = 'heard instead';

/** @param key of an utterance in the record @param change of its trial */
const isUnheard = (key: string, change: TrialChange | undefined): boolean =>
  [change?.speech, change?.replaced?.speech].includes(speechOf(key)) ||
  change?.truncated?.of.slice(change.truncated.heard).includes(speechOf(key)) === true;

/** Words heard in place of an utterance; null: nothing was; undefined: itself. @param uttered all utterances, in order */
export function heardInsteadOf(
  { key }: { readonly key: string },
  change: TrialChange | undefined,
  uttered: readonly { readonly key: string }[],
): string | null | undefined {
  if (!isUnheard(key, change)) return undefined;
  const replaced = change?.replaced;
  const first = uttered.find((each) => speechOf(each.key) === replaced?.speech);
  return replaced !== undefined && first?.key === key ? replaced.text : null;
}

export function trialChangeText(change: TrialChange, entries: readonly TranscriptEntry[]): string {
  const key = change.speech ?? change.replaced?.speech;
  if (key === undefined) return change.text;
  return change.text.replace(key, () => `“${speechNamer(entries)(key)}”`);
}

/** Speeches as the transcript calls them, by their keys. */
export const speechNamer = (entries: readonly TranscriptEntry[]): ((key: string) => string) =>
  namerAmong(entries.filter((entry) => entry.kind === 'utterance'));

/** What a trial with a change is called next to the unchanged one: `other words in place of Defense, closing`. */
export function changeTitle(change: TrialChange, entries: readonly TranscriptEntry[]): string {
  const named = speechNamer(entries);
  if (change.replaced !== undefined) return `other words in place of ${named(change.replaced.speech)}`;
  if (change.speech !== undefined) return `without ${named(change.speech)}`;
  if (change.kind === 'facts' || change.kind === 'attribute') return `facts changed: ${change.text}`;
  return change.kind === 'seed' ? `repeated with another seed and no other change (${change.text})` : change.text;
}

/** The declared change by which a trial differs from its pair; null if what was not heard says it, or nothing is changed. */
export function changedTrialText({ change, base_arm: base }: Pick<TrialLine, 'change' | 'base_arm'>): string | null {
  if (change === undefined || isSilencing(change)) return null;
  const stays = change.applies === false ? ' This case has that already and stays as it is.' : '';
  return `Tried again with one thing changed: ${change.text}. The unchanged trial of the case is that of arm ${base}.${stays}`;
}

const heardOf = ({ heard, of }: NonNullable<TrialChange['truncated']>): string =>
  `${heard === 0 ? 'none of the' : `only the first ${heard} of`} ${of.length}`;

/** In what a trial was changed, for the person decided about; null where nothing was. */
export function plainChangeText(
  { change, swap }: Pick<TrialLine, 'change' | 'swap'>,
  entries: readonly TranscriptEntry[],
): string | null {
  if (change?.kind === 'seed')
    return 'This trial repeats another one with another seed and no other change: the same court decided once more.';
  const changed = change === undefined ? swap && swapTitles[swap] : plainChange(change, entries);
  return changed === null ? null : `Something was changed on purpose in this trial: ${changed}.`;
}

function plainChange(change: TrialChange, entries: readonly TranscriptEntry[]): string {
  const { replaced, truncated, text, kind, left_out: leftOut } = change;
  const named = speechNamer(entries);
  if (replaced !== undefined) return `the court heard other words in place of ${named(replaced.speech)}`;
  if (change.speech !== undefined) return `the court did not hear ${named(change.speech)}`;
  if (truncated !== undefined) return `the court heard ${heardOf(truncated)} speeches`;
  if (leftOut !== undefined) return `facts were left out: ${leftOut.facts.join(', ')}`;
  return kind === 'facts' || kind === 'attribute' ? `in the facts, ${text}` : text;
}

/** What the court did not hear, and by which change; null where it heard everything that was said. */
export function unheardText(change: TrialChange | undefined, entries: readonly TranscriptEntry[]): string | null {
  if (change === undefined || !isSilencing(change)) return null;
  return `Tried again with one thing changed: ${trialChangeText(change, entries)}. ${whatWasUnheard(change)}`;
}

function whatWasUnheard({ replaced, truncated }: TrialChange): string {
  if (replaced !== undefined) return `The court did not hear what is marked below. In its place it heard: “${replaced.text}”`;
  if (truncated === undefined) return 'The court did not hear that speech, which is marked below.';
  return `The court heard ${heardOf(truncated)} speeches. Those that it did not hear are marked below.`;
}
