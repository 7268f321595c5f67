import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from './fields.ts';
import { measuresOtherwise, scaleKeyOf } from './scales.ts';

const percent = fieldsOf(z.object({ confidence: z.number().min(0).max(100) }));
const unit = fieldsOf(z.object({ confidence: z.number().min(0).max(1) }));

describe('words beside a percentage', () => {
  test.each([
    ['on a scale of 0 to 10', 8, true],
    ['on a scale of 0 to 10', 80, false],
    ['on a scale of 0 to 100', 8, false],
    ['on a scale from one to five', 4, true],
    ['a 7-point scale', 6, true],
    ['8/10', 8, true],
    ['8 / 10', 8, true],
    ['8/10', 80, false],
    ['8/10', 9, false],
    ['I am 8/10 confident', 9, true],
    ['80/100', 80, false],
    ['3 of 4 friends', 70, false],
    ['1/2/2003', 1, false],
    ['', 8, false],
  ])('%j beside %d: %s', (text, confidence, otherwise) => {
    expect(measuresOtherwise(text, percent, { confidence })).toBe(otherwise);
  });

  test('nothing is measured where no number was given', () => {
    expect(measuresOtherwise('on a scale of 0 to 10', percent, { confidence: null })).toBe(false);
  });
});

describe('words beside a part of one', () => {
  test.each([
    ['on a scale of 0 to 1', 0.7, false],
    ['on a scale of 0 to 100', 1, true],
    ['70 on a scale of 0 to 100', 0.7, false],
    ['7/10', 0.7, false],
    ['on a scale of 0 to 5', 1, true],
  ])('%j beside %d: %s', (text, confidence, otherwise) => {
    expect(measuresOtherwise(text, unit, { confidence })).toBe(otherwise);
  });
});

test('numbers in lists are measured too, the parts of a distribution are not', () => {
  const shape = {
    updates: z.array(z.object({ confidence: z.number().max(100) })),
    distribution: z.object({ NO: z.number().max(100) }),
  };
  const fields = fieldsOf(z.object(shape));
  expect(measuresOtherwise('scale of 0 to 10', fields, { updates: [{ confidence: 8 }], distribution: { NO: 90 } })).toBe(true);
  expect(measuresOtherwise('scale of 0 to 10', fields, { updates: [{ confidence: 80 }], distribution: { NO: 3 } })).toBe(false);
});

test('a scale that the schema asks for elsewhere is no other scale', () => {
  const fields = fieldsOf(z.object({ strength: z.number().min(1).max(5), confidence: z.number().max(100) }));
  expect(measuresOtherwise('scale of 1 to 5', fields, { strength: 4, confidence: 4 })).toBe(false);
  expect(measuresOtherwise('scale of 1 to 6', fields, { strength: 4, confidence: 4 })).toBe(true);
});

describe('keys beside a percentage', () => {
  test.each<[Record<string, unknown>, number, string | null]>([
    [{ scale: 10 }, 8, 'scale'],
    [{ confidenceScale: '1-5' }, 4, 'confidenceScale'],
    [{ max_confidence: 10 }, 8, 'max_confidence'],
    [{ 'out of': 'ten' }, 8, 'out of'],
    [{ scale: { from: 0, to: 10 } }, 8, 'scale'],
    [{ scale: 'Likert' }, 80, 'scale'],
    [{ scale: 10 }, 80, null],
    [{ scale: 100 }, 8, null],
    [{ scale: 'percent' }, 8, null],
    [{ range: [5, 10] }, 8, null],
    [{ maximum_sentence: 10 }, 8, null],
  ])('%j beside %d: %j', (object, confidence, key) => {
    expect(scaleKeyOf(object, percent, { confidence })).toBe(key);
  });
});
