import type { Key, ReactNode } from 'react';
import styles from './DataTable.module.css';

export interface Column<Row> {
  readonly title: ReactNode;
  /** Tells columns apart whose title is no text. */
  readonly id?: string;
  readonly isNumber?: boolean;
  /** Names the row; the first column does where none says so. */
  readonly isHead?: boolean;
  /** Follows the direction of what stands in it. */
  readonly dir?: 'auto';
  readonly look?: string | undefined | ((row: Row) => string | undefined);
  readonly cell: (row: Row) => ReactNode;
}

interface Properties<Row> {
  /** Name of the table; one with a name may have to scroll sideways, by keyboard too. */
  readonly label?: string;
  /** In a narrow place each row is a card, with its columns under each other. */
  readonly folds?: boolean;
  /** It never has to scroll by itself. */
  readonly fits?: boolean;
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

function TableOf<Row>({ label, caption, columns, rows, keyOf, rowLook, look = '', close = false }: Properties<Row>) {
  const head = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead === true),
  );
  const lookOf = ({ isNumber, look: own }: Column<Row>, row: Row) => {
    const name = typeof own === 'function' ? own(row) : own;
    return isNumber === true ? `${styles.number} ${name ?? ''}` : name;
  };
  return (
    <table className={`${styles.table} ${close ? styles.close : ''} ${look}`}>
      {(caption ?? label) === undefined ? null : (
        <caption className={caption === undefined ? 'visually-hidden' : undefined}>{caption ?? label}</caption>
      )}
      <thead>
        <tr>
          {columns.map(({ id, title, isNumber }) => (
            <th key={id ?? String(title)} scope="col" className={isNumber === true ? styles.number : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowLook?.(row)}>
            {columns.map((column, index) => {
              const Cell = index === head ? 'th' : 'td';
              return (
                <Cell
                  key={column.id ?? String(column.title)}
                  scope={index === head ? 'row' : undefined}
                  dir={column.dir}
                  data-title={column.id ?? String(column.title)}
                  className={lookOf(column, row)}
                >
                  {column.cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Rows of values under headings. */
export function DataTable<Row>(properties: Properties<Row>) {
  const { label, fits = false, folds = false, children } = properties;
  if (label === undefined || fits) return <TableOf {...properties} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too
    <section className={`stack gap-8 ${styles.frame} ${folds ? styles.folds : ''}`} aria-label={label} tabIndex={0}>
      <TableOf {...properties} />
      {children}
    </section>
  );
}
