import type { InputPlace } from '../../../shared/errors.ts';
import { badInput } from '../../../shared/errors.ts';
import { type DataFormat, type Delimiter, delimiters } from '../../../shared/experiment.ts';

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

/**
 * Says what is wrong where a header with a single column would have several under another delimiter; undefined where
 * nothing is. `header` is the only column's name.
 */
export function wrongDelimiter(header: string, used: Delimiter): string | undefined {
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
