// What several commands write into the pages of docs.
import { wilson } from '../src/core/statistics/wilson.ts';

/** One row of a table. */
export const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n');

export const percent = (share: number) => `${Math.round(share * 100)}`;

/** `57 of 80, 71% (60–80)`: a share with its 95% Wilson interval. */
export function share(part: number, whole: number): string {
  const interval = wilson(part, whole);
  if (interval === null) return '–';
  return `${part} of ${whole}, ${percent(part / whole)}% (${percent(interval.low)}–${percent(interval.high)})`;
}

/** The text of a page with another body between the two marks of a place. Throws where the page has no such marks. */
export function withBody(page: string, place: string, body: string): string {
  const [begin, end] = [`<!-- ${place} -->`, `<!-- end of ${place} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n${body}\n${page.slice(to)}`;
}
