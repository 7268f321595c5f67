import { expect, test } from 'vitest';
import { predictionText } from '../../shared/predictionText.ts';
import { jsonSchemaOf } from '../answers/schema.ts';
import { labelSetIn, statedLabelSet } from './labelSetBelief.ts';
import { labelSetSpec } from './verdict.ts';

const labels = ['Noise', 'Damp', 'Broken heating'];
const spec = labelSetSpec('causes', labels);
const sure = { Noise: 5, Damp: 90, 'Broken heating': 60 };
const none = { Noise: 5, Damp: 9, 'Broken heating': 6 };
const zeros = { Noise: 0, Damp: 0, 'Broken heating': 0 };
const answer = (applies: readonly string[], likelihoods: Readonly<Record<string, number>>) =>
  spec.schema.parse({ reason: 'The wall is wet.', applies, likelihoods });

test('the schema asks for the reason, then the set, then a number for each label', () => {
  expect(jsonSchemaOf(spec)).toMatchObject({
    properties: {
      applies: { type: 'array', maxItems: 3, items: { type: 'string', enum: labels } },
      likelihoods: { type: 'object', required: labels, additionalProperties: false },
    },
    required: ['reason', 'applies', 'likelihoods'],
  });
});

test('a set is read in the order of the labels, each once, and a repeated one is flagged', () => {
  const value = answer(['Broken heating', 'Damp', 'Damp'], sure);
  expect(spec.flags?.(value)).toEqual(['repeated']);
  expect(labelSetIn(labels, value)).toEqual(['Damp', 'Broken heating']);
  expect(statedLabelSet(labels, value)).toEqual({
    prediction: ['Damp', 'Broken heating'],
    confidence: null,
    belief: { Noise: 0.05, Damp: 0.9, 'Broken heating': 0.6 },
    source: 'verbal',
    inconsistent: false,
  });
});

test('the empty set is an answer, and one that its numbers contradict is kept and marked inconsistent', () => {
  const read = (...given: Parameters<typeof answer>) => statedLabelSet(labels, answer(...given));
  expect(read([], none)).toMatchObject({ prediction: [], inconsistent: false });
  expect(read([], sure)).toMatchObject({ prediction: [], inconsistent: true });
  expect(read(['Noise'], none)).toMatchObject({ prediction: ['Noise'], inconsistent: true });
});

test('a set whose numbers are all 0 has no belief; the empty set may be stated so', () => {
  expect(spec.flags?.(answer(['Noise'], zeros))).toEqual(['no-mass']);
  expect(statedLabelSet(labels, answer(['Noise'], zeros))).toMatchObject({ prediction: ['Noise'], belief: null });
  expect(spec.flags?.(answer([], zeros))).toEqual([]);
  expect(statedLabelSet(labels, answer([], zeros)).belief).toEqual(zeros);
});

test('a set as people read it', () => {
  expect([['A', 'B'], ['A'], [], 'A', null].map(predictionText)).toEqual(['A + B', 'A', 'none of them', 'A', null]);
});
