import { describe, expect, test } from 'vitest';
import { predictionText } from '../../shared/predictionText.ts';
import { readAnswer } from '../answers/read.ts';
import { jsonSchemaOf, retryMessage, unboundedPaths } from '../answers/schema.ts';
import { labelSetIn, labelSetSpec, statedLabelSet } from './labelSetBelief.ts';

const labels = ['Noise', 'Damp', 'Broken heating'];
const spec = labelSetSpec('causes', labels);
const answer = (applies: unknown, likelihoods: Readonly<Record<string, unknown>>, extra: object = {}) =>
  JSON.stringify({ reason: 'The wall is wet.', applies, likelihoods, ...extra });
const sure = { Noise: 5, Damp: 90, 'Broken heating': 60 };
const none = { Noise: 5, Damp: 9, 'Broken heating': 6 };

test('the schema asks for the reason, then the set, then a number for each label, and has bounds', () => {
  const schema = jsonSchemaOf(spec);
  expect(schema).toMatchObject({
    properties: {
      applies: { type: 'array', maxItems: 3, items: { type: 'string', enum: labels } },
      likelihoods: { type: 'object', required: labels, additionalProperties: false },
    },
    required: ['reason', 'applies', 'likelihoods'],
  });
  expect(unboundedPaths(schema)).toEqual([]);
});

test('labels in any case and order, duplicates folded', () => {
  const reading = readAnswer(spec, answer(['broken_heating', 'damp', 'Damp'], sure));
  expect(reading).toMatchObject({ ok: true, method: 'json' });
  const value = reading.ok ? reading.value : null;
  expect(labelSetIn(labels, value)).toEqual(['Damp', 'Broken heating']);
  expect(statedLabelSet(labels, value)).toEqual({
    prediction: ['Damp', 'Broken heating'],
    confidence: null,
    belief: { Noise: 0.05, Damp: 0.9, 'Broken heating': 0.6 },
    source: 'verbal',
    inconsistent: false,
  });
});

test('the empty set is an answer, and one that its numbers contradict stands and is flagged', () => {
  const read = (applies: readonly string[], likelihoods: Readonly<Record<string, number>>) => {
    const reading = readAnswer(spec, answer(applies, likelihoods));
    return reading.ok ? statedLabelSet(labels, reading.value) : reading;
  };
  expect(read([], none)).toMatchObject({ prediction: [], inconsistent: false });
  expect(read([], sure)).toMatchObject({ prediction: [], inconsistent: true });
  expect(read(['Noise'], none)).toMatchObject({ prediction: ['Noise'], inconsistent: true });
});

describe('refused', () => {
  test.each([
    ['an unknown label', answer(['Damp', 'Mould'], sure), 'invalid_label'],
    ['a word for none of them', answer(['none'], none), 'invalid_label'],
    ['a set that is no list', answer('Damp', sure), 'malformed'],
    ['labels in one text', answer('Damp, Noise', sure), 'invalid_label'],
    ['an open refusal', answer(['cannot decide'], sure), 'undecided'],
    ['a label without a number', answer(['Damp'], { Noise: 5, Damp: 90 }), 'malformed'],
    ['parts of one', answer(['Damp'], { Noise: 0.1, Damp: 0.9, 'Broken heating': 0.2 }), 'malformed'],
    ['nothing but 0 and 1', answer(['Damp'], { Noise: 0, Damp: 1, 'Broken heating': 0 }), 'malformed'],
    ['another label under another key', answer(['Damp'], sure, { verdict: 'Noise' }), 'malformed'],
    ['a label beside the empty set', answer([], none, { verdict: 'Noise' }), 'malformed'],
    ['a text that names another label', `${answer(['Damp'], sure)}\nThe answer is Noise.`, 'malformed'],
    ['a text that names a label beside the empty set', `${answer([], none)}\nThe answer is Noise.`, 'malformed'],
    ['a text that leaves no label', `${answer(['Damp'], sure)}\nNone of these labels applies.`, 'malformed'],
    ['a text that leaves one of two', `${answer(['Damp', 'Noise'], sure)}\nOnly Damp applies.`, 'malformed'],
    ['two sets that differ', `${answer(['Damp'], sure)}\n${answer(['Noise'], sure)}`, 'malformed'],
  ])('%s', (_name, text, kind) => {
    expect(readAnswer(spec, text, true)).toMatchObject({ ok: false, kind });
  });
});

test('a text that says the same, or that a label does not apply, contradicts nothing', () => {
  expect(readAnswer(spec, `${answer(['Damp'], sure)}\nThe answer is Damp, not Noise.`, true)).toMatchObject({ ok: true });
  expect(readAnswer(spec, `${answer(['Damp', 'Noise'], sure)}\nNot only Damp but Noise as well.`, true)).toMatchObject({
    ok: true,
  });
  expect(readAnswer(spec, `${answer([], none)}\nNo label fits this case.`, true)).toMatchObject({ ok: true });
});

test('a retry asks for a list of labels, not for one of them', () => {
  const reading = readAnswer(spec, answer(['Mould'], sure));
  expect(reading.ok ? '' : retryMessage(reading, spec)).toMatch(
    /each item of applies must be exactly one of "Noise", "Damp", "Broken heating"\.$/,
  );
});

test('a set as people read it', () => {
  expect([['A', 'B'], ['A'], [], 'A', null].map(predictionText)).toEqual(['A + B', 'A', 'none of them', 'A', null]);
});
