import { type ReactNode, useId } from 'react';

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
    <section className="card stack gap-14 content-start min-w-0 p-18-20" aria-labelledby={id}>
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
