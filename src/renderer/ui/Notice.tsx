import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { capitalized } from '../../core/text/visible.ts';
import { type Failure, failureOf } from '../api/failure.ts';
import { ConnectionLost } from '../api/host.ts';
import { Button } from './Button.tsx';
import styles from './Notice.module.css';
import { Pill } from './Pill.tsx';

/** A message inside a screen. `role="alert"` if it reports a failure, so that it is read out. */
export function Notice({ tone = 'plain', children }: { tone?: 'plain' | 'bad' | 'warn' | 'good'; children: ReactNode }) {
  return (
    <div className={`row ${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

function place({ field, line }: Failure): string {
  const parts = [line === null ? null : `line ${line}`, field === null ? null : field.replace(/^definition\./, '')].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? '' : `${parts.join(', ')}: `;
}

export function FailureNotice({ error, onRetry, children }: { error: unknown; onRetry?: () => unknown; children?: ReactNode }) {
  // That the connection is closed for good is said above every screen.
  if (error === null || (error instanceof ConnectionLost && !error.again)) return null;
  const failure = failureOf(error);
  const where = place(failure);
  return (
    <Notice tone="bad">
      <span>{where === '' ? capitalized(failure.message) : `${where}${failure.message}`}</span>
      {children}
      {onRetry === undefined ? null : (
        <Button size="small" onPress={() => void onRetry()}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

/** In place of what a query reads: that it does, or why it could not. */
export const Unread = ({ of: { error, refetch }, words }: { of: Pick<UseQueryResult, 'error' | 'refetch'>; words: string }) =>
  error === null ? (
    <p className="quiet">{words}</p>
  ) : (
    <FailureNotice error={error} onRetry={refetch}>
      {failureOf(error).code === 'not-found' ? <Link href="/">First screen</Link> : null}
    </FailureNotice>
  );

/** Says in big letters that no model said the text below. @param more what else is to be known of it */
export function DemoBanner({ children, more = '' }: { children?: string; more?: string }) {
  return (
    <p className={styles.banner} role="note" data-invented>
      <strong>DEMO MODEL</strong>{' '}
      {children ?? `No model was asked: what the demo model says is made up, to show how the program works${more}.`}
    </p>
  );
}

export function DemoMark() {
  return <Pill tone="warn">DEMO MODEL, no model</Pill>;
}
