import { Link } from 'wouter';
import { failedText } from '../../../core/figures/outcomeText.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { outcomes } from '../../../shared/domain.ts';
import { count } from '../../../shared/sizes.ts';
import { Bar } from '../../ui/ShareBar.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import type { Counts } from './outcomes.ts';
import { type Filter, noFilter } from './trialFilter.ts';

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

/** The list of trials of an experiment that failed, all that have no verdict where there are several kinds. */
export function toFailed(experiment: string, failures: Counts['failures'], subset: Subset = {}): string {
  const kinds = failures.filter(({ outcome }) => outcome !== 'undecided');
  const outcome = kinds.length === 1 ? outcomes.find((each) => each === kinds[0]?.outcome) : undefined;
  const list: Filter = { ...noFilter, ...(outcome === undefined ? { queue: 'failed' } : { outcome }) };
  return toFiltered(experiment, { part: 'trials', subset, behind: null, list });
}

/** What failed and what was not decided, after the decided ones. @param of the experiment, with links to its trials */
export function FailureTally({ failures, of }: Pick<Counts, 'failures'> & { of?: string }) {
  const failed = failedText(failures);
  const undecided = failures.find(({ outcome }) => outcome === 'undecided');
  return (
    <>
      {undecided === undefined ? null : ` · ${count(undecided.trials)} undecided`}
      {failed === null ? null : (
        <span className="text-bad">
          {' · '}
          {of === undefined ? failed : <Link href={toFailed(of, failures)}>{failed}</Link>}
        </span>
      )}
    </>
  );
}
