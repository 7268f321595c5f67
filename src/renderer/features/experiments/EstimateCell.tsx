import { type Scale, written } from '../../../core/figures/measureScale.ts';
import { toCome } from '../../../core/statistics/measures/intervalsToCome.ts';
import styles from './Experiment.module.css';
import { type Estimate, intervalText, methodText } from './estimateText.ts';

interface Properties {
  readonly estimate: Estimate | undefined;
  readonly scale: Scale;
  readonly of?: string | number | undefined;
  /** How many of these a share is, which then comes first. */
  readonly count?: number | null | undefined;
  /** What was drawn again for the interval, where that is not cases. */
  readonly over?: string | undefined;
}

/** A value over its interval; how the interval was drawn is in the tip and is read out. */
export function EstimateCell({ estimate, scale, of, count = null, over }: Properties) {
  if (estimate === undefined) return <span className="quiet">–</span>;
  const method = methodText(estimate, over);
  if (estimate.value === null) {
    return (
      <span className="quiet" title={method}>
        –<span className="visually-hidden"> {method}</span>
      </span>
    );
  }
  const { why_null: why } = estimate;
  const without = why === toCome ? '… to …' : why?.startsWith('no interval') === true ? 'no interval' : null;
  const interval = intervalText(estimate, scale) ?? without;
  return (
    <span className={styles.estimate} title={method}>
      <span>
        <strong>{count ?? written(estimate.value, scale)}</strong>
        {of === undefined ? null : <span className="quiet"> of {of}</span>}
        {count === null ? null : ` (${written(estimate.value, scale)})`}
      </span>
      {interval === null ? null : <span className="quiet">{interval}</span>}
      <span className="visually-hidden">{method}</span>
    </span>
  );
}
