// Reads Excel workbooks (.xlsx) with read-excel-file, as a whole.
import { unzipSync, zipSync } from 'fflate/browser';
import readWorkbook, { type CellValue } from 'read-excel-file/universal';
import { AssizeError } from '../../../shared/errors.ts';
import { dateText } from './cells.ts';
import { limits } from './limits.ts';
import { checkCell, checkColumnNames, checkStray, type RowSink } from './rows.ts';
import { cellsAsShown, columnNumber, elapsedStyles, type Merged, mergedRanges, sheetParts, uncalculated } from './sheetXml.ts';
import type { DataSource } from './source.ts';
import { listed, quoted } from './spelling.ts';

// Looks through the XML of a worksheet before it is read: how far it reaches, and which cells hold an error.

/** How far a sheet reaches; rows and columns count from 1, 0 where there is none. */
interface SheetExtent {
  /** The last row that is named, filled or not. */
  readonly lastRow: number;
  /** The last row and the last column with a cell that is not empty. */
  readonly filledRow: number;
  readonly filledColumn: number;
  /** Cells that are not empty. */
  readonly filled: number;
}

/** A tag without its angle brackets whose quotes come in pairs. */
const pairedQuotes = /^[^"']*(?:(?:"[^"]*"|'[^']*')[^"']*)*$/;
const rowOrCell = /^(?:[^\s:]*:)?(row|c)(?=[\s/]|$)/;

/**
 * Says how far a sheet reaches by the rows and cells in it, not by its `dimension`. Never less than what a
 * reader of XML finds: text in comments counts too, and tags on which readers could differ are refused.
 * @param xml a worksheet part
 * @throws an error for a reference that is none, and for a tag with an open quote or a bracket in a quote
 */
function sheetExtent(xml: string): SheetExtent {
  let [lastRow, filledRow, filledColumn, filled] = [0, 0, 0, 0];
  for (const [whole, tag = '', end] of xml.matchAll(/<([^<>]*)(>?)/g)) {
    if (tag.startsWith('!') || tag.startsWith('?')) continue;
    if (end === '' || !pairedQuotes.test(tag)) throw new Error(`a tag is not closed: ${whole.slice(0, 40)}`);
    const [, element] = rowOrCell.exec(tag) ?? [];
    if (element === undefined) continue;
    for (const [, reference = ''] of tag.matchAll(/[\s:]r=["']([^"']*)/g)) {
      const [, letters, row] = /^([A-Z]{0,3})([0-9]{1,9})$/.exec(reference) ?? [];
      if (letters === undefined || (letters === '') !== (element === 'row')) {
        throw new Error(`${reference.slice(0, 40)} is no ${element === 'row' ? 'row' : 'cell'}`);
      }
      lastRow = Math.max(lastRow, Number(row));
      if (element === 'row' || tag.endsWith('/')) continue;
      filled += 1;
      filledRow = lastRow;
      filledColumn = Math.max(filledColumn, columnNumber(letters));
    }
  }
  return { lastRow, filledRow, filledColumn, filled };
}

/** A sheet with its rows; the first row of the sheet is line 1. */
interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly (CellValue<string> | null)[])[];
  readonly merged: readonly Merged[];
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;

/** Says how large the parts of a zip are before anything is unpacked; nothing is unpacked beyond what the archive states. */
function unpackedBytes(source: DataSource, bytes: Uint8Array): number {
  let sum = 0;
  const names = new Set<string>();
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      sum += originalSize;
      names.add(name);
      return false;
    },
  });
  if (!names.has('xl/workbook.xml')) {
    throw source.fault('this file is no Excel workbook: it has no xl/workbook.xml; export the table as CSV (UTF-8)');
  }
  return sum;
}

/** The parts that are read, repacked uncompressed, as checked: readers fill gaps, so few bytes could ask for too many cells. */
function checkedParts(source: DataSource, bytes: Uint8Array): { zip: ArrayBuffer; merged: readonly (readonly Merged[])[] } {
  const parts = unzipSync(bytes, { filter: ({ name }) => /\.xml(?:\.rels)?$/.test(name) });
  const textOf = (name: string) => new TextDecoder().decode(parts[name]);
  const elapsed = elapsedStyles(textOf('xl/styles.xml'));
  const merged = new Map<string, readonly Merged[]>();
  let [cells, filled] = [0, 0];
  for (const [name, part] of Object.entries(parts)) {
    if (!Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes('sheetData')) continue;
    const xml = textOf(name);
    const extent = sheetExtent(xml);
    const { lastRow } = extent;
    cells += extent.filledRow * extent.filledColumn;
    filled += extent.filled;
    const most = Math.min(limits.sheetCells, limits.sheetGaps + 20 * filled);
    if (lastRow > limits.sheetRows || cells > most) {
      const reach = `${lastRow} rows, and ${cells} cells from the first to the last one that is filled`;
      throw source.fault(
        `the sheets of this workbook reach too far: ${reach} (at most ${limits.sheetRows} and ${most}); ` +
          'clear the cells that stand far off, or export the table as CSV (UTF-8)',
      );
    }
    merged.set(name, mergedRanges(xml));
    parts[name] = new TextEncoder().encode(cellsAsShown(xml, elapsed));
  }
  const sheets = sheetParts(textOf('xl/workbook.xml'), textOf('xl/_rels/workbook.xml.rels'));
  return { zip: zipSync(parts, { level: 0 }).buffer, merged: sheets.map((name) => merged.get(name) ?? []) };
}

const digitsOf = (number: string): string => number.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '');

/** Excel stores 0.29 as 0.28999999999999998. Numbers are written short, but where that would lose digits, such as of a long id. */
function shortNumber(text: string): string {
  const number = Number(text);
  const digits = digitsOf(text);
  if (!Number.isFinite(number) || digits.length > 100) return text;
  const isExact = digits === '' || digitsOf(number.toPrecision(digits.length)) === digits;
  return isExact ? String(number) : text;
}

/** A cell as text: numbers as short as is exact, truth values as the sheet shows them, dates as 2014-05-31. */
function textOf(value: CellValue<string> | null): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value instanceof Date ? excelDate(value) : String(value);
}

const [firstDay, leapDay] = [Date.UTC(1899, 11, 31), Date.UTC(1900, 1, 28)];

/**
 * The reader rounds times down to the millisecond, so that 13:45:00 can arrive as 13:44:59.999. The calendar of Excel has a
 * 29 February 1900, so that its days before that one arrive a day early. A time of day alone has the day before the first.
 */
function excelDate(date: Date): string {
  const arrived = date.valueOf();
  const early = arrived >= firstDay && arrived < leapDay ? 86_400_000 : 0;
  const text = dateText(new Date(arrived + early + (arrived % 10 === 9 || arrived % 10 === -1 ? 1 : 0)));
  return /^(1899-12-30|1904-01-01)/.test(text) ? (text.split('T')[1] ?? '00:00:00') : text;
}

async function sheetsOf(source: DataSource): Promise<readonly Sheet[]> {
  const size = await source.hashBytes();
  if (size > limits.workbookBytes) {
    throw source.fault(
      `this workbook has ${megabytes(size)}, more than ${megabytes(limits.workbookBytes)}; export its table as CSV (UTF-8)`,
    );
  }
  const bytes = await source.slice(0, size);
  const unpacked = unpackedBytes(source, new Uint8Array(bytes));
  if (unpacked > limits.unpackedBytes) {
    throw source.fault(
      `this workbook has ${megabytes(unpacked)} when it is unpacked, more than ${megabytes(limits.unpackedBytes)}; export its table as CSV (UTF-8)`,
    );
  }
  const { zip, merged } = checkedParts(source, new Uint8Array(bytes));
  const sheets = await readWorkbook(zip, { trim: false, parseNumber: shortNumber });
  return sheets.map((sheet, index) => ({ ...sheet, merged: merged[index] ?? [] }));
}

/** What a formula shows where it fails. */
const excelErrors = new Set(
  '#NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! #N/A #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY!'.split(' '),
);

const isEmpty = (row: readonly unknown[]): boolean => row.every((cell) => cell === null || cell === '');

/** The sheet that is meant: the one that is named, else the only one with anything in it, or where any will do the first table. */
function chosen(source: DataSource, sheets: readonly Sheet[], name: string | undefined, any: boolean): Sheet {
  const found = sheets.find(({ sheet }) => sheet === name);
  if (found !== undefined) return found;
  const names = listed(sheets.map(({ sheet }) => sheet));
  if (name !== undefined) throw source.fault(`there is no sheet ${quoted(name)}; this workbook has ${names}`, { field: 'sheet' });
  const filled = sheets.filter(({ data }) => data.some((row) => !isEmpty(row)));
  // A title page is no table.
  const table = filled.find(({ data }) => data.filter((row) => !isEmpty(row)).length > 1);
  const first = table ?? filled[0];
  if (first === undefined) throw source.fault('every sheet of this workbook is empty; it needs a header and rows');
  if (filled.length > 1 && !any)
    throw source.fault(`this workbook has several sheets: ${names}`, {
      remedy: {
        command: 'name one of them ("sheet" in a file, --sheet on the command line)',
        screen: 'name one of them',
      },
    });
  return first;
}

/** Of merged cells below the header only the first has a value: what the others mean is not known. */
function refuseMerged(
  source: DataSource,
  merged: readonly Merged[],
  { sink, header, line }: { sink: RowSink; header: readonly string[]; line: number },
): void {
  for (const { range, rows, columns } of merged) {
    const used = header.findIndex((_, index) => columns[0] <= index + 1 && index < columns[1] && sink.uses(index));
    if (rows[1] <= line || used < 0) continue;
    const advice = 'only the first has the value; unmerge them, and fill in each';
    throw source.fault(`the cells ${range} are merged, and ${advice}`, { line: rows[0], field: header[used] ?? '' });
  }
}

/**
 * Reads one sheet of a workbook: its first row that is not empty is the header, empty rows are skipped, and a row's line is its
 * number in the sheet. Of a formula the result counts that was saved with it.
 * @param sheet its name; needed where several sheets have something in them, unless `any` will do
 * @returns the names of all sheets, and of the one that was read
 * @throws bad input for a damaged workbook, one that is too large, and a sheet that is not there or not chosen
 */
export async function readWorkbookRows(
  source: DataSource,
  sink: RowSink,
  { sheet, any }: { sheet: string | undefined; any: boolean },
): Promise<{ sheets: readonly string[]; sheet: string }> {
  const sheets = await sheetsOf(source).catch((error: unknown) => {
    if (error instanceof AssizeError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
    throw source.fault(
      `this Excel workbook cannot be read, it may be damaged (${reason}); save it again, or export the table as CSV (UTF-8)`,
    );
  });
  const found = chosen(source, sheets, sheet, any);
  let header: readonly string[] | undefined;
  found.data.forEach((row, index) => {
    const line = index + 1;
    if (isEmpty(row)) return;
    const cells = row.map(textOf);
    if (header === undefined) {
      const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
      header = cells.slice(0, width);
      checkColumnNames(source, header, line);
      sink.columns(header, line, true);
      refuseMerged(source, found.merged, { sink, header, line });
      return;
    }
    checkStray(source, header, cells, line);
    const kept = header.map((name, column) => {
      const cell = cells[column] ?? '';
      checkCell(source, cell, line, name);
      if (cell === uncalculated && sink.uses(column)) {
        const advice = 'open the workbook in Excel or LibreOffice and save it again';
        throw source.fault(`the formula in this cell was never calculated; ${advice}`, { line, field: name });
      }
      if (excelErrors.has(cell) && sink.uses(column)) {
        throw source.fault(`this cell holds the error ${cell}; correct its formula, or clear the cell`, { line, field: name });
      }
      return cell;
    });
    sink.row(kept, line);
  });
  return { sheets: sheets.map((each) => each.sheet), sheet: found.sheet };
}
