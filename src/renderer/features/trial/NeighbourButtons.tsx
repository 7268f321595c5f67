import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { count } from '../../../shared/sizes.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { keyed } from '../../ui/KeyNames.tsx';
import styles from './Trial.module.css';
import { neighboursOf, walked } from './walkedList.ts';

/** The way to neighbours in the list that this was opened from. @param line of a trial, also for its arm; null: several shown */
export function NeighbourButtons({ line }: { line: TrialLine | null }) {
  const [, navigate] = useLocation();
  const [address] = useHashLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is another where the address is
  const walk = useMemo(walked, [address]);
  const { data: neighbours } = useRead(
    ['trials', 'neighbours', address, walk, line?.status],
    (api, { signal }) => neighboursOf(api, address, walk, line, signal),
    { enabled: line?.status !== 'queued' },
  );
  const list = neighbours?.list;
  const of = list ? 'of the list' : 'of this arm';
  const go = (to: string | null | undefined) => {
    if (to !== null && to !== undefined) navigate(to);
  };
  const isAlone = neighbours === null || neighbours === undefined || neighbours.total < 2;
  useShortcuts(
    isAlone
      ? []
      : [
          { keys: ['n'], does: `Next trial ${of}`, run: () => go(neighbours.after) },
          { keys: ['N'], does: `Previous trial ${of}`, run: () => go(neighbours.before) },
        ],
  );
  if (isAlone) return null;
  const { before, after, place, total } = neighbours;
  const which = `${count(total)} ${list ? list.name : 'of this arm'}`;
  return (
    <>
      <Button
        icon={ChevronLeft}
        size="small"
        aria-label={`Previous trial ${of}`}
        render={keyed('N', `Previous of ${which}`)}
        isDisabled={before === null}
        onPress={() => go(before)}
      />
      <span className={`text-13 ${styles.nth}`}>
        {count(place)} of {count(total)}{' '}
        {list ? (
          <Link href={list.from}>
            <Isolated text={list.name} />
          </Link>
        ) : (
          'of this arm'
        )}
      </span>
      <Button
        icon={ChevronRight}
        size="small"
        aria-label={`Next trial ${of}`}
        render={keyed('n', `Next of ${which}`)}
        isDisabled={after === null}
        onPress={() => go(after)}
      />
    </>
  );
}
