import { failedText } from '../../../core/figures/outcomeText.ts';
import { count } from '../../../shared/sizes.ts';
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

/** What failed and what was not decided, after the decided ones. */
export function FailureTally({ failures }: Pick<Counts, 'failures'>) {
  const failed = failedText(failures);
  const undecided = failures.find(({ outcome }) => outcome === 'undecided');
  return (
    <>
      {undecided === undefined ? null : ` · ${count(undecided.trials)} undecided`}
      {failed === null ? null : <span className="text-bad"> · {failed}</span>}
    </>
  );
}
