import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
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
  const ways = (index: number) => {
    const behind = behindRow(index);
    return behind === null ? null : (
      <span className={styles.rowActions}>
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
        <p className={styles.caption}>
          The first {mostRows} of {quantity(rows.length, 'row')}; the CSV has all.
        </p>
      ) : null}
    </DataTable>
  );
}
