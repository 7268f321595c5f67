// Writes the JSON Schemas of the contract to docs/schemas.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { contractSchemas } from '../src/shared/contract.ts';
import { root } from './repository.ts';

export const schemaFolder = join(root, 'docs/schemas');

/** File name -> text, for what a writer of such a file may leave out or put in (zod's "input" side). */
export function schemaFiles(): Map<string, string> {
  return new Map(
    Object.entries(contractSchemas).map(([name, schema]) => {
      const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'throw' });
      return [`${name}.schema.json`, `${JSON.stringify({ $schema, title: `Assize: ${name}`, ...body }, null, 2)}\n`];
    }),
  );
}

if (import.meta.main) {
  const files = schemaFiles();
  mkdirSync(schemaFolder, { recursive: true });
  for (const name of readdirSync(schemaFolder)) {
    if (name.endsWith('.schema.json') && !files.has(name)) rmSync(join(schemaFolder, name));
  }
  for (const [name, text] of files) writeFileSync(join(schemaFolder, name), text);
  console.log(`${files.size} written to docs/schemas`);
}
