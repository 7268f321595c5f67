/** Deeper than any JSON text inside a JSON text of a server; the bound keeps the search linear. */
const mostBackslashes = 64;

/** How a piece of a secret can stand in a text: as it is, or escaped as JSON does it, once or more. */
function spellings(piece: string): string {
  if (piece.startsWith('\\')) return `\\\\{${piece.length},${mostBackslashes}}`;
  if (/[A-Za-z0-9]/.test(piece)) return piece;
  const code = piece.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = [...code].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `(?:\\\\{0,${mostBackslashes}}\\x${code.slice(2)}|\\\\{1,${mostBackslashes}}u${digits})`;
}

/**
 * A server's text with an ellipsis in the place of a secret that it echoes, also where the secret stands
 * in it as a part of a JSON text. To be called before the text is shortened: half a secret is not found.
 * @param secret printable ASCII without spaces
 */
export function withoutSecret(text: string, secret: string): string {
  const pieces = secret.match(/\\+|[^\\]/g) ?? [];
  return text.replace(new RegExp(pieces.map(spellings).join(''), 'g'), '…');
}
