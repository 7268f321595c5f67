import { leadingLabel } from '../../../core/figures/beliefChanges.ts';
import { letterOf, type Timeline, type TimelineRow } from '../../../core/figures/timeline.ts';
import styles from './BeliefTimeline.module.css';

const across = (share: number) => share * 100;

/** One row's part of the belief timeline: as high as the row, so that the parts of neighbours join. For the eye; `Stated` has the words. */
export function TimelineSegment({ timeline, row }: { timeline: Timeline; row: TimelineRow }) {
  const { top, dot, bottom } = row.piece;
  const middle = dot ?? (top !== null && bottom !== null ? (top + bottom) / 2 : null);
  const leading = row.step === null || timeline.ends !== null ? null : leadingLabel(row.step.belief);
  return (
    <div className={styles.segment} aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which read the words next to it */}
      <svg className={styles.lines} viewBox="0 0 100 100" preserveAspectRatio="none" focusable="false">
        {timeline.ends === null ? null : <line className={styles.half} x1="50" y1="0" x2="50" y2="100" />}
        {top === null || middle === null ? null : (
          <line className={styles.line} x1={across(top)} y1="0" x2={across(middle)} y2="50" />
        )}
        {middle === null || bottom === null ? null : (
          <line className={styles.line} x1={across(middle)} y1="50" x2={across(bottom)} y2="100" />
        )}
      </svg>
      {dot === null ? null : (
        <span
          className={`${styles.dot} ${row.step?.largest ? styles.largest : ''} ${leading === null ? '' : styles.lettered}`}
          data-hue={leading === null ? undefined : timeline.labels.indexOf(leading) % 6}
          style={{ left: `${across(dot)}%` }}
        >
          {leading === null ? '' : letterOf(timeline.labels, leading)}
        </span>
      )}
    </div>
  );
}
