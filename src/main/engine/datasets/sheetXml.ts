// Looks through the XML of a worksheet before it is read: how far it reaches, and which cells hold an error.

/** How far a sheet reaches; rows and columns count from 1, 0 where there is none. */
interface SheetExtent {
  /** The last row that is named, filled or not. */
  readonly lastRow: number;
  /** The last row and the last column with a cell that is not empty. */
  readonly filledRow: number;
  readonly filledColumn: number;
  /** Cells that are not empty. */
  readonly filled: number;
}

/** A tag without its angle brackets whose quotes come in pairs. */
const pairedQuotes = /^[^"']*(?:(?:"[^"]*"|'[^']*')[^"']*)*$/;
const rowOrCell = /^(?:[^\s:]*:)?(row|c)(?=[\s/]|$)/;

function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

/**
 * Says how far a sheet reaches by the rows and cells in it, not by its `dimension`. Never less than what a
 * reader of XML finds: text in comments counts too, and tags on which readers could differ are refused.
 * @param xml a worksheet part
 * @throws an error for a reference that is none, and for a tag with an open quote or a bracket in a quote
 */
export function sheetExtent(xml: string): SheetExtent {
  let [lastRow, filledRow, filledColumn, filled] = [0, 0, 0, 0];
  for (const [whole, tag = '', end] of xml.matchAll(/<([^<>]*)(>?)/g)) {
    if (tag.startsWith('!') || tag.startsWith('?')) continue;
    if (end === '' || !pairedQuotes.test(tag)) throw new Error(`a tag is not closed: ${whole.slice(0, 40)}`);
    const [, element] = rowOrCell.exec(tag) ?? [];
    if (element === undefined) continue;
    for (const [, reference = ''] of tag.matchAll(/[\s:]r=["']([^"']*)/g)) {
      const [, letters, row] = /^([A-Z]{0,3})([0-9]{1,9})$/.exec(reference) ?? [];
      if (letters === undefined || (letters === '') !== (element === 'row')) {
        throw new Error(`${reference.slice(0, 40)} is no ${element === 'row' ? 'row' : 'cell'}`);
      }
      lastRow = Math.max(lastRow, Number(row));
      if (element === 'row' || tag.endsWith('/')) continue;
      filled += 1;
      filledRow = lastRow;
      filledColumn = Math.max(filledColumn, columnNumber(letters));
    }
  }
  return { lastRow, filledRow, filledColumn, filled };
}

/** The same sheet with its errors, such as #N/A, as the texts that they show: the reader of workbooks takes them for empty cells. */
export function withErrorsAsText(xml: string): string {
  return xml.replace(/(<(?:\w+:)?c\s(?:[^<>]*\s)?t=["'])e(?=["'])/g, '$1str');
}
