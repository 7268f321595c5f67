import { type CSSProperties, type Key, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { visibleText } from '../../core/text/visible.ts';
import { count } from '../../shared/sizes.ts';
import styles from './DataTable.module.css';
import { usePrinting } from './useMedia.ts';
import type { Rows } from './useRows.ts';

interface ColumnHead<Row> {
  readonly title: ReactNode;
  /** After the title. */
  readonly note?: ReactNode;
  /** Identifies columns whose title is not text. */
  readonly id?: string;
  /** What a card calls the column where its title is no text. */
  readonly name?: string;
  /** How the rows are sorted by it, where its title is a button that does so. */
  readonly sort?: 'ascending' | 'descending' | undefined;
  /** Is left out where there is no room for all, before rows become cards. */
  readonly yields?: boolean;
  /** Names the row; the first column does where none says so. */
  readonly isHead?: boolean;
  /** Follows the direction of its content. */
  readonly dir?: 'auto';
  readonly look?: string | undefined | ((row: Row) => string | undefined);
  /** Its track in the grid, in a table of which only the rows in view are in the page. */
  readonly track?: string;
}

/** `number` in place of `cell`: numbers align at their end. */
export type Column<Row> = ColumnHead<Row> &
  ({ readonly cell: (row: Row) => ReactNode; readonly isNumber?: boolean } | { readonly number: (row: Row) => ReactNode });

const isNumbers = <Row,>(column: Column<Row>): boolean => ('number' in column ? true : column.isNumber === true);
const cellOf = <Row,>(column: Column<Row>, row: Row): ReactNode => ('number' in column ? column.number(row) : column.cell(row));

interface Properties<Row> {
  /** Name of the table; one with a name finds a form that fits its room. */
  readonly label?: string;
  /** It always fits. */
  readonly fits?: boolean;
  /** Its rows scroll inside its own frame; the header stays in view. */
  readonly isLong?: boolean;
  /** Only the rows in view are in the page, and `rows` are these. */
  readonly inView?: Rows;
  /** Above the table in view; absent where a heading says it already. */
  readonly caption?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  readonly rowLook?: (row: Row) => string | undefined;
  readonly look?: string | undefined;
  /** Less room between rows. */
  readonly close?: boolean;
  /** Below the table. */
  readonly children?: ReactNode;
}

/** On paper are the rows that were in the page. */
const printedRows = ({ items, total }: Rows): string => {
  const first = (items[0]?.index ?? 0) + 1;
  return `Rows ${count(first)} to ${count(first + items.length - 1)} of ${count(total)}; an export has all of them.`;
};

const tracksOf = (columns: readonly { readonly track?: string }[]) => columns.map(({ track = 'auto' }) => track).join(' ');

function TableOf<Row>(properties: Properties<Row>) {
  const { label, columns, rows, inView, keyOf, rowLook, look = '', close = false } = properties;
  const isPrinting = usePrinting();
  const caption =
    isPrinting && inView !== undefined && inView.items.length < inView.total ? printedRows(inView) : properties.caption;
  const head = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead === true),
  );
  const kindOf = (column: Column<Row>) =>
    [...(isNumbers(column) ? [styles.number] : []), ...(column.yields === true ? [styles.yields] : [])].join(' ') || undefined;
  const lookOf = (column: Column<Row>, row: Row) => {
    const name = typeof column.look === 'function' ? column.look(row) : column.look;
    const kind = kindOf(column);
    return kind === undefined ? name : `${kind} ${name ?? ''}`;
  };
  const tracks = { '--all': tracksOf(columns), '--fewer': tracksOf(columns.filter(({ yields }) => yields !== true)) };
  return (
    <table
      className={`${styles.table} ${close ? styles.close : ''} ${look}`}
      style={inView && (tracks as CSSProperties)}
      aria-rowcount={inView && inView.total + 1}
    >
      {(caption ?? label) === undefined ? null : (
        <caption className={caption === undefined ? 'visually-hidden' : undefined}>{caption ?? label}</caption>
      )}
      <thead>
        <tr aria-rowindex={inView && 1}>
          {columns.map((column) => (
            <th key={column.id ?? String(column.title)} scope="col" className={kindOf(column)} aria-sort={column.sort}>
              {column.title} {column.note}
            </th>
          ))}
        </tr>
      </thead>
      <tbody style={isPrinting ? undefined : inView && { height: inView.height }}>
        {rows.map((row, place) => {
          const item = inView?.items[place];
          return (
            <tr
              key={keyOf(row)}
              className={rowLook?.(row)}
              aria-rowindex={item && item.index + 2}
              style={isPrinting ? undefined : item && { transform: `translateY(${item.start}px)`, height: item.size }}
            >
              {columns.map((column, index) => {
                const Cell = index === head ? 'th' : 'td';
                return (
                  <Cell
                    key={column.id ?? String(column.title)}
                    scope={index === head ? 'row' : undefined}
                    dir={column.dir}
                    data-title={visibleText(column.name ?? column.id ?? String(column.title))}
                    className={lookOf(column, row)}
                  >
                    {cellOf(column, row)}
                  </Cell>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What a table may look like, from the widest to the narrowest: in cards, the columns of a row are under each other. */
const forms = ['all', 'close', 'fewer', 'cards'] as const;

/** Gives the table in a frame the first form that fits; only the last may have to scroll. */
function useForm(frame: RefObject<HTMLElement | null>, offered: readonly string[]) {
  const width = useRef(0);
  const fit = useRef(() => {
    const element = frame.current;
    if (element === null) return;
    width.current = element.clientWidth;
    for (const form of offered) {
      element.dataset.form = form;
      if (element.scrollWidth <= element.clientWidth) return;
    }
  }).current;
  // Its content decides as well.
  useLayoutEffect(fit);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let asked = 0;
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(asked);
      // Browsers report an error if the observer itself changes the height.
      if (element.clientWidth !== width.current) asked = requestAnimationFrame(fit);
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(asked);
      observer.disconnect();
    };
  }, [fit, frame]);
}

function FittedTable<Row>(properties: Properties<Row>) {
  const own = useRef<HTMLElement>(null);
  const { isLong = false, inView } = properties;
  useForm(inView?.frame ?? own, inView === undefined ? forms : forms.slice(0, -1));
  const look = inView === undefined ? `stack gap-8 ${isLong ? styles.long : ''}` : `card ${styles.inView}`;
  const table = <TableOf {...properties} />;
  return inView === undefined ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit in any form scrolls sideways, by keyboard too
    <section ref={own} className={`${styles.frame} ${look}`} aria-label={properties.label} tabIndex={0}>
      {table}
      {properties.children}
    </section>
  ) : (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links inside
    <div ref={inView.frame} className={`${styles.frame} ${look}`} onKeyDown={inView.onKeyDown}>
      {table}
    </div>
  );
}

export function DataTable<Row>(properties: Properties<Row>) {
  const { label, fits = false } = properties;
  return label === undefined || fits ? <TableOf {...properties} /> : <FittedTable {...properties} />;
}
