import styles from './IntervalMark.module.css';

const width = 220;
const height = 20;
const middle = height / 2;
const inset = 5;
const at = (share: number) => inset + share * (width - 2 * inset);

interface Properties {
  /** 0-1; null draws the scale alone. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** A second measure under the first, with a square for its value. */
  readonly second?: { readonly value: number; readonly low: number | null; readonly high: number | null } | null;
  /** Lines of reference, 0-1. */
  readonly lines?: readonly number[];
  /** The same in words. */
  readonly label: string;
}

/** A share with its interval, all marks of a table on the one scale from 0 to 1. */
export function IntervalMark({ value, low, high, second = null, lines = [], label }: Properties) {
  const [first, under] = second === null ? [middle, middle] : [middle - 4, middle + 5];
  return (
    <svg className={styles.mark} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <line className={styles.scale} x1={at(0)} x2={at(1)} y1={middle} y2={middle} />
      {[0, 0.5, 1].map((tick) => (
        <line key={tick} className={styles.scale} x1={at(tick)} x2={at(tick)} y1={middle - 3} y2={middle + 3} />
      ))}
      {[...new Set(lines)].map((line) => (
        <line key={line} className={styles.reference} x1={at(line)} x2={at(line)} y1={0} y2={height} />
      ))}
      {low === null || high === null ? null : <line className={styles.range} x1={at(low)} x2={at(high)} y1={first} y2={first} />}
      {value === null ? null : <circle className={styles.dot} cx={at(value)} cy={first} r="4" />}
      {second === null ? null : (
        <g className={styles.second}>
          {second.low === null || second.high === null ? null : (
            <line x1={at(second.low)} x2={at(second.high)} y1={under} y2={under} />
          )}
          <rect x={at(second.value) - 3} y={under - 3} width="6" height="6" />
        </g>
      )}
    </svg>
  );
}
