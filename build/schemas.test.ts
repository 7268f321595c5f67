import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fieldsFile, fieldsText, schemaFiles, schemaFolder } from './schemas.ts';

const advice = 'docs/schemas is not what the zod schemas say: run "npm run schemas" and commit the result';

it('writes at least the schema of the experiment file', () => {
  expect([...schemaFiles().keys()]).toContain('experiment.schema.json');
});

it.each([...schemaFiles()])('docs/schemas/%s is current', (name, text) => {
  expect(readFileSync(join(schemaFolder, name), 'utf8'), advice).toBe(text);
});

it('docs/schemas holds no schema of something that is gone', () => {
  expect(
    readdirSync(schemaFolder)
      .filter((name) => name.endsWith('.json'))
      .sort(),
    advice,
  ).toEqual([...schemaFiles().keys()].sort());
});

it('the verifiers in a bundle and in Python know the fields of every kind of event', () => {
  expect(readFileSync(fieldsFile, 'utf8'), advice).toBe(fieldsText());
  const python = readFileSync(join(schemaFolder, '../record-format/verify.py'), 'utf8').split('FIELDS = {')[1] ?? '';
  const entries = (text: string, quote: string) =>
    [...text.matchAll(new RegExp(`^ +${quote}([a-z-]+)${quote}:\\s+${quote}(.*?)${quote}[,}]`, 'gm'))].map(([, kind, fields]) => [
      kind,
      fields,
    ]);
  expect(entries(python.replaceAll('*', ''), '"')).toEqual(entries(fieldsText(), "'"));
});

it('shows editors what a writer may leave out', () => {
  const schema = JSON.parse(schemaFiles().get('experiment.schema.json') ?? '{}');
  expect(schema.required).toEqual(['version', 'name', 'dataset']);
  expect(schema.additionalProperties).toBe(false);
});
