// Rewrites the XML of a worksheet where the reader of workbooks would take a cell for another value or for none.

/** Stands in cells whose formula has no saved result: scripts write such workbooks. */
export const uncalculated = '#NOT CALCULATED';

// White space is matched in one place only: a file from elsewhere could have it where a pattern tries every way to divide it.
const cellPattern =
  /<((?:\w+:)?)c(\s[^<>]*[^<>/])>\s*(?:(<\1f\b[^<>]*(?:\/>|>[^<]*<\/\1f>))\s*)?(?:(<\1v\s*\/>|<\1v(?:\s[^<>]*)?>([^<]*)<\/\1v>)\s*)?<\/\1c>/g;

/** Indexes of the cell styles that show time elapsed, such as `[h]:mm`, from `xl/styles.xml`. Format 46 is `[h]:mm:ss`. */
export function elapsedStyles(styles: string): ReadonlySet<string> {
  const formats = new Set(['46']);
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<>]*>/g)) {
    const id = /\snumFmtId=["'](\d+)/.exec(tag)?.[1];
    if (id !== undefined && /\[(?:h+|m+|s+)\]/i.test(tag)) formats.add(id);
  }
  const opening = /<((?:\w+:)?)cellXfs\b/.exec(styles);
  const cellFormats = opening === null ? '' : (styles.slice(opening.index).split(`</${opening[1]}cellXfs>`, 1)[0] ?? '');
  const used = [...cellFormats.matchAll(/<(?:\w+:)?xf\s[^<>]*>/g)].map(([tag]) => /\snumFmtId=["'](\d+)/.exec(tag)?.[1] ?? '');
  return new Set(used.flatMap((id, index) => (formats.has(id) ? [String(index)] : [])));
}

/** Days as hours, minutes and seconds, to the millisecond: 1.25 days are 30:00:00. */
function elapsedText(days: number): string {
  const milliseconds = Math.round(Math.abs(days) * 86_400_000);
  const parts = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1_000) % 60];
  const whole = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
  const rest = milliseconds % 1_000;
  return `${days < 0 ? '-' : ''}${whole}${rest === 0 ? '' : `.${String(rest).padStart(3, '0').replace(/0+$/, '')}`}`;
}

/** The same sheet as shown, where the reader would misread: errors (#N/A), formulas without a result, elapsed time (30:00:00). */
export function cellsAsShown(xml: string, elapsed: ReadonlySet<string>): string {
  const withErrors = xml.replace(/(<(?:\w+:)?c\s(?:[^<>]*\s)?t=["'])e(?=["'])/g, '$1str');
  if (elapsed.size === 0 && !/<(?:\w+:)?f\b/.test(xml)) return withErrors;
  return withErrors.replace(
    cellPattern,
    (whole, prefix: string, attributes: string, formula?: string, value?: string, inner = '') => {
      const type = /\st=["'](\w+)/.exec(attributes)?.[1] ?? 'n';
      const shows = (text: string) =>
        `<${prefix}c${attributes.replace(/\st=["'][^"']*["']/, '')} t="str"><${prefix}v>${text}</${prefix}v></${prefix}c>`;
      // An empty text is a result, and has this type.
      if (formula !== undefined && inner === '' && (type !== 'str' || value === undefined)) return shows(uncalculated);
      const style = /\ss=["'](\d+)/.exec(attributes)?.[1] ?? '0';
      const isElapsed = type === 'n' && inner.trim() !== '' && elapsed.has(style) && Number.isFinite(Number(inner));
      return isElapsed ? shows(elapsedText(Number(inner))) : whole;
    },
  );
}

/** A range of merged cells; rows and columns count from 1. Only the first cell has the value. */
export interface Merged {
  readonly range: string;
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

/** The number of a column: A is 1, AA is 27. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

export function mergedRanges(xml: string): Merged[] {
  const found = xml.matchAll(/<(?:\w+:)?mergeCell\s[^<>]*?ref=["'](([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7}))["']/g);
  return [...found].map(([, range = '', left = '', top, right = '', bottom]) => ({
    range,
    rows: [Number(top), Number(bottom)],
    columns: [columnNumber(left), columnNumber(right)],
  }));
}

/** Names of the parts with the sheets, in the order of the workbook. */
export function sheetParts(workbook: string, relations: string): string[] {
  const targets = new Map(
    [...relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g)].map(([tag]) => [
      /\sId=["']([^"']*)/.exec(tag)?.[1],
      /\sTarget=["']([^"']*)/.exec(tag)?.[1] ?? '',
    ]),
  );
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s[^<>]*>/g)].map(([tag]) => {
    const target = targets.get(/\s\w+:id=["']([^"']*)/.exec(tag)?.[1]) ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  });
}
