import { expect, test } from 'vitest';
import { caseKey } from './caseKey.ts';

test('the first rule goes by the letter', () => {
  expect(caseKey(1, 'age is  23; share is 0.70')).toBe('age is  23; share is 0.70');
});

test.each([
  ['age is 23; share is 0.70', 'age is 23;  share is 0.7\n'],
  ['share is 0.30000000000000004', 'share is 0.3'],
  ['share is 7.0', 'share is 7'],
  ['share is 0.70.', 'share is 0.7.'],
  ['change is -0.50', 'change is -0.5'],
  ['I feel  fine', 'i feel fine'],
  ['a\u00a0room', 'a room'],
  ['caf\u00e9', 'cafe\u0301'],
])('%j and %j are one case', (one, other) => {
  expect(caseKey(2, one)).toBe(caseKey(2, other));
});

test.each([
  ['age is 23', 'age is 24'],
  ['share is 0.7', 'share is 0.71'],
  ['share is 0.7', 'share is -0.7'],
  ['on 1.10.2021', 'on 1.1.2021'],
  ['release v1.10', 'release v1.1'],
  ['id is 123456789', 'id is 123456788'],
  ['it costs 1,200.50', 'it costs 1,200.5'],
])('%j and %j are two', (one, other) => {
  expect(caseKey(2, one)).not.toBe(caseKey(2, other));
});
