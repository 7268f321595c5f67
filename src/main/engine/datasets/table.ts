import type { DataFormat, Delimiter } from '../../../shared/experiment.ts';
import { readCsv } from './csv.ts';
import { guessFormat } from './format.ts';
import { readJsonl } from './jsonl.ts';
import type { RowSink } from './rows.ts';
import type { DataSource } from './source.ts';

/**
 * Hands the rows of a data file to a sink, in the order of the file. Throws bad input with line and column.
 * @returns the format of the file
 * @param format told from the file's first bytes where absent
 * @param delimiter between cells, where it is not the format's own
 * @param listField the one field of JSON Lines whose value may be a list
 */
export async function readTable(
  source: DataSource,
  sink: RowSink,
  {
    format: given,
    delimiter,
    listField,
  }: {
    readonly format?: DataFormat | undefined;
    readonly delimiter?: Delimiter | undefined;
    readonly listField?: string | undefined;
  } = {},
): Promise<DataFormat> {
  const guessed = guessFormat(source.head, { file: source.path, line: 1 });
  const format = given ?? (delimiter === undefined || guessed === 'jsonl' ? guessed : 'csv');
  if (format === 'jsonl') {
    await readJsonl(source, sink, listField);
    return format;
  }
  if (guessed === 'jsonl') {
    throw source.fault(`this is JSON Lines, not ${format.toUpperCase()}; set "format" to "jsonl"`, { line: 1 });
  }
  await readCsv(source, format, sink, delimiter);
  return format;
}
