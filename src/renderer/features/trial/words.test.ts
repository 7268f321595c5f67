import { describe, expect, it } from 'vitest';
import { line } from './testing/entries.ts';
import { elapsed, verdictOf } from './words.ts';

const words = (rest: Parameters<typeof line>[0]) => {
  const { before, label, after, tone } = verdictOf(line(rest));
  return [`${before}${label === null ? '' : ` ${label}`}${after}`, tone];
};

describe('the verdict in words', () => {
  it('says of a decided trial what is known, and no more', () => {
    const decided = { status: 'done', outcome: 'decided', prediction: 'YES', confidence: 0.7 } as const;
    expect(words({ ...decided, truth: 'NO', correct: false })).toEqual(['Verdict YES 70% · wrong', 'bad']);
    expect(words({ ...decided, truth: 'YES', correct: true })).toEqual(['Verdict YES 70% · correct', 'good']);
    expect(words(decided)).toEqual(['Verdict YES 70% · truth unknown', 'plain']);
    expect(words({ ...decided, belief_source: 'votes' })).toEqual(['Verdict YES 70% of the votes · truth unknown', 'plain']);
    expect(words({ ...decided, confidence: null })).toEqual(['Verdict YES · truth unknown', 'plain']);
  });

  it('names a failure as itself', () => {
    expect(words({ status: 'done', outcome: 'backend_error', truth: 'NO' })).toEqual(['no verdict: server error', 'warn']);
  });

  it('claims nothing before the end', () => {
    expect(words({ status: 'queued' })).toEqual(['not begun', 'plain']);
    expect(words({ status: 'running', prediction: null })).toEqual(['under way', 'plain']);
  });
});

it('shows times in the unit that fits', () => {
  expect([0, 839.6, 4_120, 12_400, 59_700, 185_000].map(elapsed)).toEqual([
    '0 ms',
    '840 ms',
    '4.1 s',
    '12 s',
    '60 s',
    '3 min 5 s',
  ]);
});
