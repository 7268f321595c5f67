import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { protocolDocs, protocolDocsPath } from './protocolDocs.ts';

test('docs/protocols.md is what npm run docs makes', async () => {
  expect(readFileSync(protocolDocsPath, 'utf8'), 'run: npm run docs').toBe(await protocolDocs());
});
