// Writes the JSON Schemas of the contract to docs/schemas.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { contractSchemas } from '../src/shared/contract.ts';
import { eventSchemas } from '../src/shared/events.ts';
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

export const fieldsFile = join(root, 'resources/bundle/fields.mjs');

/** Of the formatter, which this file passes too. */
const lineWidth = 130;

/** The fields of every kind of event, for the verifier in a bundle, which knows no zod. */
export function fieldsText(): string {
  const lines = Object.entries(eventSchemas).map(([kind, { shape }]) => {
    const names = Object.entries(shape).map(([name, field]) => (field.isOptional() ? `${name}?` : name));
    const value = `'${names.join(' ')}',\n`;
    return kind.length + value.length > lineWidth - 5 ? `  '${kind}':\n    ${value}` : `  '${kind}': ${value}`;
  });
  return `// Fields of each kind of event; ? may be absent. Made by build/schemas.ts from src/shared/events.ts.\nexport const fields = {\n${lines.join('')}};\n`;
}

if (import.meta.main) {
  const files = schemaFiles();
  mkdirSync(schemaFolder, { recursive: true });
  for (const name of readdirSync(schemaFolder)) {
    if (name.endsWith('.schema.json') && !files.has(name)) rmSync(join(schemaFolder, name));
  }
  for (const [name, text] of files) writeFileSync(join(schemaFolder, name), text);
  writeFileSync(fieldsFile, fieldsText());
  console.log(`${files.size} written to docs/schemas`);
}
