import type { ReactNode } from 'react';

/** A short form that is read out in full, and shown in full under the pointer. */
export const Spelled = ({ full, children }: { full: string; children: ReactNode }) => (
  <span title={full}>
    <span aria-hidden="true">{children}</span>
    <span className="visually-hidden">{full}</span>
  </span>
);
