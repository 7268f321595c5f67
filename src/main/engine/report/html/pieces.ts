// Sentences and tables of numbers as HTML.
import { isAdvice, type Piece, type StatisticsTable } from '../../../../core/telling/cells.ts';
import { type Content, html, isolated, type Markup } from './markup.ts';

const isNumber = (text: string) => /^\[?(?:[-+−]|< )?[\d.,/:]+%?(?:,? |$)/.test(text);

/** What has the place of a number in a column of numbers. */
const withoutNumber: readonly string[] = ['', '-', 'none', 'not tested'];

/** Characters next to the first column: a wider table would have the whole print made smaller. */
const mostCharacters = 110;

/** Characters in a cell before its words wrap. */
const mostInCell = 40;

/** A table, in pieces of some columns each where it is wide: each piece has the columns that name a row, those before the first number. */
function tablesOf({ head, rows }: StatisticsTable): Markup[] {
  const numbers = head.map((_title, column) => {
    const cells = rows.map((row) => row[column] ?? '-').filter((text) => text === '-' || !withoutNumber.includes(text));
    return cells.length > 0 && cells.every((text) => text === '-' || isNumber(text));
  });
  const naming = Math.max(1, numbers.indexOf(true));
  const longest = head.map((_title, column) => Math.max(...rows.map((row) => Math.min(mostInCell, row[column]?.length ?? 0))));
  const width = (from: number, to?: number) => longest.slice(from, to).reduce((sum, each) => sum + each, 0);
  const room = Math.max(mostCharacters / 2, mostCharacters - width(1, naming));
  const columns = head.length - naming;
  const each = Math.ceil(columns / Math.max(1, Math.ceil(width(naming) / room)));
  const cell = (text: string, column: number) =>
    column === 0
      ? html`<th scope="row">${isolated(text)}</th>`
      : html`<td${numbers[column] === true && html` class="number"`}>${isolated(text)}</td>`;
  const headOf = (text: string, column: number) =>
    html`<th scope="col"${column > 0 && numbers[column] === true && html` class="number"`}>${isolated(text)}</th>`;
  return Array.from({ length: Math.ceil(columns / each) }, (_none, piece) => {
    const part = (texts: readonly string[], made: (text: string, column: number) => Markup) =>
      head.map((_title, column) => {
        const isIn = column < naming || Math.floor((column - naming) / each) === piece;
        return isIn && made(texts[column] ?? '', column);
      });
    const drawn = rows.map((row) => html`<tr>${part(row, cell)}</tr>`);
    return html`<div class="scroll"><table class="figures"><thead><tr>${part(head, headOf)}</tr></thead><tbody>${drawn}</tbody></table></div>`;
  });
}

export const piecesOf = (pieces: readonly Piece[]): Content =>
  pieces.map((piece) => {
    if (typeof piece === 'string') return piece !== '' && html`<p>${isolated(piece.trim())}</p>`;
    return !isAdvice(piece) && tablesOf(piece);
  });
