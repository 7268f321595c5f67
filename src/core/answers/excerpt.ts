/** One line of at most `limit` characters, cut with an ellipsis, without control characters; for messages. */
export function excerpt(text: string, limit: number): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}\u2026` : line;
}

/** The labels quoted and joined by commas as far as `limit` characters go, then how many there are. */
export function listed(labels: readonly string[], limit: number): string {
  let text = '';
  for (const label of labels) {
    const next = `${text === '' ? '' : ', '}"${excerpt(label, 80)}"`;
    if (text.length + next.length > limit) return `${text}${text === '' ? '' : ', '}\u2026 (${labels.length} labels)`;
    text += next;
  }
  return text;
}
