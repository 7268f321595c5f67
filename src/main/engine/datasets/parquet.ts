// Reads Parquet files with hyparquet, some rows at a time.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import { AssizeError } from '../../../shared/errors.ts';
import { dateText } from './cells.ts';
import { limits } from './limits.ts';
import { cellText, checkCell, checkColumnNames, type RowSink } from './rows.ts';
import type { DataSource } from './source.ts';
import { quoted } from './spelling.ts';

const within = (bytes: number): number => {
  if (bytes > limits.groupBytes) throw new Error(`a page of ${bytes} bytes is too large`);
  return bytes;
};

const compressors: Compressors = {
  SNAPPY: (input, length) => {
    const output = new Uint8Array(within(length));
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, within(length)) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, within(length)) }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: Math.max(1, within(length)) }),
};

/** Milliseconds and the digits below them would be lost in a Date: moments are written from their own unit. */
const moment = (value: bigint, perSecond: bigint): string => {
  const seconds = value / perSecond - (value % perSecond < 0n ? 1n : 0n);
  const rest = value - seconds * perSecond;
  const fraction = rest
    .toString()
    .padStart(perSecond.toString().length - 1, '0')
    .replace(/0+$/, '');
  const text = dateText(new Date(Number(seconds) * 1000));
  return fraction === '' ? text : `${text.includes('T') ? text : `${text}T00:00:00`}.${fraction}`;
};

const parsers = {
  timestampFromMilliseconds: (value: bigint) => moment(value, 1_000n),
  timestampFromMicroseconds: (value: bigint) => moment(value, 1_000_000n),
  timestampFromNanoseconds: (value: bigint) => moment(value, 1_000_000_000n),
  dateFromDays: (days: number | undefined) => (days === undefined ? undefined : dateText(new Date(days * 86_400_000))),
  jsonFromBytes: (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : new TextDecoder().decode(bytes)),
};

/** The shortest decimal that is this number of 32 bits. */
function shortSingle(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

const isDecimal = ({ converted_type, logical_type }: SchemaElement): boolean =>
  converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL';

/** The units in a second of a column of times of day; undefined for other columns. */
function timeUnits({ converted_type, logical_type }: SchemaElement): bigint | undefined {
  const unit = logical_type?.type === 'TIME' ? logical_type.unit : converted_type?.replace(/^TIME_/, '');
  return unit === 'MILLIS' ? 1_000n : unit === 'MICROS' ? 1_000_000n : unit === 'NANOS' ? 1_000_000_000n : undefined;
}

/** hyparquet makes inexact numbers of decimals: their columns are read as what is stored, and `decimal` makes text of it. */
function withDecimalsAsStored(metadata: FileMetaData, fields: readonly SchemaTree[]): FileMetaData {
  const decimals = new Set(fields.filter(isFlat).map(({ element }) => element));
  const schema = metadata.schema.map((element) => {
    if (!decimals.has(element) || !isDecimal(element)) return element;
    const { converted_type, logical_type, ...stored } = element;
    // Bytes without their own type would be read as UTF-8, where their number may vary.
    if (stored.type === 'BYTE_ARRAY') stored.type = 'FIXED_LEN_BYTE_ARRAY';
    return stored;
  });
  return { ...metadata, schema };
}

const isFlat = ({ children, element }: SchemaTree): boolean => children.length === 0 && element.repetition_type !== 'REPEATED';

/** Whether a column holds decimals or times of day in lists or objects, which hyparquet returns as other numbers. */
const hidesNumbers = ({ children, element }: SchemaTree): boolean =>
  isDecimal(element) || timeUnits(element) !== undefined || children.some(hidesNumbers);

/** A decimal with every digit of its scale, from the whole number that is stored: -105 of scale 2 is -1.05. */
function decimal(stored: unknown, { logical_type, scale }: SchemaElement): string {
  const places = (logical_type?.type === 'DECIMAL' ? logical_type.scale : scale) ?? 0;
  // 76 digits are the most that any writer has, and fit into 32 bytes.
  if (places < 0 || places > 76) throw new Error(`a decimal has ${places} places`);
  let whole: bigint;
  if (stored instanceof Uint8Array) {
    if (stored.length === 0 || stored.length > 32) throw new Error(`a decimal has ${stored.length} bytes`);
    whole = BigInt.asIntN(stored.length * 8, BigInt(`0x${Buffer.from(stored).toString('hex')}`));
  } else if (typeof stored === 'number' || typeof stored === 'bigint') {
    whole = BigInt(stored);
  } else {
    throw new Error('a decimal is no number');
  }
  const digits = (whole < 0n ? -whole : whole).toString().padStart(places + 1, '0');
  const point = digits.length - places;
  const fraction = places === 0 ? '' : `.${digits.slice(point)}`;
  return `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
}

/** A time of day as 12:30:00 or, with digits below the second, 12:30:00.25. */
function timeOfDay(value: bigint, perSecond: bigint): string {
  if (value < 0n || value >= 86_400n * perSecond) throw new Error(`${value} is no time of day`);
  return moment(value, perSecond).split('T')[1] ?? '00:00:00';
}

/** A value as text where it is one: numbers as short as is exact, booleans as in JSON, times of day as 12:30:00; lists and objects as they are. */
function plain(value: unknown, element: SchemaElement): unknown {
  if (value === null || value === undefined) return value;
  if (isDecimal(element)) return decimal(value, element);
  const perSecond = timeUnits(element);
  if (perSecond !== undefined && (typeof value === 'number' || typeof value === 'bigint')) {
    return timeOfDay(BigInt(value), perSecond);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? '' : String(value);
    return element.type === 'FLOAT' ? shortSingle(value) : String(value);
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return dateText(value);
  if (Array.isArray(value)) return value.map((part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return value;
}

function refuseCompression(source: DataSource, metadata: FileMetaData): void {
  for (const { columns } of metadata.row_groups) {
    for (const { meta_data, crypto_metadata } of columns) {
      if (crypto_metadata !== undefined || meta_data === undefined) {
        throw source.fault('columns of this Parquet file are encrypted; write it without encryption');
      }
      const { codec, path_in_schema } = meta_data;
      if (codec !== 'UNCOMPRESSED' && compressors[codec] === undefined) {
        const advice = 'write it with Snappy, Zstandard, gzip or no compression';
        throw source.fault(
          `column ${quoted(path_in_schema.join('.'))} is compressed with ${codec}, which Assize does not read; ${advice}`,
        );
      }
    }
  }
}

export type ParquetSink = RowSink & { checkCount(rows: number): void };

/**
 * Reads a Parquet file: its columns are the fields of its rows, and a row's line is its number. Dates are written as
 * 2014-05-31, moments as 2014-05-31T12:30:00, a column of lists as JSON in `listField` alone.
 * Throws bad input for a damaged or encrypted file, and for one that holds too much at a time.
 */
export async function readParquet(source: DataSource, sink: ParquetSink, listField: string | undefined): Promise<void> {
  const byteLength = await source.hashBytes();
  const file: AsyncBuffer = { byteLength, slice: (start, end = byteLength) => source.slice(start, end) };
  try {
    const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    await readGroups(source, sink, { file, metadata, listField });
  } catch (error) {
    if (error instanceof AssizeError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
    throw source.fault(
      `this Parquet file cannot be read: it is damaged, or written in an unknown way (${reason}); write it again`,
    );
  }
}

async function readGroups(
  source: DataSource,
  sink: ParquetSink,
  { file, metadata: stored, listField }: { file: AsyncBuffer; metadata: FileMetaData; listField: string | undefined },
): Promise<void> {
  const fields = parquetSchema(stored).children;
  const metadata = withDecimalsAsStored(stored, fields);
  const names = fields.map(({ element }) => element.name);
  checkColumnNames(source, names, 1);
  sink.columns(names, 1, true);
  const list = fields.find(({ element }) => element.name === listField);
  if (list !== undefined && !isFlat(list) && hidesNumbers(list)) {
    throw source.fault('this column has lists of decimals or of times of day; write them as text', {
      field: list.element.name,
    });
  }
  refuseCompression(source, metadata);
  sink.checkCount(metadata.row_groups.reduce((rows, { num_rows }) => rows + Number(num_rows), 0));
  let groupStart = 0;
  for (const { num_rows, total_byte_size } of metadata.row_groups) {
    if (Number(total_byte_size) > limits.groupBytes) {
      throw source.fault(
        `a row group of this Parquet file has ${total_byte_size} bytes, more than ${limits.groupBytes}; write it with smaller row groups`,
      );
    }
    const count = Number(num_rows);
    const columns = await readColumns({ file, metadata, rowStart: groupStart, rowEnd: groupStart + count });
    const values = fields.map(({ element }) => columns.get(element.name) ?? []);
    if (values.some(({ length }) => length !== count)) throw new Error(`rows are missing from row ${groupStart + 1} on`);
    for (let row = 0; row < count; row += 1) {
      const line = groupStart + row + 1;
      const cells = fields.map(({ element }, index) => {
        const place = { name: element.name, index, listField, line };
        const cell = cellText(source, sink, plain(values[index]?.[row], element), place);
        checkCell(source, cell, line, element.name);
        return cell;
      });
      sink.row(cells, line);
    }
    groupStart += count;
  }
}

async function readColumns(range: {
  file: AsyncBuffer;
  metadata: FileMetaData;
  rowStart: number;
  rowEnd: number;
}): Promise<Map<string, unknown[]>> {
  const columns = new Map<string, unknown[]>();
  const { rowStart: first, rowEnd: end } = range;
  await parquetRead({
    ...range,
    compressors,
    parsers,
    geoparquet: false,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const column = columns.get(columnName) ?? [];
      columns.set(columnName, column);
      for (let index = 0; index < columnData.length; index += 1) {
        const row = rowStart + index;
        if (row >= first && row < end) column.push(columnData[index]);
      }
    },
  });
  return columns;
}
