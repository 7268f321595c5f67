import type { Timeline } from '../../../core/figures/timeline.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import styles from './BeliefTimeline.module.css';

/** What the two ends of the timeline mean. */
export function TimelineScale({ timeline }: { timeline: Timeline }) {
  if (timeline.ofSets) {
    return (
      <div className={styles.scale}>
        <span>labels that apply</span>
      </div>
    );
  }
  if (timeline.ends === null) {
    return (
      <div className={styles.scale}>
        <span>0%</span>
        <span>100%</span>
      </div>
    );
  }
  return (
    <div className={styles.scale}>
      <bdi title={timeline.ends.left} className={styles.left}>
        <HiddenText text={timeline.ends.left} />
      </bdi>
      <bdi title={timeline.ends.right} className={styles.right}>
        <HiddenText text={timeline.ends.right} />
      </bdi>
    </div>
  );
}
