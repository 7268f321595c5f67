import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { promptFiles, sectionsOf } from './prompts.ts';
import { root } from './repository.ts';

test.each([...promptFiles()].map(([path, text]) => [relative(root, path), path, text] as const))(
  '%s is what npm run prompts makes',
  (_name, path, text) => {
    expect(readFileSync(path, 'utf8'), 'run: npm run prompts').toBe(text);
  },
);

test('a text keeps its lines, loses the blank ones around it, and needs a name of its own', () => {
  expect(sectionsOf('# Title\n\nNotes.\n\n## rules\n\nOne.\n\nTwo.\n\n## task-b\nDo `it`.\n')).toEqual(
    new Map([
      ['rules', 'One.\n\nTwo.'],
      ['task-b', 'Do `it`.'],
    ]),
  );
  expect(() => sectionsOf('## a\none\n## a\ntwo')).toThrow('section "a" stands twice');
  expect(() => sectionsOf('## a\n\n## b\ntwo')).toThrow('section "a" is empty');
});
