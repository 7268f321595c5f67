import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resources } from '../service/testing/engineRoom.ts';
import { previewCases } from './caseReading.ts';
import { bundledSamples } from './entries.ts';
import { inspectFile } from './inspection.ts';

const samples = bundledSamples(resources);

test.each(samples)('$id: what its description says is what its file holds', async ({ path, definition, cases, format }) => {
  const found = await previewCases(path, definition);
  expect(found.cases).toBe(cases);
  expect(found.labels).toEqual(definition.labels ?? []);
  expect(found.positive).toBe(definition.positive ?? null);
  expect(found.byLabel.every((each) => (each.label === null) === (found.labels.length === 0) && each.cases > 0)).toBe(true);
  expect((await inspectFile(path)).format).toBe(format);
  expect(readFileSync(join(dirname(path), 'LICENSE'), 'utf8')).toContain('MIT License');
});

describe('the deposit disputes', () => {
  const sample = samples.find(({ id }) => id === 'deposits');
  if (sample === undefined) throw new Error('there is no such sample');
  const readme = readFileSync(join(dirname(sample.path), 'README.md'), 'utf8');
  const rules = [...readme.matchAll(/^> (.*)$/gm)].map(([, line]) => line ?? '');
  const reasons = new Map(
    [...readme.matchAll(/^\| (D\d\d) \| (\w+) \| (\d) \| (.+) \|$/gm)].map(([, id = '', decision, rule, reason]) => [
      id,
      { decision, rule, reason },
    ]),
  );
  const read = async () => {
    const { first } = await previewCases(sample.path, sample.definition);
    return first;
  };

  test('every case ends in the rules of the README, so that it can be decided from its text', async () => {
    expect(rules).toHaveLength(8);
    for (const { facts } of await read()) {
      expect(facts.map(({ name }) => name)).toEqual(['text']);
      const [story, shown] = facts[0]?.value.split('\n\n') ?? [];
      expect(shown?.split('\n')).toEqual(rules);
      expect(story?.split(' ').length).toBeGreaterThanOrEqual(120);
    }
  });

  test('the README gives rule and reason for every truth', async () => {
    for (const { id, truth, groups } of await read()) {
      expect(reasons.get(id)).toMatchObject({ decision: truth, rule: groups.rule });
    }
    const { byLabel } = await previewCases(sample.path, sample.definition);
    expect(byLabel).toEqual([
      { label: 'LANDLORD', cases: 12 },
      { label: 'TENANT', cases: 12 },
    ]);
    expect(reasons.size).toBe(24);
  });

  test('it is under the licence of the program', () => {
    const licence = (path: string) => readFileSync(path, 'utf8');
    expect(licence(join(dirname(sample.path), 'LICENSE'))).toBe(licence(join(resources, '../LICENSE')));
  });
});
