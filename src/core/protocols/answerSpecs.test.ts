import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../shared/model.ts';
import { readAnswer } from '../answers/read.ts';
import { sampleAnswer } from '../answers/sample.ts';
import { jsonSchemaOf } from '../answers/schema.ts';
import { randomSource } from '../cases/shuffle.ts';
import { loopWatch } from '../text/loops.ts';
import { settingsOfSpecs, specsOf } from './testing/answerSpecs.ts';

const samples = 200;

/** With every list full of what was first in it, as a steady judge answers. */
const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) => (Array.isArray(part) ? part.fill(part[0]) : part));

/** As models write JSON: tight, with blanks, over lines. */
const written = (value: unknown): string[] => [
  JSON.stringify(value),
  JSON.stringify(value, null, 1).replaceAll(/\n */g, ' '),
  JSON.stringify(value, null, 2),
];

/** The schema with room for one more character in each text. */
const loosened = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => (key === 'maxLength' ? Number(value) + 1 : value));

describe.each([...settingsOfSpecs])('%s', (_protocol, settings) => {
  const asked = specsOf(settings);

  test('what a schema admits, the reader accepts', async () => {
    const specs = await asked;
    expect(specs.length).toBeGreaterThan(0);
    for (const spec of specs) {
      const schema = jsonSchemaOf(spec);
      const random = randomSource(9, spec.name);
      for (let index = 0; index < samples; index += 1) {
        const value = sampleAnswer(schema, random);
        expect(readAnswer(spec, JSON.stringify(value)), spec.name).toMatchObject({ ok: true, method: 'json', value });
      }
    }
  });

  test('no answer of a schema is cut as a loop, nor is one with equal items in each list', async () => {
    for (const spec of await asked) {
      const schema = jsonSchemaOf(spec);
      const random = randomSource(10, spec.name);
      for (const lengths of ['random', 'random', 'shortest', 'longest'] as const) {
        const value = sampleAnswer(schema, random, lengths);
        for (const text of [value, steady(value)].flatMap(written)) expect(loopWatch(schema)(text), text).toBe(false);
      }
    }
  });

  test('a further trial asks by the schemas of the one before', async () => {
    const [setting] = settings;
    if (setting === undefined) throw new Error('there is no setting');
    const [first, second] = [await specsOf([setting]), await specsOf([setting])];
    const again = second.filter(({ schema }, index) => schema === first[index]?.schema);
    expect(again.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
  });

  test('a text that is a character longer than the schema says is refused', async () => {
    for (const spec of await asked) {
      const schema = jsonSchemaOf(spec);
      if (!JSON.stringify(schema).includes('maxLength')) continue;
      const value = sampleAnswer(loosened(schema), randomSource(9, spec.name), 'longest');
      expect(readAnswer(spec, JSON.stringify(value)), spec.name).toMatchObject({
        ok: false,
        kind: 'malformed',
        message: expect.stringMatching(/ must be at most \d+ characters$/),
      });
    }
  });
});
