import { outcomesText } from '../../../core/figures/outcomeText.ts';
import styles from './Experiments.module.css';
import type { Counts } from './outcomes.ts';

/** Decided and failed trials as parts of all that are planned; the words next to it say the same. */
export function OutcomeBar({ decided, failed, planned }: { decided: number; failed: number; planned: number }) {
  const width = (trials: number) => `${planned === 0 ? 0 : (trials / planned) * 100}%`;
  return (
    <div className={styles.bar} aria-hidden="true">
      <span className={styles.decided} style={{ width: width(decided) }} />
      <span className={styles.failed} style={{ width: width(failed) }} />
    </div>
  );
}

/** Kinds of failures with their numbers, after the decided ones. */
export const FailureTally = ({ failures }: Pick<Counts, 'failures'>) =>
  failures.map(({ outcome, trials }) => (
    <span key={outcome} className="text-bad">
      {` · ${outcomesText(trials, outcome)}`}
    </span>
  ));
