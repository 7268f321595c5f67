import { describe, expect, it } from 'vitest';
import { type BeliefChange, beliefChanges } from '../../../core/figures/beliefChanges.ts';
import { letterOf, timelineOf } from './timelineOf.ts';

const step = (seq: number, role: string, belief: Record<string, number>, prediction: string[] | null = null): BeliefChange => {
  const [made] = beliefChanges(
    [
      {
        kind: 'belief',
        seq,
        key: `k${seq}`,
        role,
        moment: 'live',
        after: null,
        notes: null,
        prediction,
        confidence: null,
        source: 'verbal',
        inconsistent: false,
        belief,
      },
    ],
    'YES',
  );
  if (made === undefined) throw new Error('a belief with a distribution makes a move');
  return made;
};

describe('the belief timeline', () => {
  const first = step(1, 'judge', { NO: 0.8, YES: 0.2 });
  const other = step(2, 'juror', { NO: 0.1, YES: 0.9 });
  const last = step(3, 'judge', { NO: 0.4, YES: 0.6 });

  it('joins the beliefs of one role, through rows without one', () => {
    const timeline = timelineOf([[1], [], [2, 3]], [first, other, last], ['NO', 'YES']);
    expect(timeline).toMatchObject({ role: 'judge', ends: { left: 'NO', right: 'YES' } });
    expect(timeline.rows.map(({ step: drawn }) => drawn?.seq ?? null)).toEqual([1, null, 3]);
    expect(timeline.rows.map(({ piece }) => piece.dot)).toEqual([0.2, null, 0.6]);
    expect(timeline.rows[1]?.piece).toEqual({ top: 0.4, dot: null, bottom: 0.4 });
    expect(timeline.rows[2]?.others).toEqual([other]);
  });

  it('draws nothing of labels that can apply together, of which no one share tells', () => {
    const named = step(1, 'judge', { NO: 0.8, YES: 0.7 }, ['NO', 'YES']);
    const none = step(2, 'judge', { NO: 0.1, YES: 0.2 }, []);
    const timeline = timelineOf([[1], [2]], [named, none], ['NO', 'YES']);
    expect(timeline).toMatchObject({ role: 'judge', ends: null, ofSets: true });
    expect(timeline.rows.map(({ step: told, piece }) => [told?.set, piece.dot, piece.bottom])).toEqual([
      [['NO', 'YES'], null, null],
      [[], null, null],
    ]);
  });

  it('draws the share of the likeliest of more labels', () => {
    const many = step(1, 'judge', { a: 0.2, b: 0.5, c: 0.3 });
    const timeline = timelineOf([[1]], [many], ['a', 'b', 'c']);
    expect(timeline.ends).toBeNull();
    expect(timeline.rows[0]?.piece.dot).toBe(0.5);
  });

  it('is empty where nobody stated a belief', () => {
    const timeline = timelineOf([[], []], [], ['NO', 'YES']);
    expect(timeline).toMatchObject({ role: null, ends: null });
    expect(timeline.rows.map(({ piece }) => piece.dot)).toEqual([null, null]);
  });

  it('takes the role that spoke last where two stated equally many', () => {
    expect(timelineOf([[1], [2]], [first, other], ['NO', 'YES']).role).toBe('juror');
  });
});

it('letters labels by their place', () => {
  const labels = Array.from({ length: 30 }, (_, index) => `label ${index}`);
  expect(['label 0', 'label 25', 'label 26', 'label 29', 'none of them'].map((label) => letterOf(labels, label))).toEqual([
    'A',
    'Z',
    'AA',
    'AD',
    '?',
  ]);
});
