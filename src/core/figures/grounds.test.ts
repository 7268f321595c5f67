import { describe, expect, test } from 'vitest';
import { groundsText } from './grounds.ts';

describe('what a belief rests on, in words', () => {
  test('a stated one needs none', () => {
    expect(groundsText(undefined)).toBeNull();
    expect(groundsText({ verbal: { YES: 0.7, NO: 0.3 } })).toBeNull();
  });

  test('token probabilities show how much was seen and how far a share can be off', () => {
    const logprobs = { status: 'used' as const, coverage: 0.97, doubt: 0.02, missing: [] };
    expect(groundsText({ verbal: null, logprobs })).toBe(
      'From token probabilities: 97% of the probability at the label was reported; a share can be off by up to 2 points.',
    );
    expect(groundsText({ verbal: null, logprobs: { ...logprobs, missing: ['NO'] } })).toContain('No reported token fits NO');
  });

  test.each([
    ['not-reported', 'gave no token probabilities'],
    ['not-located', 'was not found'],
    ['too-little', 'only 40% of the probability'],
  ] as const)('%s says why there is no belief', (status, part) => {
    const words = groundsText({ verbal: null, logprobs: { status, coverage: 0.4, doubt: 0.6, missing: [] } });
    expect(words).toMatch(/^No belief: /);
    expect(words).toContain(part);
  });

  test('further answers are counted, failed ones apart', () => {
    const sampled = { asked: 7, counts: { YES: 4, NO: 2 }, failures: { malformed: 1 } };
    expect(groundsText({ verbal: null, sampled })).toBe('From further answers: YES 4, NO 2 among 7; 1 failed.');
    expect(groundsText({ verbal: null, sampled: { asked: 2, counts: { YES: 0, NO: 0 }, failures: { timeout: 2 } } })).toBe(
      'No belief: no valid one among 2; 2 failed.',
    );
  });
});
