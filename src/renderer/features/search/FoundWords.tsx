import { speakerName } from '../../../core/figures/speakers.ts';
import type { SearchHit } from '../../../shared/api/search.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { toReview, toTrial, toTrialAt } from '../../app/routes.ts';
import { CaseName, HiddenText, Isolated } from '../../ui/HiddenText.tsx';
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
  'review-give': 'review',
  'comment-give': 'comment',
  'review-adjudicate': 'adjudication',
  'record-sign': 'sign-off',
};

/** Who says it, and in what: `Prosecution, private plan of rebuttal 2`. */
export const SaidBy = ({ hit: { by, isPerson, kind, turn, isPlan } }: { hit: SearchHit }) => (
  <>
    {isPerson ? <Isolated text={by} /> : speakerName(by)}, {isPlan ? 'private plan of ' : ''}
    {turn ?? stepText[kind] ?? 'note'}
  </>
);

export const idOf = ({ experiment, of, kind, seq }: SearchHit): string => JSON.stringify([experiment, of?.trial, kind, seq]);

/** The place in the trial, with what was found there sought again; the reviews of the experiment where it is of no trial. */
export function toHit({ experiment, of, at, isPerson, pieces }: SearchHit): string {
  if (of === null) return toReview(experiment);
  if (at === null) return toTrial(of.trial);
  return toTrialAt(of.trial, at, isPerson ? '' : (pieces.find(({ isFound }) => isFound)?.text ?? ''));
}

/** The case of a trial in which something was found, and which of its replicates it is; the experiment where it is of no trial. */
export function FoundCase({ hit: { of, experiment } }: { hit: SearchHit }) {
  if (of === null) return <Isolated text={experiment} />;
  const numbered = replicateText(of, of.replicates);
  return (
    <>
      <CaseName {...of} />
      {numbered === null ? '' : ` · ${numbered}`}
    </>
  );
}

export const FoundWords = ({ pieces }: Pick<SearchHit, 'pieces'>) => (
  <span dir="auto" className={styles.words}>
    {pieces.map(({ text, isFound }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text are in their order and never move
      isFound ? <mark key={index}>{text}</mark> : <HiddenText key={index} text={text} />,
    )}
  </span>
);
