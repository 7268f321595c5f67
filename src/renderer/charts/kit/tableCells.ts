import { percent, points } from '../../../core/figures/shares.ts';
import { chanceText } from '../../../core/statistics/measures/shownComparisons.ts';
import { csvLine } from '../../../core/text/csv.ts';
import type { Cell, FigureTable } from './figure.ts';

type Column = FigureTable['columns'][number];

const counts = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const numbers = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 });

/** A cell as the table view writes it; a dash where there is nothing. */
export function cellText(cell: Cell, { as }: Column): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (as === 'share') return percent(cell);
  if (as === 'points') return `${points(cell)} points`;
  if (as === 'chance') return chanceText(cell);
  return (as === 'count' ? counts : numbers).format(cell).replace('-', '−');
}

/** Without the digits that only binary fractions add: 0.67 for 0.6699999999999999. */
const inDigits = (cell: Cell): Cell => (typeof cell === 'number' ? Number(cell.toPrecision(15)) : cell);

/** The table as CSV, up to 15 digits, formulas neutralised. @param standin some numbers came from the demo model: rows say so */
export const tableCsv = ({ columns, rows }: FigureTable, standin: boolean): string =>
  [[...columns.map(({ name }) => name), 'standin'], ...rows.map((row) => [...row.map(inDigits), standin])].map(csvLine).join('');
