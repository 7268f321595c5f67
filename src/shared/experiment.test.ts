import { expect, test } from 'vitest';
import { changeSchema } from './changes.ts';
import { backendSchema, datasetSchema } from './experiment.ts';

test.each([
  [['A', 'B', 'A'], /"A" is named twice; name each label once/],
  [['__proto__', 'B'], /"__proto__" cannot be a label/],
])('labels %j are refused by name', (labels, message) => {
  const parsed = datasetSchema.safeParse({ path: 'x.csv', labels });
  expect(parsed.error?.issues).toHaveLength(1);
  expect(parsed.error?.issues[0]).toMatchObject({ message: expect.stringMatching(message) });
  expect(parsed.error?.issues[0]?.path.slice(0, 1)).toEqual(['labels']);
});

test('names of inherited members can be labels', () => {
  expect(datasetSchema.parse({ path: 'x.csv', labels: ['constructor', 'toString'] }).labels).toHaveLength(2);
});

test('an unknown kind of server or change is named, with the kinds that there are', () => {
  const messageOf = (schema: typeof backendSchema | typeof changeSchema, given: unknown) =>
    schema.safeParse(given).error?.issues[0]?.message;
  expect(messageOf(backendSchema, { kind: 'vllm', url: 'http://127.0.0.1:8000' })).toBe(
    '"vllm" is unknown: expected one of "ollama", "openai"',
  );
  expect(messageOf(changeSchema, { of: 'court', kind: 'sed' })).toMatch(/^"sed" is unknown: expected one of "facts", .*"seed"/);
  expect(messageOf(changeSchema, { of: 'court' })).toMatch(/^expected one of "facts", /);
});
