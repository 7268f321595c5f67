import { certaintyInList } from '../../../core/figures/certainty.ts';
import type { ReviewedVerdict, ReviewPage } from '../../../shared/api/reviews.ts';
import type { Review, ReviewOrder } from '../../../shared/reviews.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';

/** What the court found, and whether a label that was given is the same. */
export function Verdict({
  verdict,
  label,
  imported,
}: {
  verdict: ReviewedVerdict;
  label: string | null;
  /** Whether a file says so: no court found anything then. */
  imported: boolean;
}) {
  const { prediction } = verdict;
  if (prediction === null) return imported ? 'there was no prediction.' : 'the court was undecided.';
  return (
    <>
      {imported ? 'the prediction was' : 'the court found'} <Isolated text={prediction} />
      {verdict.confidence === null ? '' : ` (${certaintyInList(verdict)})`}
      {label === null ? (
        '.'
      ) : label === prediction ? (
        ', as you do.'
      ) : (
        <>
          ; you find <Isolated text={label} />.
        </>
      )}
    </>
  );
}

export function Answered({ judgement, label }: Pick<Review, 'judgement' | 'label'>) {
  if (judgement === 'label') return <Isolated text={label ?? ''} />;
  return judgement === 'unsure' ? 'unsure' : 'flagged';
}

const sortedBy: Readonly<Record<ReviewOrder, string>> = {
  random: 'verdict',
  doubtful: 'stated belief',
  'label-in-doubt': 'label with a stated belief in it',
};

/** Why there is no case to judge, and what to do. */
export function nothingLeft(
  { trials, judged }: Pick<ReviewPage, 'trials' | 'judged'>,
  order: ReviewOrder,
  arms: number,
): [string, string] {
  if (trials === 0) return ['No case to review yet', 'Cases come here when their trials have ended with a verdict.'];
  if (judged === trials) {
    const remedy = `${arms > 1 ? 'Choose another arm, or press' : 'Press'} “Show the results” below.`;
    return [trials === 1 ? 'You have reviewed this case' : 'You have reviewed all cases with a verdict so far', remedy];
  }
  const left = trials - judged;
  return [
    `No further case has a ${sortedBy[order]}`,
    `${quantity(left, 'case')} cannot be put in this order. Choose another order to review ${left === 1 ? 'it' : 'them'}.`,
  ];
}
