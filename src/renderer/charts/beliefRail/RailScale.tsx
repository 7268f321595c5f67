import { HiddenText } from '../../ui/HiddenText.tsx';
import styles from './BeliefRail.module.css';
import type { Rail } from './railOf.ts';

/** What the two ends of the rail mean. */
export function RailScale({ rail }: { rail: Rail }) {
  if (rail.ofSets) {
    return (
      <div className={styles.scale}>
        <span>labels that apply</span>
      </div>
    );
  }
  if (rail.ends === null) {
    return (
      <div className={styles.scale}>
        <span>0%</span>
        <span>100%</span>
      </div>
    );
  }
  return (
    <div className={styles.scale}>
      <bdi title={rail.ends.left} className={styles.left}>
        <HiddenText text={rail.ends.left} />
      </bdi>
      <bdi title={rail.ends.right} className={styles.right}>
        <HiddenText text={rail.ends.right} />
      </bdi>
    </div>
  );
}
