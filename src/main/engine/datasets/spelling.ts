/** Levenshtein distance in UTF-16 code units. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substituted = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (previous[column] ?? 0) + 1;
      current.push(Math.min(substituted, inserted, deleted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

const longestCompared = 100;

/** The candidate that is spelled most like `wanted`, ignoring case; undefined where none is near. */
export function nearest(wanted: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    if (Math.max(candidate.length, wanted.length) > longestCompared) continue;
    const edits = distance(candidate.toLowerCase(), wanted.toLowerCase());
    if (best === undefined || edits < best.edits) best = { candidate, edits };
  }
  const tolerated = wanted.length <= 3 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  return best !== undefined && best.edits <= tolerated ? best.candidate : undefined;
}

const longestList = 30;
const longestQuoted = 80;

/** A value in double quotes as JSON writes it, cut when it is long. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > longestQuoted ? `${value.slice(0, longestQuoted)}…` : value);
}

/** Quoted values for a sentence, the first 30 of them. */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, longestList).map(quoted).join(', ');
  return values.length > longestList ? `${shown} and ${values.length - longestList} more` : shown;
}
