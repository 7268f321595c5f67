import type { DataFormat, Delimiter, Encoding } from '../../../shared/experiment.ts';
import { guessDelimiter, guessFormat, readCsv } from './csv.ts';
import { readJsonl } from './jsonl.ts';
import { limits } from './limits.ts';
import { type ParquetSink, readParquet } from './parquet.ts';
import type { RowSink } from './rows.ts';
import { type DataSource, openSource } from './source.ts';
import { readWorkbookRows } from './workbook.ts';

/** How the text of a file becomes rows. */
interface TableReading {
  /** Recognised from the file's first bytes where absent. */
  readonly format?: DataFormat | undefined;
  /** Between cells, where it is not the format's own; `guess` looks at the first line of a CSV file. */
  readonly delimiter?: Delimiter | 'guess' | undefined;
  /** The one field of JSON Lines or Parquet whose value may be a list. */
  readonly listField?: string | undefined;
  /** The sheet of a workbook that has several. */
  readonly sheet?: string | undefined;
  /** The first sheet with a table will do where none is named. */
  readonly anySheet?: boolean;
}

interface Table {
  readonly format: DataFormat;
  /** Absent where it is the format's own. */
  readonly delimiter: Delimiter | undefined;
  /** Of a workbook: the names of its sheets, and of the one that was read. */
  readonly workbook?: { readonly sheets: readonly string[]; readonly sheet: string };
}

export interface RowReader<Result> extends RowSink {
  /** What all rows amount to; there is one at least. */
  finish(): Result;
}

/** What a file is read for: at most so many rows, with a word for one and advice for more. */
interface Purpose {
  readonly most: number;
  readonly unit: 'case' | 'prediction';
  readonly advice: string;
}

/**
 * Reads a data file once, in its order, and closes it. Throws bad input with line and column.
 * @param reading how, where that is not seen from the file
 * @param open makes the reader of a source that has been opened
 */
export async function readRows<Result>(
  path: string,
  reading: TableReading & { readonly encoding?: Encoding | undefined },
  open: (source: DataSource) => RowReader<Result>,
  { most, unit, advice }: Purpose = { most: limits.rows, unit: 'case', advice: 'take a smaller extract' },
): Promise<Table & { result: Result; rows: number; fileHash: string }> {
  const source = await openSource(path, reading.encoding);
  try {
    const reader = open(source);
    let [columns, rows] = [0, 0];
    const checkCount = (count: number, place = {}) => {
      if (count > most) throw source.fault(`there are more than ${most} rows; ${advice}`, place);
    };
    const table = await readTable(
      source,
      {
        columns(names, line, closed) {
          columns = names.length;
          reader.columns(names, line, closed);
        },
        uses: (index) => reader.uses(index),
        row(cells, line) {
          rows += 1;
          checkCount(rows, { line });
          reader.row(cells, line);
        },
        checkCount,
      },
      reading,
    );
    if (rows === 0) {
      const what = columns === 0 ? 'the file has no rows' : 'the file has a header and no rows';
      throw source.fault(`${what}; it needs at least one ${unit}`);
    }
    return { result: reader.finish(), rows, ...table, fileHash: source.fileHash() };
  } finally {
    await source.close();
  }
}

const formatNames: Readonly<Record<DataFormat, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  jsonl: 'JSON Lines',
  parquet: 'a Parquet file',
  xlsx: 'an Excel workbook',
};

function otherFormat(source: DataSource, is: DataFormat, asked: DataFormat, line?: number): Error {
  const message = `this is ${formatNames[is]}, not ${formatNames[asked]}; set "format" to "${is}"`;
  return source.fault(message, line === undefined ? {} : { line });
}

async function readTable(source: DataSource, sink: ParquetSink, reading: TableReading): Promise<Table> {
  const { container } = source;
  if (container !== undefined && (reading.format ?? container) !== container) {
    throw otherFormat(source, container, reading.format ?? container);
  }
  if (container !== 'xlsx' && reading.sheet !== undefined) {
    throw source.fault('only an Excel workbook has sheets; remove "sheet"', { field: 'sheet' });
  }
  if (container === 'parquet') {
    await readParquet(source, sink, reading.listField);
    return { format: container, delimiter: undefined };
  }
  if (container === 'xlsx') {
    const workbook = await readWorkbookRows(source, sink, { sheet: reading.sheet, any: reading.anySheet === true });
    return { format: container, delimiter: undefined, workbook };
  }
  return readText(source, sink, reading);
}

async function readText(source: DataSource, sink: RowSink, reading: TableReading): Promise<Table> {
  const guessed = guessFormat(source.head, { file: source.path, line: 1 });
  const known = guessed === 'csv' ? guessDelimiter(source.head) : undefined;
  const delimiter = reading.delimiter === 'guess' ? known : reading.delimiter;
  const format = reading.format ?? (delimiter === undefined || guessed === 'jsonl' ? guessed : 'csv');
  if (format === 'parquet' || format === 'xlsx') throw otherFormat(source, guessed, format);
  if (format === 'jsonl') {
    await readJsonl(source, sink, reading.listField);
  } else if (guessed === 'jsonl') {
    throw otherFormat(source, guessed, format, 1);
  } else {
    await readCsv(source, format, sink, delimiter);
  }
  return { format, delimiter };
}
