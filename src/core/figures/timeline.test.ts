import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type BeliefChange, beliefChanges } from './beliefChanges.ts';
import { letterOf, timelineOf, timelinePieces } from './timeline.ts';

test('neighbours meet half way between their values', () => {
  expect(timelinePieces([0.4, 0.2, 0.6])).toEqual([
    { top: null, dot: 0.4, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: 0.2, bottom: 0.4 },
    { top: 0.4, dot: 0.6, bottom: null },
  ]);
});

test('the line passes rows without a value, and neither begins before the first nor ends after the last', () => {
  expect(timelinePieces([null, 0.2, null, 0.4, null])).toEqual([
    { top: null, dot: null, bottom: null },
    { top: null, dot: 0.2, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: null, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: 0.4, bottom: null },
    { top: null, dot: null, bottom: null },
  ]);
});

test('each row leaves where the next enters, within the values given', () => {
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 30 });
  fc.assert(
    fc.property(values, (given) => {
      const pieces = timelinePieces(given);
      expect(pieces.map(({ dot }) => dot)).toEqual(given);
      for (const [row, { bottom }] of pieces.slice(0, -1).entries()) expect(pieces[row + 1]?.top).toBe(bottom);
      for (const edge of pieces.flatMap(({ top, bottom }) => [top, bottom])) {
        if (edge !== null) expect(edge >= 0 && edge <= 1).toBe(true);
      }
    }),
  );
});

const step = (seq: number, role: string, belief: Record<string, number>, prediction: string[] | null = null): BeliefChange => {
  const place = { seq, key: `k${seq}`, role, moment: 'live', after: null, speech: null } as const;
  const [made] = beliefChanges([{ ...place, prediction, belief, stated: belief }], 'YES');
  if (made === undefined) throw new Error('a belief with a distribution makes a move');
  return made;
};

describe('the belief timeline', () => {
  const first = step(1, 'judge', { NO: 0.8, YES: 0.2 });
  const other = step(2, 'juror', { NO: 0.1, YES: 0.9 });
  const last = step(3, 'judge', { NO: 0.4, YES: 0.6 });

  it('joins the beliefs of one role, through rows without one', () => {
    const timeline = timelineOf([[1], [], [2, 3]], [first, other, last], ['NO', 'YES']);
    expect(timeline).toMatchObject({ role: 'judge', isOnce: false, ends: { left: 'NO', right: 'YES' } });
    expect(timeline.rows.map(({ step: drawn }) => drawn?.seq ?? null)).toEqual([1, null, 3]);
    expect(timeline.rows.map(({ piece }) => piece.dot)).toEqual([0.2, null, 0.6]);
    expect(timeline.rows[1]?.piece).toEqual({ top: 0.4, dot: null, bottom: 0.4 });
    expect(timeline.rows[2]?.others).toEqual([other]);
  });

  it('draws nothing of labels that can apply together, which no single share describes', () => {
    const named = step(1, 'judge', { NO: 0.8, YES: 0.7 }, ['NO', 'YES']);
    const none = step(2, 'judge', { NO: 0.1, YES: 0.2 }, []);
    const timeline = timelineOf([[1], [2]], [named, none], ['NO', 'YES']);
    expect(timeline).toMatchObject({ role: 'judge', ends: null, ofSets: true });
    expect(timeline.rows.map(({ step: shown, piece }) => [shown?.set, piece.dot, piece.bottom])).toEqual([
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

  it('is empty if no one stated a belief', () => {
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
