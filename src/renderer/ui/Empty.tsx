import type { ReactNode } from 'react';
import styles from './Empty.module.css';

/** Shown while there is nothing yet: what would be here, and how to get it. */
export function Empty({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={`stack gap-8 ${styles.empty}`}>
      <h2 className="title-20">{title}</h2>
      <p className="muted">{children}</p>
      {actions === undefined ? null : <div className="flex flex-wrap gap-8 pt-8">{actions}</div>}
    </div>
  );
}
