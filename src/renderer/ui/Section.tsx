import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';

export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  /** A sentence under the heading. */
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`card stack gap-14 content-start min-w-0 ${styles.section}`} aria-labelledby={id}>
      <div className="row justify-between gap-6-14">
        <div className="min-w-0">
          <h2 id={id} dir="auto" className="title-16 wrap-anywhere">
            {title}
          </h2>
          {lead === undefined ? null : <p className="max-w-80ch muted">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
