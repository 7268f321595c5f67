import { percent, percentTo } from '../../../core/figures/shares.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import styles from './ArmMarks.module.css';
import { Note } from './armRows.tsx';
import type { Axis } from './measureAxis.ts';

/** Without a decimal: there is little room. */
const rounded = (share: number) => percentTo(0, share);
const percentage = (share: number) => `${share * 100}%`;

export function AxisTicks({ axis }: { axis: Axis }) {
  return (
    <span className={styles.ticks}>
      {axis.ticks.map(({ at, words }) => (
        <span key={words} style={{ insetInlineStart: percentage(axis.place(at)) }}>
          {words}
        </span>
      ))}
    </span>
  );
}

type Marked = Pick<Measure, 'value' | 'low' | 'high'>;

function Estimate({ axis, marked, look }: { axis: Axis; marked: Marked; look: string | undefined }) {
  const { value, low, high } = marked;
  if (value === null) return null;
  return (
    <g className={look}>
      {low === null || high === null ? null : (
        <line x1={percentage(axis.place(low))} x2={percentage(axis.place(high))} y1="0" y2="0" />
      )}
      {look === styles.second ? (
        <svg x={percentage(axis.place(value))} overflow="visible" aria-hidden="true">
          <rect x="-3.5" y="-3.5" width="7" height="7" />
        </svg>
      ) : (
        <circle cx={percentage(axis.place(value))} cy="0" r="5" />
      )}
    </g>
  );
}

/** A value with its interval as large as the column is wide, on the axis of its table. */
export function IntervalMark({
  axis,
  first,
  second,
  lines,
  label,
}: {
  axis: Axis;
  first: Marked;
  /** Under the first, with a square for its value. */
  second?: Marked | undefined;
  /** Values of reference: the baselines. */
  lines: readonly number[];
  /** The same in words. */
  label: string;
}) {
  const [above, below] = second === undefined ? [14, 14] : [9, 20];
  return (
    <span className="flex items-center gap-6">
      <span className={styles.end} aria-hidden="true">
        {axis.ticks[0]?.words}
      </span>
      <svg className={styles.mark} role="img" aria-label={label}>
        <title>{label}</title>
        {[
          ...axis.ticks.map(({ at }) => [styles.grid, at] as const),
          ...[...new Set(lines)].map((line) => [styles.reference, line] as const),
        ].map(([look, value]) => {
          const x = percentage(axis.place(value));
          return <line key={`${look} ${value}`} className={look} x1={x} x2={x} y1="0" y2="100%" />;
        })}
        <g transform={`translate(0 ${above})`}>
          <Estimate axis={axis} marked={first} look={styles.first} />
        </g>
        {second === undefined ? null : (
          <g transform={`translate(0 ${below})`}>
            <Estimate axis={axis} marked={second} look={styles.second} />
          </g>
        )}
      </svg>
      <span className={styles.end} aria-hidden="true">
        {axis.ticks.at(-1)?.words}
      </span>
    </span>
  );
}

const [width, height, inset] = [92, 24, 4];

/** The mean probability of the truth from the first belief to the verdict. @param axis of all lines of a column */
export function TruthLine({ axis, steps }: { axis: Axis; steps: NonNullable<ArmStatistics['truth_by_step']> }) {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return null;
  const at = (value: number, place: number): [number, number] => [
    inset + (place / Math.max(1, steps.length - 1)) * (width - 2 * inset),
    inset + (1 - axis.place(value)) * (height - 2 * inset),
  ];
  const [x, y] = at(last.value, steps.length - 1);
  const range = `drawn from ${axis.ticks[0]?.words} to ${axis.ticks.at(-1)?.words}`;
  const label = `Mean probability of the truth, belief by belief: ${steps.map(({ value }) => percent(value)).join(', ')}; over ${first.n} trials, ${range}`;
  const isOne = steps.every(({ value }) => value === first.value);
  if (isOne) return <Note>{rounded(first.value)}</Note>;
  return (
    <>
      <svg className={styles.truth} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <title>{label}</title>
        <polyline className={styles.way} points={steps.map(({ value }, place) => at(value, place).join()).join(' ')} />
        <circle className={styles.last} cx={x} cy={y} r="3" />
      </svg>
      <Note>
        {rounded(first.value)} → {rounded(last.value)}
      </Note>
    </>
  );
}

export function MarkKey({
  level,
  over,
  withDecided,
  withBaselines,
  withVersions,
  lessIsBetter,
  order,
}: {
  level: number;
  over: string;
  withDecided: boolean;
  withBaselines: boolean;
  /** Arms with something exchanged or changed are among the rows. */
  withVersions: boolean;
  lessIsBetter: boolean;
  order: string;
}) {
  return (
    <p className="row quiet gap-4-16">
      <span>
        <span className={`${styles.sign} ${styles.dot}`} aria-hidden="true" />
        value with its {percent(level)} interval over {over}
      </span>
      {withDecided ? (
        <span>
          <span className={`${styles.sign} ${styles.square}`} aria-hidden="true" />
          of decided
        </span>
      ) : null}
      {withBaselines ? (
        <span>
          <span className={`${styles.sign} ${styles.dotted}`} aria-hidden="true" />
          baselines
        </span>
      ) : null}
      <span>
        {lessIsBetter ? 'Less is better. ' : ''}
        {order}
        {withVersions ? ' Below an arm are its versions with a change, which are not ordered.' : ''}
      </span>
    </p>
  );
}
