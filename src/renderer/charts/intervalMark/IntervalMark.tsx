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
  /** The same in words. */
  readonly label: string;
}

/** A share with its interval, all marks of a table on the one scale from 0 to 1. */
export function IntervalMark({ value, low, high, label }: Properties) {
  return (
    <svg className={styles.mark} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <line className={styles.scale} x1={at(0)} x2={at(1)} y1={middle} y2={middle} />
      {[0, 0.5, 1].map((tick) => (
        <line key={tick} className={styles.scale} x1={at(tick)} x2={at(tick)} y1={middle - 3} y2={middle + 3} />
      ))}
      {low === null || high === null ? null : (
        <line className={styles.range} x1={at(low)} x2={at(high)} y1={middle} y2={middle} />
      )}
      {value === null ? null : <circle className={styles.dot} cx={at(value)} cy={middle} r="4" />}
    </svg>
  );
}
