import { useQueries } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { Button as RowButton } from 'react-aria-components';
import { factLine } from '../../../core/cases/columnNames.ts';
import type { DataFile, ListedCase } from '../../../shared/api/dataFiles.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useRows } from '../../ui/useRows.ts';
import styles from './Entry.module.css';
import { truthText } from './Facts.tsx';

/** Cases read in one request. */
export const pageSize = 100;
const rowHeight = 58;
/** What of the facts can be in view in the two lines of the widest screen. */
const excerptLength = 600;

export const casesKey = (entry: string, search: string, page: number) => ['datasets', 'cases', entry, search, page] as const;

interface Properties {
  readonly entry: DataFile;
  readonly search: string;
  readonly total: number;
  readonly selected: string | null;
  readonly onSelect: (listed: ListedCase) => void;
}

/** The cases of an entry; only those in view are in the page: a hundred thousand scroll like a hundred. */
export function CaseList({ entry, search, total, selected, onSelect }: Properties) {
  const api = useApi();
  const { frame, items, height, firstPage, pages, onKeyDown } = useRows({ total, rowHeight, pageSize });
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: casesKey(entry.id, search, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.dataFiles.cases(
          { entry: entry.id, offset: page * pageSize, limit: pageSize, ...(search === '' ? {} : { search }) },
          { signal },
        ),
    })),
  });
  const caseAt = (index: number): ListedCase | undefined =>
    read[Math.floor(index / pageSize) - firstPage]?.data?.cases[index % pageSize];
  const failed = read.find(({ isError }) => isError);
  // The same in every row, so that the facts of all end at one edge.
  const longestTruth = Math.max(...entry.labels.map((label) => label.length), truthText(null).length);

  return (
    <>
      {failed === undefined ? null : <FailureNotice error={failed.error} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the rows inside */}
      <div ref={frame} className={styles.scroll} onKeyDown={onKeyDown}>
        <ul
          style={{ height, '--truth': `${Math.min(longestTruth + 1, 16)}ch` } as CSSProperties}
          className="relative"
          aria-label="Cases"
        >
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
                    className={`stack gap-14 ${styles.row}`}
                    data-index={index}
                    aria-current={listed.id === selected}
                    onPress={() => onSelect(listed)}
                  >
                    <span className="clamp-2 mono-12-5 wrap-anywhere">
                      <Isolated text={listed.id} />
                    </span>
                    <span className={`clamp-2 wrap-anywhere ${styles.excerpt}`} dir="auto">
                      <HiddenText text={listed.question ?? factLine(listed.facts).slice(0, excerptLength)} />
                    </span>
                    <span className="clamp-2 text-13 font-600 wrap-anywhere">
                      <Isolated text={truthText(listed.truth)} />
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
