import { outcomesText } from '../../../core/figures/outcomeText.ts';
import { Bar } from '../../ui/ShareBar.tsx';
import type { Counts } from './outcomes.ts';

/** Decided and failed trials as parts of all that are planned; the words next to it say the same. */
export function OutcomeBar({ decided, failed, planned }: { decided: number; failed: number; planned: number }) {
  const all = Math.max(1, planned);
  return (
    <Bar
      parts={[
        { share: decided / all, tone: 'plain' },
        { share: failed / all, tone: 'bad' },
      ]}
    />
  );
}

/** Kinds of failures with their numbers, after the decided ones. Who declines to decide did not fail. */
export const FailureTally = ({ failures }: Pick<Counts, 'failures'>) =>
  failures.map(({ outcome, trials }) => (
    <span key={outcome} className={outcome === 'undecided' ? undefined : 'text-bad'}>
      {` · ${outcomesText(trials, outcome)}`}
    </span>
  ));
