import type { ReactNode } from 'react';
import styles from './Pill.module.css';

export const toneLook = { good: 'text-good', warn: 'text-warn', bad: 'text-bad', plain: 'muted' } as const;

const looks = { ...toneLook, plain: styles.plain, warn: styles.warn, judge: styles.judge };

/** A short statement in the header: a verdict, a count, a state. */
export function Pill({ tone = 'plain', children }: { tone?: keyof typeof looks; children: ReactNode }) {
  return <span className={`items-center gap-6 text-13 unbroken ${styles.pill} ${looks[tone]}`}>{children}</span>;
}
