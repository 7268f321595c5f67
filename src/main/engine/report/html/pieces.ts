// Sentences and tables of numbers as HTML.
import { isAdvice, type Piece, type StatisticsTable } from '../../../../core/telling/cells.ts';
import { type Content, html, isolated, type Markup } from './markup.ts';

const isNumber = (text: string) => text === '-' || /^[-+−]?[\d.,/:]+( |$)/.test(text);

/** Characters beside the first column: a wider table would have the whole print made smaller. */
const mostCharacters = 110;

/** A table, in pieces of some columns each where it is wide. */
function tablesOf({ head, rows }: StatisticsTable): Markup[] {
  const [title = '', ...columns] = head;
  const longest = columns.map((_column, at) => Math.max(...rows.map((row) => row[at + 1]?.length ?? 0)));
  const width = longest.reduce((sum, each) => sum + each, 0);
  const each = Math.ceil(columns.length / Math.max(1, Math.ceil(width / mostCharacters)));
  const numbers = head.map((_title, column) => rows.every((row) => isNumber(row[column] ?? '-')));
  const about = (column: number) => numbers[column] === true && html` class="number"`;
  return Array.from({ length: Math.ceil(columns.length / each) }, (_none, piece) => {
    const [start, end] = [1 + piece * each, 1 + (piece + 1) * each];
    const drawn = rows.map(
      (row) =>
        html`<tr><th scope="row">${isolated(row[0] ?? '')}</th>${row.slice(start, end).map((text, index) => html`<td${about(start + index)}>${isolated(text)}</td>`)}</tr>`,
    );
    const heads = head
      .slice(start, end)
      .map((text, index) => html`<th scope="col"${about(start + index)}>${isolated(text)}</th>`);
    return html`<div class="scroll"><table class="figures"><thead><tr><th scope="col">${title}</th>${heads}</tr></thead><tbody>${drawn}</tbody></table></div>`;
  });
}

export const piecesOf = (pieces: readonly Piece[]): Content =>
  pieces.map((piece) => {
    if (typeof piece === 'string') return piece !== '' && html`<p>${isolated(piece.trim())}</p>`;
    return !isAdvice(piece) && tablesOf(piece);
  });
