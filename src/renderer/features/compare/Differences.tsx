import { written } from '../../../core/figures/measureScale.ts';
import { points, pointsOf } from '../../../core/figures/shares.ts';
import { untestedText } from '../../../core/telling/pairSentences.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { reachOf } from '../../charts/kit/axes.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { MeasureNote } from '../../ui/WordNote.tsx';
import { EstimateCell } from '../experiments/EstimateCell.tsx';
import { intervalText, measureText } from '../experiments/estimateText.ts';
import styles from './Compare.module.css';

const width = 640;
const height = 74;
const middle = 30;
const inset = 30;

/** The difference of accuracy with its interval, and around 0 the differences that it finds less often than four times in five. */
export function DifferenceScale({ comparison, decidedBy }: { comparison: Comparison; decidedBy: string | undefined }) {
  const words = rightWords({ decided_by: decidedBy });
  const { a, b, difference, smallest_detectable_difference: least } = comparison;
  const { value, low, high } = difference;
  const reach = reachOf([value, low, high, least]);
  const at = (share: number) => width / 2 + (share / reach) * (width / 2 - inset);
  const interval = intervalText(difference, 'points');
  const label = [
    value === null ? 'No difference can be computed' : `Difference of ${words.accuracy}: ${points(value)} points`,
    interval === null ? 'without an interval' : `interval ${interval}`,
    least === null ? null : `smallest difference that is mostly found: ${pointsOf(least)}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return (
    <div className={`stack gap-2 pt-8 ${styles.scaleFrame}`}>
      <svg className={styles.scale} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <title>{label}</title>
        {least === null ? null : (
          <rect className={styles.unseen} x={at(-least)} width={at(least) - at(-least)} y={middle - 14} height={28} rx={3} />
        )}
        <line className={styles.axis} x1={at(-reach)} x2={at(reach)} y1={middle} y2={middle} />
        {[-reach, -reach / 2, 0, reach / 2, reach].map((tick) => (
          <g key={tick}>
            <line
              className={tick === 0 ? styles.zero : styles.axis}
              x1={at(tick)}
              x2={at(tick)}
              y1={tick === 0 ? middle - 20 : middle - 5}
              y2={tick === 0 ? middle + 20 : middle + 5}
            />
            <text className={styles.tick} x={at(tick)} y={height - 8} textAnchor="middle">
              {points(tick)}
            </text>
          </g>
        ))}
        {low === null || high === null ? null : (
          <line className={styles.interval} x1={at(low)} x2={at(high)} y1={middle} y2={middle} />
        )}
        {value === null ? null : <circle className={styles.dot} cx={at(value)} cy={middle} r="6" />}
      </svg>
      <p className={`stack muted wrap-anywhere ${styles.ends}`} aria-hidden="true">
        <span>
          ← <Isolated text={b} /> {words.oftener}
        </span>
        <span>points of {words.accuracy}</span>
        <span>
          <Isolated text={a} /> {words.oftener} →
        </span>
      </p>
    </div>
  );
}

const nothing = { label: null, side: null, turn: null };

/** The difference in every other measure that both have, each over its own cases, with the sign of the difference of accuracy. */
export function DifferencesTable({
  comparison: { a, b, differences },
  decidedBy,
}: {
  comparison: Comparison;
  decidedBy: string | undefined;
}) {
  const rows = differences.filter(({ name, value }) => name !== 'accuracy' && value !== null);
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        label="Differences in other measures"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'measure',
            cell: ({ name }) => (
              <>
                {measureText({ name, ...nothing })}
                <MeasureNote of={name} decidedBy={decidedBy} />
              </>
            ),
          },
          { title: 'cases', number: ({ cases }) => cases },
          { title: <Isolated text={a} />, id: 'a', name: a, number: (row) => (row.a === null ? '–' : written(row.a, 'number')) },
          { title: <Isolated text={b} />, id: 'b', name: b, number: (row) => (row.b === null ? '–' : written(row.b, 'number')) },
          { title: 'first less second', number: (row) => <EstimateCell estimate={row} scale="number" /> },
        ]}
      />
      <p className="quiet">{untestedText}</p>
    </>
  );
}
