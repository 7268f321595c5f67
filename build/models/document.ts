// Writes the tables into docs/real-models.md, between two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { root } from '../repository.ts';

const document = join(root, 'docs/real-models.md');

/** @param place name of the marks. Throws where the document has no such marks. */
export function writeTables(
  place: string,
  { tables, tokens, fixed }: { tables: string; tokens: number; fixed: Readonly<Record<string, number>> },
): void {
  const text = readFileSync(document, 'utf8');
  const [begin, end] = [`<!-- ${place} -->`, `<!-- end of ${place} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/real-models.md has no place ${begin} … ${end}`);
  const hardware = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, no GPU used`;
  const facts = `Measured until ${new Date().toISOString().slice(0, 10)} on ${hardware}; an answer of at most ${tokens} tokens.`;
  const fixedLine = Object.entries(fixed)
    .map(([protocol, count]) => `${protocol} ${count}`)
    .join(', ');
  const body = `${begin}\n${facts}\n\n${tables}\nTokens of fixed text in all prompts of a protocol: ${fixedLine}.\n`;
  writeFileSync(document, text.slice(0, from) + body + text.slice(to));
}
