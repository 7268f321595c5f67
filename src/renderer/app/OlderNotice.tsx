import { hashKey, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useConnection } from '../api/ApiContext.tsx';
import { failureOf } from '../api/failure.ts';
import { Button } from '../ui/Button.tsx';
import { HiddenText } from '../ui/HiddenText.tsx';
import { secondText, timeText } from '../ui/moments.ts';
import { Notice } from '../ui/Notice.tsx';
import styles from './Frame.module.css';

const sinceText = (at: number) => (new Date(at).toDateString() === new Date().toDateString() ? timeText : secondText)(at);

/**
 * Whether something about experiments could not be read again, so that what is seen is what was read before. Their list and all other
 * screens show the error themselves.
 */
const isOlder = ({ queryKey: [about, what], state: { status, data } }: Query) =>
  about === 'experiments' && what !== 'list' && status === 'error' && data !== undefined;

/** Says above every screen that a part of it is older, why, and since when. */
export function OlderNotice() {
  const queries = useQueryClient();
  const { state } = useConnection();
  const older = () => queries.getQueryCache().findAll({ type: 'active', predicate: isOlder });
  const keys = useSyncExternalStore(
    useCallback((onChange) => queries.getQueryCache().subscribe(onChange), [queries]),
    () =>
      hashKey(older().map(({ queryHash, state: { errorUpdatedAt, fetchStatus } }) => [queryHash, errorUpdatedAt, fetchStatus])),
  );
  const [first] = keys === '[]' ? [] : older();
  // Without a connection another notice says so, and everything is read again once it is back.
  if (first === undefined || state !== 'ready') return null;
  return (
    <div className={styles.notice}>
      <Notice tone="bad">
        <span>
          Part of this screen is from {sinceText(first.state.dataUpdatedAt)} and could not be updated:{' '}
          <HiddenText text={failureOf(first.state.error).message} />
        </span>
        <Button
          size="small"
          // A disabled button would lose the focus.
          isPending={first.state.fetchStatus === 'fetching'}
          onPress={() => void queries.refetchQueries({ type: 'active', predicate: isOlder })}
        >
          Try again
        </Button>
      </Notice>
    </div>
  );
}
