// Writes the tables into docs/real-models.md, between two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { withBody } from '../markdown.ts';
import { root } from '../repository.ts';

const document = join(root, 'docs/real-models.md');

/** @param place name of the marks. Throws where the page has no such marks. */
export function writeTables(
  place: string,
  { tables, tokens, fixed }: { tables: string; tokens: number; fixed: Readonly<Record<string, number>> },
): void {
  const hardware = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, no GPU used`;
  const facts = `Measured until ${new Date().toISOString().slice(0, 10)} on ${hardware}; an answer of at most ${tokens} tokens.`;
  const fixedLine = Object.entries(fixed)
    .map(([protocol, count]) => `${protocol} ${count}`)
    .join(', ');
  const body = `${facts}\n\n${tables}\nTokens of fixed text in all prompts of a protocol: ${fixedLine}.`;
  writeFileSync(document, withBody(readFileSync(document, 'utf8'), place, body));
}
