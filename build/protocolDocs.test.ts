import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { protocols } from '../src/core/protocols/index.ts';
import { protocolDocs, protocolDocsPath } from './protocolDocs.ts';

test('docs/protocols.md is what npm run docs makes', async () => {
  expect(readFileSync(protocolDocsPath, 'utf8'), 'run: npm run docs').toBe(await protocolDocs());
});

test('the page of experiment files explains every parameter of every protocol', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/experiment-file.md'), 'utf8');
  const [general = ''] = page.split(/^### `params` of /m);
  for (const { id, paramsSchema } of protocols) {
    const [, section = ''] = page.split(new RegExp(`^### .*\`${id}\`.*$`, 'm'));
    const [own = ''] = section.split(/^### /m);
    for (const name of Object.keys(paramsSchema.properties ?? {})) {
      expect(`${general}${own}`, `${id} ${name}`).toContain(`\`${name}\``);
    }
  }
});
