import { type CopyProgress, isAdvice, type Piece } from '../main/engine/engine.ts';
import { demoText, everyAnswer } from '../shared/demoModel.ts';
import { count } from '../shared/sizes.ts';

export { count, duration, proportion, quantity as amount, roughly } from '../shared/sizes.ts';

/** Shown while the store of an older program is brought up to date, and while rows are remade. */
export const trialsReady = (done: number, of: number) => `${count(done)}/${count(of)} trials made ready for figures`;

/** How far the making of a store from others has come. */
export function copyWords({ step, store, done, of }: CopyProgress): string {
  if (step === 'derive') return trialsReady(done, of ?? done);
  return step === 'copy' ? `${count(done)} rows copied` : `${count(done)}/${count(of ?? done)} records checked: ${store}`;
}

/** A share in whole percent: `37%`. */
export function percentage(share: number): string {
  return `${Math.floor(share * 100)}%`;
}

/** A table with its columns padded: the first to the left, numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const numeric = header.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[-+−\d.,% []/.test(row[column] ?? '') || row[column] === ''),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}

/** Each of the lines with its end; what is not said is false, null or undefined. */
export const lines = (...all: readonly (string | readonly string[] | false | null | undefined)[]): string =>
  all
    .flat()
    .map((line) => (typeof line === 'string' ? `${line}\n` : ''))
    .join('');

/** Sentences, tables and advice; each begins a new line. */
export const piecesText = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return isAdvice(piece) ? piece.advice : table(piece.head, piece.rows).trimEnd();
    })
    .join('\n');

export const bannerOf = (invented: string): string => `*** ${demoText(invented)} ***`;
export const demoBanner = bannerOf(everyAnswer);

/** Work that is over sooner is not worth a line. */
const quietMs = 1000;

/** Reports progress once the work takes longer than a moment. */
export function whereLong(progress: (line: string) => void): (line: string) => void {
  const startedAt = performance.now();
  return (line) => {
    if (performance.now() - startedAt > quietMs) progress(line);
  };
}
