import { describe, expect, it } from 'vitest';
import { type AnswerChange, answerChanges } from './answerChanges.ts';
import { corrections } from './corrections.ts';
import { degradations } from './degradations.ts';

const of = (truth: AnswerChange['truth'], initial: AnswerChange['initial'], verdict: AnswerChange['verdict']) => ({
  truth,
  initial,
  verdict,
});

describe('corrections and degradations', () => {
  // Ten trials of truth YES. NO then YES: corrected (1). NO then NO: stayed wrong (3). YES then NO: degraded (2). YES then YES: 4.
  const trials = [
    of('YES', 'NO', 'YES'),
    ...Array.from({ length: 3 }, () => of('YES', 'NO', 'NO')),
    ...Array.from({ length: 2 }, () => of('YES', 'YES', 'NO')),
    ...Array.from({ length: 4 }, () => of('YES', 'YES', 'YES')),
  ];
  const counts = answerChanges(trials);

  it('counts the four kinds', () => {
    expect(counts).toEqual({ n: 10, corrected: 1, degraded: 2, stayedRight: 4, stayedWrong: 3 });
  });

  it('divides by all trials and by those that could change so', () => {
    expect(corrections(counts)).toEqual({ ofAll: 1 / 10, ofWrong: 1 / 4 });
    expect(degradations(counts)).toEqual({ ofAll: 2 / 10, ofRight: 2 / 6 });
  });

  it('has no rate without a denominator', () => {
    const none = answerChanges([]);
    expect(corrections(none)).toEqual({ ofAll: null, ofWrong: null });
    expect(degradations(none)).toEqual({ ofAll: null, ofRight: null });
    const allRight = answerChanges([of('A', 'A', 'A')]);
    expect(corrections(allRight)).toEqual({ ofAll: 0, ofWrong: null });
    expect(degradations(allRight)).toEqual({ ofAll: 0, ofRight: 0 });
  });

  it('takes several labels as a whole, in any order, and a change from wrong to wrong as no correction', () => {
    expect(answerChanges([of(['a', 'b'], ['a'], ['b', 'a'])]).corrected).toBe(1);
    expect(answerChanges([of('A', 'B', 'C')]).stayedWrong).toBe(1);
  });
});
