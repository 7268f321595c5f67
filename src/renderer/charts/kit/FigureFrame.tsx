import { lazy, type RefObject, Suspense, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import styles from './Figure.module.css';
import { FigureMenu } from './FigureMenu.tsx';
import type { Figure, FigureSources, Plot, TrialsBehind } from './figure.ts';
import { cellText } from './tableCells.ts';

const Chart = lazy(() => import('./Chart.tsx'));

interface Drawn {
  readonly figure: Figure;
  /** Null where it failed. */
  readonly plot: Plot | null;
  readonly error: unknown;
}

interface Properties {
  readonly experiment: string;
  /** What is shown where reading their sources failed. */
  readonly title: string;
  /** Figures of one card that have something to show. */
  readonly drawn: readonly Drawn[];
  /** The figure to begin with. */
  readonly first?: string | null;
  /** Some numbers came from the demo model. */
  readonly standin: boolean;
  /** What went wrong with reading the sources; null where nothing did. */
  readonly error: unknown;
  /** The part of the trials that is chosen: nothing is found then, only looked at. Null for all of them. */
  readonly part: string | null;
  /** The run is under way: only trials that have ended are drawn. */
  readonly soFar: boolean;
  onTrials(behind: TrialsBehind, figure: Figure): void;
  /** Whether the dashboard can be narrowed to such trials. */
  narrows(behind: TrialsBehind): boolean;
  onNarrow(behind: TrialsBehind): void;
  /** A name of the legend was pressed with a modifier key. */
  onLegend(name: string): void;
}

/** Those of some figures that have something to show. @param sources null while they are read */
export function useDrawn(figures: readonly Figure[], sources: FigureSources | null): readonly Drawn[] | null {
  return useMemo(
    () =>
      sources === null
        ? null
        : figures.flatMap((figure): Drawn[] => {
            try {
              const plot = figure.plot(sources);
              return plot === null ? [] : [{ figure, plot, error: null }];
            } catch (error) {
              return [{ figure, plot: null, error }];
            }
          }),
    [figures, sources],
  );
}

/** Keeps an element at the height of the window where it was, whatever its change moves. @returns what to call before the change */
function useKeptHeight(element: RefObject<HTMLElement | null>): () => void {
  const before = useRef<number | null>(null);
  const top = () => element.current?.getBoundingClientRect().top ?? 0;
  useLayoutEffect(() => {
    if (before.current === null) return;
    const moved = top() - before.current;
    before.current = null;
    let scroller = element.current?.parentElement ?? null;
    while (scroller !== null && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
    scroller?.scrollBy({ top: moved, behavior: 'instant' });
  });
  return () => {
    before.current = top();
  };
}

export function FigureFrame(properties: Properties) {
  const { experiment, title, drawn, first = null, standin, part, soFar, onTrials, narrows, onNarrow, onLegend } = properties;
  const id = useId();
  const [chosen, setChosen] = useState(first);
  const [asTable, setAsTable] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLElement>(null);
  const keepHeight = useKeptHeight(frame);
  const shown = drawn.find(({ figure }) => figure.id === chosen) ?? drawn[0];
  const error = properties.error ?? shown?.error ?? null;
  const { figure, plot } = error === null && shown !== undefined ? shown : { figure: shown?.figure, plot: null };
  const finding = part !== null || soFar ? null : (plot?.finding ?? null);
  const onMark = (behind: TrialsBehind, narrow: boolean) => {
    if (narrow && narrows(behind)) onNarrow(behind);
    else if (figure !== undefined) onTrials(behind, figure);
  };
  const named = figure?.title ?? title;
  const about = [...(finding === null ? [] : [named]), ...(soFar && plot !== null ? ['so far'] : [])];
  const paper = figure?.paper === undefined ? '' : ` As in the paper on ${figure.paper}.`;
  return (
    <section
      ref={frame}
      className={`card stack gap-10 content-start min-w-0 ${styles.frame}`}
      aria-labelledby={id}
      data-figure={figure?.id}
    >
      <div className={`flex justify-between ${styles.head}`}>
        <div className="stack gap-2 min-w-0">
          <h3 id={id} className="title-16 wrap-anywhere">
            <HiddenText text={finding?.sentence ?? named} />
          </h3>
          <p className="muted text-12-5">{about.join(' · ')}</p>
        </div>
        {error === null ? (
          <div className="flex no-shrink items-center gap-6">
            <Button
              size="small"
              onPress={() => {
                keepHeight();
                setAsTable(!asTable);
              }}
              aria-label={`${asTable ? 'Chart' : 'Table'}: ${named}`}
            >
              {asTable ? 'Chart' : 'Table'}
            </Button>
            <FigureMenu
              experiment={experiment}
              figure={figure?.id ?? ''}
              plot={plot}
              title={finding?.sentence ?? named}
              caption={`${[experiment, ...about].join(' · ')}. ${part === null ? '' : `Only a part of the trials: ${part}. `}${plot?.caption ?? ''}${paper}`}
              standin={standin}
              width={() => place.current?.clientWidth ?? null}
            />
          </div>
        ) : null}
      </div>
      {figure === undefined || drawn.length < 2 ? null : (
        <div className="off-paper">
          <Select
            label="Figure"
            labelHidden
            choices={drawn.map((each) => ({
              id: each.figure.id,
              label: each.figure.title,
              note: each.figure.paper,
            }))}
            value={figure.id}
            onChange={setChosen}
          />
        </div>
      )}
      {error === null ? null : <FailureNotice error={error} />}
      {plot === null ? null : (
        <>
          <div ref={place}>
            {asTable ? (
              <FigureTableView table={plot.table} label={`${named}: numbers`} onMark={onMark} narrows={narrows} />
            ) : (
              <Suspense
                fallback={
                  <p className={styles.waiting} style={{ minHeight: plot.height }} aria-busy>
                    Drawing…
                  </p>
                }
              >
                <Chart
                  plot={plot}
                  label={`${named}. ${plot.caption} The table has the numbers.`}
                  onMark={onMark}
                  onLegend={onLegend}
                />
              </Suspense>
            )}
          </div>
          <Paragraph
            className="max-w-90ch muted text-12-5"
            text={`${plot.caption}${plot.hint === undefined ? '' : ` ${plot.hint}`}${paper}`}
          />
        </>
      )}
      {finding === null ? null : (
        <Fold title="How this was found" level={4}>
          <p className="max-w-80ch muted">{finding.rule}</p>
        </Fold>
      )}
    </section>
  );
}

const mostRows = 500;

function FigureTableView({
  table: { columns, rows, behind: behindRow },
  label,
  onMark,
  narrows,
}: {
  table: Plot['table'];
  label: string;
  onMark(behind: TrialsBehind, narrow: boolean): void;
  /** Whether these trials are such that the dashboard can be narrowed to them. */
  narrows(behind: TrialsBehind): boolean;
}) {
  const ways = (index: number) => {
    const behind = behindRow(index);
    return behind === null ? null : (
      <span className="flex gap-4">
        <Button size="small" onPress={() => onMark(behind, false)} aria-label={`Trials of row ${index + 1}`}>
          Trials
        </Button>
        {narrows(behind) ? (
          <Button size="small" look="quiet" onPress={() => onMark(behind, true)} aria-label={`Filter by row ${index + 1}`}>
            Filter
          </Button>
        ) : null}
      </span>
    );
  };
  return (
    <DataTable
      label={label}
      isLong
      close
      rows={rows.slice(0, mostRows).map((cells, index) => ({ cells, index }))}
      keyOf={({ index }) => index}
      columns={[
        ...columns.map(
          (column, place): Column<{ readonly cells: (typeof rows)[number]; readonly index: number }> => ({
            id: column.name,
            title: <HiddenText text={column.name} />,
            isNumber: column.as !== 'text',
            cell: ({ cells }) => (
              <bdi>
                <HiddenText text={cellText(cells[place] ?? null, column)} />
              </bdi>
            ),
          }),
        ),
        // A measure of the table may be called trials too.
        { id: ' ', name: 'trials', title: 'trials', cell: ({ index }) => ways(index) },
      ]}
    >
      {rows.length > mostRows ? (
        <p className="max-w-90ch muted text-12-5">
          The first {mostRows} of {quantity(rows.length, 'row')}; the CSV has all.
        </p>
      ) : null}
    </DataTable>
  );
}
