import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import styles from './Figure.module.css';
import type { Plot, TrialsBehind } from './figure.ts';
import { cellText } from './tableCells.ts';

/** Rows that are shown; the CSV has all. */
const mostRows = 500;

/** The drawn numbers as a table; each row leads to its trials, or narrows the dashboard to what it stands for. */
export function FigureTableView({
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the table scrolls, by keyboard too
    <section className={styles.tableFrame} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, as }) => (
              <th key={name} scope="col" className={as === 'text' ? undefined : styles.number}>
                <HiddenText text={name} />
              </th>
            ))}
            <th scope="col">trials</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, mostRows).map((row, index) => {
            const behind = behindRow(index);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own and never change places
              <tr key={index}>
                {columns.map((column, place) => (
                  <td key={column.name} className={column.as === 'text' ? undefined : styles.number}>
                    <bdi>
                      <HiddenText text={cellText(row[place] ?? null, column)} />
                    </bdi>
                  </td>
                ))}
                <td>
                  {behind === null ? null : (
                    <span className={styles.rowActions}>
                      <Button size="small" onPress={() => onMark(behind, false)} aria-label={`Trials of row ${index + 1}`}>
                        Trials
                      </Button>
                      {narrows(behind) ? (
                        <Button
                          size="small"
                          look="quiet"
                          onPress={() => onMark(behind, true)}
                          aria-label={`Filter by row ${index + 1}`}
                        >
                          Filter
                        </Button>
                      ) : null}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > mostRows ? (
        <p className={styles.caption}>
          The first {mostRows} of {quantity(rows.length, 'row')}; the CSV has all.
        </p>
      ) : null}
    </section>
  );
}
