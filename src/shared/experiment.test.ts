import { expect, test } from 'vitest';
import { datasetSchema } from './experiment.ts';

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
