import { CsvError, type InfoRecord, Parser } from 'csv-parse';
import { type AssizeError, badInput, type InputPlace } from '../../../shared/errors.ts';
import { type DataFormat, type Delimiter, delimiters } from '../../../shared/experiment.ts';
import { limits } from './limits.ts';
import { checkCell, checkColumnNames, checkStray, headerBelow, type RowSink } from './rows.ts';
import { type DataSource, lineBreaks } from './source.ts';

/** The text of the first line that is not blank, without its line break; the head has no byte order mark. */
function firstLine(head: string): string {
  return head.split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? '';
}

function occurrences(text: string, sought: string): number {
  return text.split(sought).length - 1;
}

/**
 * Recognises the format of a file from its beginning (without a byte order mark): JSON Lines where it starts with `{`, TSV
 * where the first line has more tabs than commas, else CSV. Bad input where it is one JSON array.
 */
export function guessFormat(head: string, place: InputPlace): DataFormat {
  const start = head.trimStart();
  if (start.startsWith('{')) return 'jsonl';
  if (/^\[\s*\{/.test(start)) {
    throw badInput('this is one JSON array; write one JSON object per line (JSON Lines) instead', place);
  }
  const line = firstLine(head);
  return occurrences(line, '\t') > occurrences(line, ',') ? 'tsv' : 'csv';
}

/** The likely separator of a CSV file: the one that its first line has most often outside quotes. */
export function guessDelimiter(head: string): Delimiter {
  const line = firstLine(head).replace(/"(?:[^"]|"")*"/g, '');
  const [most] = delimiters.toSorted((a, b) => occurrences(line, b) - occurrences(line, a));
  return most ?? ',';
}

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': 'commas',
  '\t': 'tabs',
  ';': 'semicolons',
  '|': 'vertical bars',
};

/** What is wrong where a header of one column would have several under another delimiter; else undefined. `header`: its name. */
function wrongDelimiter(header: string, used: Delimiter): string | undefined {
  const [better] = delimiters
    .filter((delimiter) => delimiter !== used && header.includes(delimiter))
    .toSorted((a, b) => occurrences(header, b) - occurrences(header, a));
  if (better === undefined) return undefined;
  const formatOf: Partial<Record<Delimiter, string>> = { ',': 'csv', '\t': 'tsv' };
  const [usedFormat, betterFormat] = [formatOf[used], formatOf[better]];
  const advice =
    usedFormat !== undefined && betterFormat !== undefined
      ? `set "format" to "${betterFormat}"`
      : `${betterFormat === undefined ? 'save the file with commas (csv) or tabs (tsv) between its cells, or ' : ''}set "delimiter" to ${JSON.stringify(better)}`;
  return (
    `the header has one column when it is split at ${delimiterNames[used]}, but ${occurrences(header, better) + 1} ` +
    `when it is split at ${delimiterNames[better]}; ${advice}`
  );
}

/** Reads text whose cells a delimiter separates, a comma or a tab where none is given: RFC 4180 quoting, a header, then rows with as many cells as the header. */
export async function readCsv(
  source: DataSource,
  format: 'csv' | 'tsv',
  sink: RowSink,
  delimiter: Delimiter = format === 'csv' ? ',' : '\t',
): Promise<void> {
  let header: readonly string[] | undefined;
  let width = 0;
  let recordEnd = source.textStart;

  const takeRecord = (cells: readonly string[], info: InfoRecord): null => {
    recordEnd = source.textStart + info.bytes;
    const line = source.lines.lineAt(recordEnd - 1) - cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
    // A line of empty cells, as spreadsheets write it below a table.
    if ((cells.length > 1 || (header?.length ?? 0) > 1) && cells.every((cell) => cell.trim() === '')) return null;
    if (header === undefined) {
      width = cells.length;
      header = takeHeader(source, cells, delimiter, line);
      sink.columns(header, line, true);
    } else {
      sink.row(takeRow(source, { header, width }, cells, line), line);
    }
    return null;
  };

  const parser = new Parser({
    delimiter,
    // All three, so that a file may mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: limits.rowSize,
    on_record: takeRecord,
  });
  try {
    await feed(parser, source);
  } catch (error) {
    if (error instanceof CsvError) throw await explain(error, source, header, recordEnd, delimiter);
    throw error;
  } finally {
    parser.destroy();
  }
}

/** Rows are taken while they are parsed, so that nothing queues up in the stream. */
async function feed(parser: Parser, source: DataSource): Promise<void> {
  // Without a listener a failure would also end the process; it is reported by the write that meets it.
  parser.on('error', () => undefined);
  for await (const chunk of source.chunks()) {
    await new Promise<void>((resolve, reject) => {
      parser.write(chunk, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    // No row is that long, so these are empty lines, which the parser skips silently.
    if (source.lines.pending > limits.rowSize) throw source.fault(`there are more than ${limits.rowSize} empty lines`);
  }
  await new Promise<void>((resolve, reject) => {
    parser.on('error', reject);
    parser.on('end', resolve);
    parser.resume();
    parser.end();
  });
}

function takeHeader(source: DataSource, cells: readonly string[], delimiter: Delimiter, line: number): readonly string[] {
  const [only] = cells;
  const problem = cells.length === 1 && only !== undefined ? wrongDelimiter(only, delimiter) : undefined;
  if (problem !== undefined) throw source.fault(problem, { line });
  cells.forEach((cell, index) => {
    checkCell(source, cell, line, `column ${index + 1}`);
  });
  const names = cells.slice(0, Math.max(1, cells.findLastIndex((cell) => cell.trim() !== '') + 1));
  checkColumnNames(source, names, line);
  return names;
}

/** The cells under the header. @param width cells of the header with empty ones at its end */
function takeRow(
  source: DataSource,
  { header, width }: { header: readonly string[]; width: number },
  cells: readonly string[],
  line: number,
): readonly string[] {
  if (cells.length !== width) {
    throw source.fault(
      `this row has ${cells.length} cells, but the header has ${width}; ` +
        `a cell that contains a delimiter must be in double quotes${header.length === 1 ? headerBelow : ''}`,
      { line },
    );
  }
  cells.forEach((cell, index) => {
    checkCell(source, cell, line, header[index] ?? '');
  });
  if (width === header.length) return cells;
  checkStray(source, header, cells, line);
  return cells.slice(0, header.length);
}

const explanations: Partial<Record<CsvError['code'], string>> = {
  CSV_MAX_RECORD_SIZE:
    `the row grows beyond ${limits.rowSize} characters in this cell, and a cell may have at most ` +
    `${limits.cellCharacters}; if the cell begins with a double quote, look for the one that should close it`,
  CSV_QUOTE_NOT_CLOSED: 'the double quote that opens this cell is never closed; close it, and write a quote inside as ""',
  CSV_INVALID_CLOSING_QUOTE:
    'the double quote that opens this cell is closed by one that more text follows; write a quote inside as ""',
  INVALID_OPENING_QUOTE:
    'there is a double quote in a cell that does not begin with one; put the cell in double quotes and write it as ""',
};

/** The parser's complaint about the record that starts at `recordStart`, with the line and column of the cell. */
async function explain(
  error: CsvError,
  source: DataSource,
  header: readonly string[] | undefined,
  recordStart: number,
  delimiter: string,
): Promise<AssizeError> {
  const column = typeof error.column === 'number' ? error.column : 0;
  const record = await source.reread(recordStart, 2 * limits.rowSize);
  const line = source.lines.lineAt(recordStart) + linesBeforeCell(record.toString('latin1'), delimiter, column);
  const field = header?.[column] ?? `column ${column + 1}`;
  return source.fault(explanations[error.code] ?? error.message, { line, field });
}

/** Line breaks between the end of a record and the start of a cell of the next one; the cells before it are sound. */
function linesBeforeCell(text: string, delimiter: string, column: number): number {
  const start = /[^\r\n]/.exec(text)?.index ?? 0;
  let inQuotes = false;
  let cellsLeft = column;
  let index = start;
  for (; cellsLeft > 0 && index < text.length; index += 1) {
    if (text[index] === '"') inQuotes = !inQuotes;
    else if (text[index] === delimiter && !inQuotes) cellsLeft -= 1;
  }
  return lineBreaks(text.slice(0, index));
}
