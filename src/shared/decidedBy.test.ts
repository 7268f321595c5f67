import { expect, test } from 'vitest';
import { labelLimit, labelNoun, retitled, rightness, rightnessText, rightnessTone } from './decidedBy.ts';

test('a label is the truth unless somebody decided it', () => {
  const [right, wrong] = [{ correct: true }, { correct: false }];
  expect([labelNoun({}), rightness(right), rightness(wrong)]).toEqual(['truth', 'correct', 'wrong']);
  expect(rightness({ correct: null })).toBe('');
  expect(rightnessText(wrong)).toBe('The verdict is wrong.');
  expect([rightnessTone(right), rightnessTone(wrong)]).toEqual(['good', 'bad']);
  expect(labelLimit({})).toBe('The truth is the label of the data set, with its errors.');
});

test('a verdict agrees with a decision or differs from it, and neither is good or bad', () => {
  const by = { decided_by: 'the bank' };
  expect(labelNoun(by)).toBe('decision of the bank');
  expect(rightnessText({ ...by, correct: true })).toBe('The verdict agrees with the bank.');
  expect(rightnessText({ ...by, correct: false })).toBe('The verdict differs from the bank.');
  expect(rightnessTone({ ...by, correct: false })).toBeNull();
  expect(labelLimit(by)).toContain('Whether that decision is right is not known.');
});

test('a heading says accuracy where labels are the truth, and agreement where somebody decided them', () => {
  const [title, inner] = ['Accuracy by model size', 'Differences in accuracy, pair by pair'];
  expect([retitled(title, {}), retitled(inner, {})]).toEqual([title, inner]);
  const by = { decided_by: 'the bank' };
  expect(retitled(title, by)).toBe('Agreement with the bank by model size');
  expect(retitled(title, { decided_by: 'the Truth Commission, right' })).toBe(
    'Agreement with the Truth Commission, right by model size',
  );
  expect(retitled(inner, by)).toBe('Differences in agreement with the bank, pair by pair');
  expect(retitled('True labels that are right, or wrong: the truth is not rightly known', by)).toBe(
    'Decided labels that agree with the bank, or differing: the decision is not rightly known',
  );
});
