import type { Timeline } from '../../../core/figures/timeline.ts';
import styles from './BeliefTimeline.module.css';

const width = 100;
const height = 30;

/** The belief of a timeline from left to right, one step for each row. For the eye; `Stated` has the words. Nothing where no belief is drawn. */
export function BeliefSparkline({ timeline }: { timeline: Timeline }) {
  const { rows, ends } = timeline;
  const last = Math.max(1, rows.length - 1);
  const dots = rows.flatMap(({ piece: { dot }, step }, row) =>
    dot === null ? [] : [{ row, x: (row / last) * width, y: (1 - dot) * height, isLargest: step?.largest === true }],
  );
  if (dots.length === 0) return null;
  return (
    <div className={styles.sparkline} aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which read the words next to it */}
      <svg className={styles.lines} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" focusable="false">
        {ends === null ? null : <line className={styles.half} x1="0" y1={height / 2} x2={width} y2={height / 2} />}
        <polyline className={styles.line} fill="none" points={dots.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      {dots.map(({ row, x, y, isLargest }) => (
        <span
          key={row}
          className={`${styles.spark} ${isLargest ? styles.largestSpark : ''}`}
          style={{ left: `${x}%`, top: `${(y / height) * 100}%` }}
        />
      ))}
    </div>
  );
}
