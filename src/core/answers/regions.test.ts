import { describe, expect, test } from 'vitest';
import { findObjects } from './regions.ts';

const objects = (text: string): string[] => findObjects(text).regions.map((region) => region.text);

describe('thoughts', () => {
  test.each([
    ['<think>{1}</think>{2}', ['{2}']],
    ['<think a="{0}">{1}</think>{2}', ['{2}']],
    ['< THINK >{1}</ Think >{2}', ['{2}']],
    ['{1}</think>{2}', ['{2}']],
    ['<x:thought>{1}</x:thought>{2}', ['{2}']],
    ['<think>{1}</thinking>{2}', ['{2}']],
    ['<think><reasoning>{1}</reasoning>{2}</think>{3}', ['{3}']],
    ['<|channel|>analysis<|message|>{1}<|channel|>final<|message|>{2}', ['{2}']],
    ['<|channel|>analysis<|message|>{1}<|end|><|start|>assistant<|channel|>commentary<|message|>{2}<|end|>{3}', ['{3}']],
    ['<thinkpad>{1}</thinkpad>', ['{1}']],
    ['a < b and think > c {1}', ['{1}']],
    ['{1}<|end|>', ['{1}']],
    ['The analysis: {1}', ['{1}']],
    ['Analysis\n{1}', ['{1}']],
  ])('%j', (text, found) => {
    expect(objects(text)).toEqual(found);
    expect(findObjects(text).thinking).toBe(false);
  });

  test.each([
    '<think>{1}',
    '<think x>{1}',
    '{1}<think>',
    '<think>{1}</reasoning>{2}',
    '<think>{1}<think>{2}</think>{3}',
    '[THINK]{1}',
    '<|channel|>analysis<|message|>{1}',
    'analysisThe user {1}',
  ])('%j has no end', (text) => {
    expect(findObjects(text).thinking).toBe(true);
  });
});

test('every object has its place in the prose', () => {
  const { prose, regions } = findObjects('a {"x":1} <think>{"y":2}</think>b {"z":3} c');
  expect(prose).toBe('a {} b {} c');
  expect(regions.map(({ place }) => prose.slice(place, place + 2))).toEqual(['{}', '{}']);
});
