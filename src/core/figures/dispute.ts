// The dispute of a Courtroom-LLM trial: its hearing and both arguments.
import type { TranscriptEntry } from '../../shared/api/trials.ts';

type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;

/** One side of a dispute, as far as the trial has come. */
export interface Pleading {
  readonly role: string;
  readonly label: string;
  /** Whether it names what the hearing found most likely. */
  readonly first: boolean;
  readonly speech: Of<'utterance'> | null;
  readonly forfeit: Of<'forfeit'> | null;
}

export type Dispute = Readonly<ReturnType<typeof disputeOf>>;

/** The hearing, and what both sides made of it. */
export function disputeOf(entries: readonly TranscriptEntry[]) {
  const assigned = entries.findLast((entry): entry is Of<'sides'> => entry.kind === 'sides') ?? null;
  const pleadings = (assigned?.order ?? []).flatMap((role): Pleading[] => {
    const label = assigned?.sides[role];
    if (label === undefined) return [];
    return [
      {
        role,
        label,
        first: label === assigned?.prediction,
        speech: entries.findLast((entry): entry is Of<'utterance'> => entry.kind === 'utterance' && entry.role === role) ?? null,
        forfeit: entries.findLast((entry): entry is Of<'forfeit'> => entry.kind === 'forfeit' && entry.role === role) ?? null,
      },
    ];
  });
  return {
    /** What the clerk finds, before sides are assigned; null before the hearing, or where it failed. */
    hearing: entries.findLast((entry): entry is Of<'belief'> => entry.kind === 'belief' && entry.role === 'clerk') ?? null,
    /** Null until sides are assigned. */
    assigned,
    /** In the order in which the judges read them. */
    pleadings,
    /** Null where it was not asked, or not yet. */
    ambiguity: entries.findLast((entry): entry is Of<'ambiguity'> => entry.kind === 'ambiguity') ?? null,
  };
}

const alternativeText: Readonly<Record<Of<'sides'>['alternativeFrom'], string>> = {
  named: 'The clerk named both labels.',
  distribution: 'The clerk named one label twice: the next likely one of its distribution is the alternative.',
  'two-labels': 'There are two labels: the alternative is the other one.',
};
const drawnText: Readonly<Record<Of<'sides'>['drawn'], string>> = {
  random: 'Who argues for which was drawn by the seed of the trial.',
  fixed: 'The prosecution argues for what the hearing found.',
};

/** Where the two labels come from and how the sides got them, in words. */
export const assignmentText = ({ alternativeFrom, drawn }: Of<'sides'>): string =>
  `${alternativeText[alternativeFrom]} ${drawnText[drawn]}`;

/** Whether fresh hearings agree, in words. */
export function ambiguityText({ labels, ambiguous }: Of<'ambiguity'>): string {
  const failed = labels.filter((label) => label === null).length;
  const lost = failed === 0 ? '' : ` ${failed} of them failed.`;
  if (ambiguous === null) return `Whether the case is ambiguous is unknown: of ${labels.length} fresh hearings ${failed} failed.`;
  return ambiguous
    ? `Ambiguous: the most likely label varies over ${labels.length} fresh hearings.${lost}`
    : `Not ambiguous: ${labels.length} fresh hearings find the same label most likely.`;
}
