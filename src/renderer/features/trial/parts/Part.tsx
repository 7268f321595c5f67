import { type ReactNode, useId } from 'react';
import styles from './Parts.module.css';

/** One step of a trial with its heading. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div className={styles.partHead}>
        <h2 id={id}>{title}</h2>
        {aside === undefined ? null : <span className={styles.quiet}>{aside}</span>}
      </div>
      {children}
    </section>
  );
}
