import type { ReactNode } from 'react';
import styles from './Pill.module.css';

/** A short statement in the header: a verdict, a count, a state. */
export function Pill({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'bad' | 'warn' | 'judge'; children: ReactNode }) {
  return <span className={`${styles.pill} ${styles[tone]}`}>{children}</span>;
}
