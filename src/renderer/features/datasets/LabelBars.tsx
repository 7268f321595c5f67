import { Outside } from '../../ui/HiddenText.tsx';
import { Bar } from '../../ui/ShareBar.tsx';
import type { LabelCounts } from './datasetQueries.ts';
import styles from './LabelBars.module.css';

const shown = 12;

/** How often each label is the truth, of all cases; labels beyond the first dozen are summed up. */
export function LabelBars({ counts, cases, positive }: { counts: LabelCounts; cases: number; positive: string | null }) {
  const rest = counts.slice(shown);
  const share = (count: number) => (cases === 0 ? 0 : (100 * count) / cases);
  const wholes = counts.reduce((sum, { cases: count }) => sum + Math.round(share(count)), 0);
  const digits = wholes === 100 ? 0 : 1;
  return (
    <dl className={styles.bars}>
      {counts.slice(0, shown).map(({ label, cases: count }) => (
        <div key={label ?? 'unknown'} className={styles.row}>
          <Outside as="dt" className="clamp-2 wrap-anywhere" title={label ?? undefined} text={label ?? 'truth unknown'} />
          <dd aria-hidden="true">
            <Bar parts={[{ share: share(count) / 100, tone: label === null ? 'plain' : 'judge' }]} />
          </dd>
          <dd className="text-end">
            {count.toLocaleString('en-GB')} <span className="quiet">{share(count).toFixed(digits)}%</span>
          </dd>
          {label !== null && label === positive ? (
            <dd className={`quiet ${styles.role}`}>
              {counts.filter((each) => each.label !== null).length === 2 ? 'prosecution' : 'positive'}
            </dd>
          ) : null}
        </div>
      ))}
      {rest.length === 0 ? null : (
        <div className="whole-row muted">
          <dt>and {rest.length} more labels</dt>
          <dd>with {rest.reduce((sum, { cases: count }) => sum + count, 0).toLocaleString('en-GB')} cases</dd>
        </div>
      )}
    </dl>
  );
}
