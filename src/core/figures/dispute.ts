// The dispute of a Courtroom-LLM trial: its hearing and both arguments.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { type EntryOf, lastOf } from './entries.ts';

export type Dispute = Readonly<ReturnType<typeof disputeOf>>;
export type Pleading = Dispute['pleadings'][number];

/** The hearing, and what both sides made of it, as far as the trial has come. */
export function disputeOf(entries: readonly TranscriptEntry[]) {
  const assigned = lastOf(entries, 'sides');
  const by = (role: string) => entries.filter((entry) => entry.role === role);
  return {
    /** What the clerk finds, before sides are assigned; null before the hearing, or where it failed. */
    hearing: lastOf(by('clerk'), 'belief'),
    /** Null until sides are assigned. */
    assigned,
    /** In the order in which the judges read them; `first`: of what the hearing found most likely. */
    pleadings: (assigned?.order ?? []).flatMap((role) => {
      const label = assigned?.sides[role];
      if (label === undefined) return [];
      const first = label === assigned?.prediction;
      return [{ role, label, first, speech: lastOf(by(role), 'utterance'), forfeit: lastOf(by(role), 'forfeit') }];
    }),
    /** Null where it was not asked, or not yet. */
    ambiguity: lastOf(entries, 'ambiguity'),
  };
}

const alternativeText: Readonly<Record<EntryOf<'sides'>['alternativeFrom'], string>> = {
  named: 'The clerk named both labels.',
  distribution: 'The clerk named one label twice: the next likely one of its distribution is the alternative.',
  'two-labels': 'There are two labels: the alternative is the other one.',
};
const drawnText: Readonly<Record<EntryOf<'sides'>['drawn'], string>> = {
  random: 'Who argues for which was drawn by the seed of the trial.',
  fixed: 'The prosecution argues for what the hearing found.',
};

/** Where the two labels come from and how the sides got them, in words. */
export const assignmentText = ({ alternativeFrom, drawn }: EntryOf<'sides'>): string =>
  `${alternativeText[alternativeFrom]} ${drawnText[drawn]}`;

export function ambiguityText({ labels, ambiguous }: EntryOf<'ambiguity'>): string {
  const failed = labels.filter((label) => label === null).length;
  const lost = failed === 0 ? '' : ` ${failed} of them failed.`;
  if (ambiguous === null) return `Whether the case is ambiguous is unknown: of ${labels.length} fresh hearings ${failed} failed.`;
  return ambiguous
    ? `Ambiguous: the most likely label varies over ${labels.length} fresh hearings.${lost}`
    : `Not ambiguous: ${labels.length} fresh hearings find the same label most likely.`;
}
