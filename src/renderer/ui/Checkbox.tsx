import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components';
import styles from './Checkbox.module.css';

interface Properties extends Omit<CheckboxProps, 'className' | 'style' | 'children' | 'render'> {
  readonly children: ReactNode;
  readonly note?: string;
}

export function Checkbox({ children, note, ...rest }: Properties) {
  return (
    <AriaCheckbox {...rest} className={styles.checkbox ?? ''}>
      <span className={styles.box} aria-hidden="true">
        <Check size={13} strokeWidth={3} />
      </span>
      <span className="stack min-w-0 wrap-anywhere">
        <span dir="auto">{children}</span>
        {note === undefined ? null : <small className="muted text-13">{note}</small>}
      </span>
    </AriaCheckbox>
  );
}
