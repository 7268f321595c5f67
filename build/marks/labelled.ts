// Utterances in which a reader has put ⟦brackets⟧ around each number and quote that the facts of the case do not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Unfounded, unfoundedFinder } from '../../src/core/text/unfounded.ts';
import { root } from '../repository.ts';

export const places = { development: 'build/marks/development.jsonl', heldOut: 'build/marks/heldOut.jsonl' } as const;
export type SetName = keyof typeof places;

const caseSchema = z.strictObject({
  /** Name of the data set, and of the case in it. */
  case: z.string(),
  question: z.string(),
  labels: z.array(z.string()),
  facts: z.record(z.string(), z.string()),
});

const utteranceSchema = z.strictObject({
  case: z.string(),
  model: z.string(),
  protocol: z.string().optional(),
  text: z.string(),
  /** What other speeches of the trial have of the words that it quotes. */
  said: z.array(z.string()).optional(),
});

export interface Labelled {
  readonly data: string;
  readonly model: string;
  readonly protocol: string | undefined;
  readonly text: string;
  /** What the reader wants marked. */
  readonly wanted: readonly Unfounded[];
  /** What the rules mark. */
  readonly marked: readonly Unfounded[];
}

/** The text without its brackets, and what they enclose. Throws where a bracket is left open. */
export function unbracketed(bracketed: string): { text: string; wanted: Unfounded[] } {
  const wanted: Unfounded[] = [];
  let text = '';
  for (const piece of bracketed.split(/(⟦[^⟦⟧]+⟧)/u)) {
    const inside = /^⟦(.+)⟧$/su.exec(piece)?.[1];
    if (inside === undefined && /[⟦⟧]/u.test(piece)) throw new Error(`a bracket is left open: ${bracketed}`);
    if (inside !== undefined) {
      const kind = /^["“„«]/u.test(inside) ? 'quote' : 'number';
      wanted.push({ start: text.length, end: text.length + inside.length, kind });
    }
    text += inside ?? piece;
  }
  return { text, wanted };
}

const linesOf = <T>(path: string, schema: z.ZodType<T>): T[] =>
  readFileSync(join(root, path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

export function readLabelled(set: SetName): Labelled[] {
  const cases = new Map(linesOf('build/marks/cases.jsonl', caseSchema).map((each) => [each.case, each]));
  return linesOf(places[set], utteranceSchema).map(({ case: name, model, protocol, text: bracketed, said = [] }) => {
    const kase = cases.get(name);
    if (kase === undefined) throw new Error(`there is no case ${name}`);
    const { text, wanted } = unbracketed(bracketed);
    const facts = Object.entries(kase.facts).map(([fact, value]) => ({ name: fact, value }));
    const find = unfoundedFinder({ facts, others: [kase.question, ...kase.labels], speeches: said });
    return { data: name.split(' ')[0] ?? '', model, protocol, text, wanted, marked: find(text) };
  });
}
