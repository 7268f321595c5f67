import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { glossary } from './glossary.ts';

test('the glossary of the documents has the words of the screens', () => {
  const rows = Object.entries(glossary).map(([term, meaning]) => `| ${term} | ${meaning} |`);
  const text = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2),
  ).toEqual(rows);
});
