import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './Button.module.css';

interface Properties extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  /** Before the words, or alone in a button that has a label. */
  readonly icon?: LucideIcon | null;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', size = 'normal', icon: Icon = null, children, ...rest }: Properties) {
  return (
    <AriaButton {...rest} className={`${styles.button} ${styles[look]} ${size === 'small' ? styles.small : ''}`}>
      {Icon === null ? null : <Icon size={size === 'small' && children !== undefined ? 13 : 15} aria-hidden="true" />}
      {children}
    </AriaButton>
  );
}
