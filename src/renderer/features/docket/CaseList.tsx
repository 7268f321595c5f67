import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button as RowButton } from 'react-aria-components';
import { narrate } from '../../../core/cases/narrative.ts';
import type { DocketEntry, ListedCase } from '../../../shared/api/docket.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import styles from './Entry.module.css';
import { truthWords } from './Facts.tsx';

/** Cases read at a time. */
export const pageSize = 100;
const rowHeight = 58;
/** What of the facts can be in view in one line. */
const excerptLength = 240;

export const casesKey = (entry: string, search: string, page: number) => ['docket', 'cases', entry, search, page] as const;

interface Properties {
  readonly entry: DocketEntry;
  readonly search: string;
  readonly total: number;
  readonly selected: string | null;
  readonly onSelect: (listed: ListedCase) => void;
}

/** The cases of an entry, of which only those in view are there: a hundred thousand scroll like a hundred. */
export function CaseList({ entry, search, total, selected, onSelect }: Properties) {
  const api = useApi();
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | null>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const firstPage = Math.floor((items[0]?.index ?? 0) / pageSize);
  const lastPage = Math.floor((items.at(-1)?.index ?? 0) / pageSize);
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_none, index) => firstPage + index);
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: casesKey(entry.id, search, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.docket.cases(
          { entry: entry.id, offset: page * pageSize, limit: pageSize, ...(search === '' ? {} : { search }) },
          { signal },
        ),
    })),
  });
  const caseAt = (index: number): ListedCase | undefined =>
    read[Math.floor(index / pageSize) - firstPage]?.data?.cases[index % pageSize];
  const failed = read.find(({ isError }) => isError);

  // A row that the arrow keys ask for may have to be scrolled in before it can be focused.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus();
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = Number(event.target instanceof HTMLElement ? event.target.dataset.index : Number.NaN);
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1 };
    const next = steps[event.key];
    if (Number.isNaN(at) || next === undefined) return;
    event.preventDefault();
    wanted.current = Math.min(total - 1, Math.max(0, next));
    rows.scrollToIndex(wanted.current);
    frame.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)?.focus();
  };

  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the rows inside */}
      <div ref={frame} className={styles.scroll} onKeyDown={onKeyDown}>
        <ul style={{ height: rows.getTotalSize() }} className={styles.rows} aria-label="Cases">
          {items.map(({ index, start }) => {
            const listed = caseAt(index);
            return (
              <li
                key={index}
                className={styles.item}
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
                aria-setsize={total}
                aria-posinset={index + 1}
              >
                {listed === undefined ? (
                  <span className={styles.waiting}>Reading…</span>
                ) : (
                  <RowButton
                    className={styles.row ?? ''}
                    data-index={index}
                    aria-current={listed.id === selected}
                    onPress={() => onSelect(listed)}
                  >
                    <span className={styles.caseId}>
                      <bdi>
                        <HiddenText text={listed.id} />
                      </bdi>
                    </span>
                    <span className={styles.excerpt} dir="auto">
                      <HiddenText
                        text={listed.question ?? narrate(listed.facts, entry.definition.kind).slice(0, excerptLength)}
                      />
                    </span>
                    <span className={styles.truth}>
                      <bdi>
                        <HiddenText text={truthWords(listed.truth)} />
                      </bdi>
                    </span>
                  </RowButton>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
