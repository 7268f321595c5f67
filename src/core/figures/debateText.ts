// What happened in a SocraSynth debate, in sentences.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { sideNames } from './debate.ts';

type Of<K extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: K }>;
type Remark = Extract<NonNullable<Of<'moderated'>['moderation']>, { action: 'remark' }>;

export const settledText = ({ settledBy }: Of<'subtopics'>): string =>
  settledBy === 'moderator' ? 'As the moderator left them.' : 'As both agents settled them.';

/** What the critic finds of the subtopics; null where it could not be asked. */
export const balanceText = ({ balanced }: Of<'subtopics'>): string | null =>
  balanced === null ? null : balanced ? 'balanced' : 'not balanced';

export const unaskedBalance = 'The critic could not be asked whether they are balanced.';

/** Who says a remark to whom; the remark follows. */
export const remarkText = ({ to }: Remark): string => `The moderator to ${to === 'both' ? 'both agents' : sideNames[to]}:`;

export const stopLevelText = ({ contentiousness, conceded }: Of<'stop'>): string =>
  [
    ...(conceded === undefined ? [] : [`${sideNames[conceded]} concedes.`]),
    ...(contentiousness === undefined
      ? []
      : [`A further round would have had a contentiousness of ${contentiousness.toFixed(2)}.`]),
  ].join(' ');

/** Whose claim CRIT examines, and that it is only one. */
export const critOfText = ({ subject }: Of<'evaluation'>): string =>
  `of 10, for the claim of ${subject}; the other side counts against it`;

export const betterText: Readonly<Record<Of<'comparison'>['better'], string>> = {
  debate: 'the debate informs better',
  answer: 'the plain answer informs better',
  tie: 'a tie',
};

export const draftText = 'Agent B gave no revision: this is the draft of agent A.';

export const waitingText: Readonly<Record<Of<'moderation'>['asks'], string>> = {
  subtopics: 'it waits for its moderator, to accept the subtopics or to change them',
  remark: 'it waits for its moderator, to say something to the agents or to let them continue',
};
