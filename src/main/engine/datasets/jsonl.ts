// Reads JSON Lines and keeps numbers as they are spelled.
import { limits } from './limits.ts';
import type { RowSink } from './rows.ts';
import { cellText, checkCell, checkColumnNames } from './rows.ts';
import type { DataSource } from './source.ts';

const lineFeed = 10;

/**
 * Reads JSON Lines: one object per line, its fields the columns. Strings are taken as they are, numbers and booleans as
 * they are spelled, null as missing; a list only in `listField`, where it is passed on as JSON text. Objects and lists in
 * fields that the sink does not use are skipped.
 */
export async function readJsonl(source: DataSource, sink: RowSink, listField: string | undefined): Promise<void> {
  const read = lineReader(source, sink, listField);
  let lineStart = source.textStart;
  let parts: Buffer[] = [];
  let length = 0;
  const lineNumber = (): number => source.lines.lineAt(lineStart);
  const take = (part: Buffer): void => {
    length += part.length;
    if (length > limits.rowSize) {
      throw source.fault(`this line is longer than ${limits.rowSize} bytes; write each object on its own line`, {
        line: lineNumber(),
      });
    }
    parts.push(part);
  };
  for await (const chunk of source.chunks()) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      take(chunk.subarray(start, end));
      read(Buffer.concat(parts).toString('utf8'), lineNumber());
      lineStart += length + 1;
      parts = [];
      length = 0;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  read(Buffer.concat(parts).toString('utf8'), lineNumber());
}

function lineReader(source: DataSource, sink: RowSink, listField: string | undefined): (text: string, line: number) => void {
  const columns = new Map<string, number>();
  const parse = (text: string, line: number): object => {
    let value: unknown;
    try {
      value = parseKeepingSpelling(text);
    } catch (error) {
      if (error instanceof RangeError) throw source.fault('this line is nested too deeply', { line });
      const reason = error instanceof Error ? `: ${error.message.slice(0, 200)}` : '';
      throw source.fault(`this line is not valid JSON${reason}; write one JSON object per line`, { line });
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw source.fault('this line is not a JSON object; write one object per line, its fields the columns', { line });
  };
  return (text, line) => {
    if (text.trim() === '') return;
    const fields = Object.entries(parse(text, line));
    const known = columns.size;
    for (const [name] of fields) if (!columns.has(name)) columns.set(name, columns.size);
    if (columns.size > known) {
      const names = [...columns.keys()];
      checkColumnNames(source, names, line);
      sink.columns(names, line, false);
    }
    const cells = new Array<string>(columns.size).fill('');
    for (const [name, value] of fields) {
      const index = columns.get(name) ?? 0;
      const cell = cellText(source, sink, value, { name, index, listField, line });
      checkCell(source, cell, line, name);
      cells[index] = cell;
    }
    sink.row(cells, line);
  };
}

/** JSON.parse that keeps the spelling of numbers and booleans (`1.0`, ids beyond 2^53) as texts. Throws on malformed JSON. */
export function parseKeepingSpelling(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' || typeof value === 'boolean' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver);
}
