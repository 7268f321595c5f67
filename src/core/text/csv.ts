/** Puts an apostrophe before what a spreadsheet would run as a formula, also if it splits at semicolons, tabs or line breaks. */
const neutral = (text: string) => text.replace(/(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g, "'");

const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One cell per RFC 4180: null is empty, numbers and booleans are unchanged, nested values are JSON text. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(neutral(typeof value === 'string' ? value : JSON.stringify(value)));
}

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
