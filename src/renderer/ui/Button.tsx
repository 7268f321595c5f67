import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './Button.module.css';

interface Properties extends Omit<ButtonProps, 'className' | 'style'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', size = 'normal', ...rest }: Properties) {
  return <AriaButton {...rest} className={`${styles.button} ${styles[look]} ${size === 'small' ? styles.small : ''}`} />;
}
