import { Pill } from './Pill.tsx';
import styles from './StandinBanner.module.css';

/** Says in big letters that no model said what stands below. */
export function StandinBanner({ children }: { children?: string }) {
  return (
    <p className={styles.banner} role="note">
      <strong>STAND-IN</strong>{' '}
      {children ?? 'No model was asked: these words and numbers are made up, to show how the program works.'}
    </p>
  );
}

/** The same in a word, for rows of a list. */
export function StandinMark() {
  return <Pill tone="warn">STAND-IN, no model</Pill>;
}
