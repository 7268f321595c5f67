import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { meaningOf, terms } from '../src/shared/glossary.ts';
import { table } from './markdown.ts';
import { root } from './repository.ts';

export const glossaryDocsPath = join(root, 'docs', 'glossary.md');

/** The page with the words that the glossary of the program has. */
export function glossaryDocs(): string {
  const rows = terms.map((term) => [term, meaningOf(term)]);
  return `${[
    '# Glossary',
    "These are the field's terms as Assize uses them, and the measures and tests that its tables, figures and findings name. [statistics.md](statistics.md) has the formula of each measure, by its name in exports. `npm run docs` makes this page from `src/shared/glossary.ts`; in the program, Ctrl+K finds each term.",
    table(['term', 'meaning'], rows),
  ].join('\n\n')}\n`;
}

if (import.meta.main) writeFileSync(glossaryDocsPath, glossaryDocs());
