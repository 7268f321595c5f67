import { describe, expect, it } from 'vitest';
import { type Move, movesOf } from '../../../core/figures/moves.ts';
import { letterOf, railOf } from './railOf.ts';

const move = (seq: number, role: string, belief: Record<string, number>, prediction: string[] | null = null): Move => {
  const place = { seq, key: `k${seq}`, role, moment: 'live', after: null, speech: null } as const;
  const [made] = movesOf([{ ...place, prediction, belief, stated: belief }], 'YES');
  if (made === undefined) throw new Error('a belief with a distribution makes a move');
  return made;
};

describe('the belief rail', () => {
  const first = move(1, 'judge', { NO: 0.8, YES: 0.2 });
  const other = move(2, 'juror', { NO: 0.1, YES: 0.9 });
  const last = move(3, 'judge', { NO: 0.4, YES: 0.6 });

  it('joins the beliefs of one role, through rows without one', () => {
    const rail = railOf([[1], [], [2, 3]], [first, other, last], ['NO', 'YES']);
    expect(rail).toMatchObject({ role: 'judge', ends: { left: 'NO', right: 'YES' } });
    expect(rail.rows.map(({ move: drawn }) => drawn?.seq ?? null)).toEqual([1, null, 3]);
    expect(rail.rows.map(({ piece }) => piece.dot)).toEqual([0.2, null, 0.6]);
    expect(rail.rows[1]?.piece).toEqual({ top: 0.4, dot: null, bottom: 0.4 });
    expect(rail.rows[2]?.others).toEqual([other]);
  });

  it('draws nothing of labels that can apply together, of which no one share tells', () => {
    const named = move(1, 'judge', { NO: 0.8, YES: 0.7 }, ['NO', 'YES']);
    const none = move(2, 'judge', { NO: 0.1, YES: 0.2 }, []);
    const rail = railOf([[1], [2]], [named, none], ['NO', 'YES']);
    expect(rail).toMatchObject({ role: 'judge', ends: null, ofSets: true });
    expect(rail.rows.map(({ move: told, piece }) => [told?.set, piece.dot, piece.bottom])).toEqual([
      [['NO', 'YES'], null, null],
      [[], null, null],
    ]);
  });

  it('draws the share of the likeliest of more labels', () => {
    const many = move(1, 'judge', { a: 0.2, b: 0.5, c: 0.3 });
    const rail = railOf([[1]], [many], ['a', 'b', 'c']);
    expect(rail.ends).toBeNull();
    expect(rail.rows[0]?.piece.dot).toBe(0.5);
  });

  it('is empty where nobody stated a belief', () => {
    const rail = railOf([[], []], [], ['NO', 'YES']);
    expect(rail).toMatchObject({ role: null, ends: null });
    expect(rail.rows.map(({ piece }) => piece.dot)).toEqual([null, null]);
  });

  it('takes the role that spoke last where two stated equally many', () => {
    expect(railOf([[1], [2]], [first, other], ['NO', 'YES']).role).toBe('juror');
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
