/** A text cell that starts like a formula gets an apostrophe, so that a spreadsheet shows it and does not run it. */
const neutral = (text: string) => (/^[=+\-@\t]/.test(text) ? `'${text}` : text);

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One cell per RFC 4180: null is empty, numbers and booleans stand as they are, nested values are JSON text. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(neutral(typeof value === 'string' ? value : JSON.stringify(value)));
}

/** One line with its line end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
