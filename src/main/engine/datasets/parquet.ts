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

const scaleOf = ({ converted_type, logical_type, scale }: SchemaElement): number | undefined =>
  logical_type?.type === 'DECIMAL' ? logical_type.scale : converted_type === 'DECIMAL' ? (scale ?? 0) : undefined;

/** A value as text where it is one: numbers as short as they can be told, booleans as in JSON; lists and objects as they are. */
function plain(value: unknown, element: SchemaElement): unknown {
  if (typeof value === 'number') {
    const scale = scaleOf(element);
    if (scale !== undefined) return value.toFixed(scale);
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

/**
 * Reads a Parquet file: its columns are the fields of its rows, and a row's line is its number. Dates are written as
 * 2014-05-31, moments as 2014-05-31T12:30:00, a column of lists as JSON in `listField` alone.
 * Throws bad input for a damaged or encrypted file, and for one that holds too much at a time.
 */
export async function readParquet(source: DataSource, sink: RowSink, listField: string | undefined): Promise<void> {
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
  sink: RowSink,
  { file, metadata, listField }: { file: AsyncBuffer; metadata: FileMetaData; listField: string | undefined },
): Promise<void> {
  const fields = parquetSchema(metadata).children;
  const names = fields.map(({ element }) => element.name);
  checkColumnNames(source, names, 1);
  sink.columns(names, 1, true);
  refuseCompression(source, metadata);
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

/** The values of every column in a range of rows, in their order. */
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
