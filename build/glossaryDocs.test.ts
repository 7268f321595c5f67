import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groupDifferences, groupRates } from '../src/core/telling/groupTables.ts';
import { measuresOf } from '../src/renderer/features/experiments/estimateText.ts';
import { exportedNames, termOf, terms } from '../src/shared/glossary.ts';
import { glossaryDocs, glossaryDocsPath } from './glossaryDocs.ts';
import { root } from './repository.ts';

test('docs/glossary.md is what npm run docs makes', () => {
  expect(readFileSync(glossaryDocsPath, 'utf8'), 'run: npm run docs').toBe(glossaryDocs());
});

test('every measure of the tables has a term, except those of completed rows and of the ways trials end', () => {
  const ofArms = (['labels', 'beliefs', 'calibration', 'declining', 'deliberation'] as const).flatMap((group) =>
    measuresOf(group),
  );
  const names = [...ofArms, ...[...groupRates, ...groupDifferences].map(([name]) => name)];
  const without = names.filter((name) => termOf(name) === undefined);
  expect(without).toEqual(['completed_if_shuffled', 'completed_beyond_shuffled']);
});

test('the page of statistics has every name that the glossary sends a reader there for', () => {
  const page = readFileSync(join(root, 'docs', 'statistics.md'), 'utf8');
  const missing = terms.flatMap(exportedNames).filter((name) => !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
