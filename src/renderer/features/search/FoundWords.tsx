import { speakerName } from '../../../core/figures/speakers.ts';
import type { SearchHit } from '../../../shared/api/search.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { toTrialAt } from '../../app/routes.ts';
import { CaseName, HiddenText } from '../../ui/HiddenText.tsx';
import { armTitle } from '../protocols/acceptance.ts';
import styles from './Search.module.css';

/** What an event that is no speech is called where it was found. */
const stepText: Readonly<Record<string, string>> = {
  'belief-update': 'notes on a belief',
  'ruling-give': 'ruling',
  'opinion-rate': 'rating',
  'argument-evaluate': 'CRIT of an argument',
  'recommendation-make': 'recommendations',
  'subtopics-settle': 'subtopics',
  'proposal-make': 'proposal',
  'moderation-give': 'moderator',
};

/** Who says it, and in what: `Prosecution, private plan of rebuttal 2`. */
export const saidIn = ({ role, kind, turn, isPlan }: SearchHit): string =>
  `${speakerName(role)}, ${isPlan ? 'private plan of ' : ''}${turn ?? stepText[kind] ?? 'note'}`;

export const armOf = (hit: SearchHit): string => armTitle(hit.arm, hit);

/** The place in the trial, with what was found there sought again. */
export const toHit = ({ trial, seq, pieces }: SearchHit): string =>
  toTrialAt(trial, seq, pieces.find(({ isFound }) => isFound)?.text ?? '');

export function FoundCase({ hit }: { hit: SearchHit }) {
  const numbered = replicateText(hit, hit.replicates);
  return (
    <>
      <CaseName {...hit} />
      {numbered === null ? '' : ` · ${numbered}`}
    </>
  );
}

/** Part of what was said, with what was looked for marked. */
export const FoundWords = ({ pieces }: Pick<SearchHit, 'pieces'>) => (
  <span dir="auto" className={styles.words}>
    {pieces.map(({ text, isFound }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text are in their order and never move
      isFound ? <mark key={index}>{text}</mark> : <HiddenText key={index} text={text} />,
    )}
  </span>
);
