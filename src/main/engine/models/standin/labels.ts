/** Which label each side of a hearing stands for. */
export interface Claims {
  readonly prosecution: string | null;
  readonly defense: string | null;
}

function cleanLabel(text: string): string {
  return text
    .trim()
    .replace(/^["'`“”‘’\s\-*\d.)]+(?=[^\d\s])|["'`“”‘’.\s]+$/gu, '')
    .trim();
}

const held = /\bthe (prosecution|defen[cs]e) (?:holds|argues|says|claims|maintains) that the answer is ([^\n]+?)\.(?=\s|$)/gi;

/** What the rules say that each side holds. */
export function readClaims(own: string): Claims {
  const claims: { prosecution: string | null; defense: string | null } = { prosecution: null, defense: null };
  for (const [, side, label = ''] of own.matchAll(held)) {
    claims[side?.toLowerCase() === 'prosecution' ? 'prosecution' : 'defense'] = cleanLabel(label);
  }
  return claims;
}

/** The candidate labels that a prompt lists. */
export function readLabels(text: string): string[] {
  const heads =
    /\b(?:candidate labels?|possible (?:labels|answers)|labels|classes|options|verdicts|allowed answers|one of)\b[^:\n]{0,40}:[ \t]*([^\n]*)((?:\n[ \t]*[-*][ \t]+[^\n]+)*)/gi;
  for (const found of text.matchAll(heads)) {
    const [, inline = '', bullets = ''] = found;
    const raw = inline.trim() === '' ? bullets.split('\n') : inline.replace(/[[\]]/g, '').split(/\s*(?:[,;|]|\bor\b)\s*/);
    const labels = [...new Set(raw.map(cleanLabel).filter((label) => label !== '' && label.length <= 60))];
    if (labels.length >= 2 && labels.length <= 60) return labels;
  }
  const either = /\b(?:either|answer with)\s+["'`]([^"'`\n]{1,60})["'`]\s+or\s+["'`]([^"'`\n]{1,60})["'`]/i.exec(text);
  if (either?.[1] !== undefined && either[2] !== undefined) return [either[1], either[2]];
  const { prosecution, defense } = readClaims(text);
  return prosecution === null || defense === null ? [] : [prosecution, defense];
}

/** Where a label stands in a text as a word of its own, or -1; `NO` is not the word `no`. */
export function findLabel(text: string, label: string): number {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const flags = label === label.toUpperCase() ? 'u' : 'iu';
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_-])`, flags));
}

/** The label that stands first in a text; of two at the same place the longer one. */
function firstLabel(text: string, labels: readonly string[]): string | null {
  let best: string | null = null;
  let at = Number.POSITIVE_INFINITY;
  for (const label of labels) {
    const found = findLabel(text, label);
    if (found >= 0 && (found < at || (found === at && label.length > (best ?? '').length))) [best, at] = [label, found];
  }
  return best;
}

/** The candidate label that an instruction asks the speaker to argue for. */
export function assignedLabel(instructions: string, labels: readonly string[]): string | null {
  const told = [
    ...instructions.matchAll(/\byou (?:argue|hold|maintain|claim) that the (?:right |correct )?answer is ([^\n]+)/gi),
  ].at(-1)?.[1];
  if (told !== undefined) return firstLabel(told, labels) ?? cleanLabel(told.split(/[,.;]/)[0] ?? told);
  const asked =
    /\b(?:argue|argues|arguing|defend|defends|support|supports|position|in favou?r of|stance|your label|case for|side of|convince)\b[^\n]{0,160}/gi;
  for (const [passage] of instructions.matchAll(asked)) {
    const found = firstLabel(passage.split(/\bagainst\b|\brather than\b|\bnot for\b/i)[0] ?? passage, labels);
    if (found !== null) return found;
  }
  return null;
}
