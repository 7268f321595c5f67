import { expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief } from '../../shared/domain.ts';
import { stepsOf } from '../trajectory/trajectory.ts';
import { beliefChanges as changesIn, isDirected, isPair, leadingLabel, shownShares } from './beliefChanges.ts';

const beliefChanges = (entries: readonly TranscriptEntry[], positive: string | null) => changesIn(stepsOf(entries), positive);

let seq = 0;
const stated = { confidence: null, source: 'verbal', inconsistent: false } as const;

function belief(
  distribution: Belief | null,
  change: Partial<Extract<TranscriptEntry, { kind: 'belief' }>> = {},
): TranscriptEntry {
  seq += 1;
  const place = { seq, key: `belief-${seq}`, role: 'judge', moment: 'live', after: `speech-${seq}`, notes: null } as const;
  return { kind: 'belief', ...place, ...stated, prediction: null, belief: distribution, ...change };
}

const ruling = (distribution: Belief): TranscriptEntry => {
  seq += 1;
  return { kind: 'ruling', seq, key: 'ruling', role: 'judge', ...stated, prediction: null, belief: distribution, opinion: null };
};

const pair = (yes: number): Belief => ({ NO: 1 - yes, YES: yes });
const changes = (entries: readonly TranscriptEntry[], positive: string | null = 'YES') =>
  beliefChanges(entries, positive).map(({ change }) => change && Number(change.toFixed(10)));

test('of two labels the positive one is followed, from one belief of the role to the next', () => {
  const beliefs = beliefChanges([belief(pair(0.4)), belief(pair(0.35)), belief(pair(0.52)), ruling(pair(0.6))], 'YES');
  expect(beliefs.map(({ label, before, now }) => [label, before, now])).toEqual([
    ['YES', null, 0.4],
    ['YES', 0.4, 0.35],
    ['YES', 0.35, 0.52],
    ['YES', 0.52, 0.6],
  ]);
  expect(beliefs.map(({ largest }) => largest)).toEqual([false, false, true, false]);
  expect(beliefs.map(({ moment }) => moment)).toEqual(['live', 'live', 'live', 'ruling']);
  expect(changes([belief(pair(0.4)), belief(pair(0.35)), belief(pair(0.52))])).toEqual([null, -0.05, 0.17]);
});

test('without a positive label the second of two is followed', () => {
  expect(beliefChanges([belief(pair(0.3))], null)[0]).toMatchObject({ label: 'YES', now: 0.3, before: null, change: null });
});

test('of several labels: the total variation distance, and the label that gained most', () => {
  // Half of |0.5-0.2| + |0.3-0.3| + |0.2-0.5| = 0.3.
  const [first, second] = beliefChanges([belief({ a: 0.5, b: 0.3, c: 0.2 }), belief({ a: 0.2, b: 0.3, c: 0.5 })], null);
  expect(first).toMatchObject({ label: 'a', now: 0.5, change: null });
  expect(second).toMatchObject({ label: 'c', before: 0.2, now: 0.5, largest: true });
  expect(second?.change).toBeCloseTo(0.3, 12);
});

test('a label that only one of two beliefs has counts as 0 in the other', () => {
  expect(changes([belief({ a: 0.5, b: 0.5 }), belief({ a: 0.5, c: 0.5 })], null)).toEqual([null, 0.5]);
});

test('roles are compared with themselves', () => {
  const entries = [
    belief(pair(0.2), { role: 'judge1' }),
    belief(pair(0.9), { role: 'judge2' }),
    belief(pair(0.3), { role: 'judge1' }),
  ];
  expect(changes(entries)).toEqual([null, null, 0.1]);
});

test('a belief without a distribution is left out and nothing is put in its place', () => {
  expect(changes([belief(pair(0.2)), belief(null), belief(pair(0.5))])).toEqual([null, 0.3]);
});

test('where nothing moved, nothing is marked; of equal changes the first is', () => {
  expect(beliefChanges([belief(pair(0.2)), belief(pair(0.2))], 'YES').some(({ largest }) => largest)).toBe(false);
  const marks = beliefChanges([belief(pair(0.25)), belief(pair(0.5)), belief(pair(0.25))], 'YES').map(({ largest }) => largest);
  expect(marks).toEqual([false, true, false]);
});

test('the likeliest label', () => {
  expect([leadingLabel({ a: 0.2, b: 0.5, c: 0.3 }), leadingLabel({ a: 0.5, b: 0.5 }), leadingLabel({})]).toEqual([
    'b',
    'a',
    null,
  ]);
});

test('of labels that can apply together the one that changed most is followed, up or down, and nothing is ranked', () => {
  const [first, second, third] = beliefChanges(
    [
      belief({ a: 0.9, b: 0.8, c: 0.1 }, { prediction: ['a', 'b'] }),
      belief({ a: 0.8, b: 0.2, c: 0.1 }, { prediction: ['a'] }),
      belief({ a: 0.1, b: 0.2, c: 0.3 }, { prediction: [] }),
    ],
    null,
  );
  expect(first).toMatchObject({ set: ['a', 'b'], change: null });
  expect([second?.label, second?.before, second?.now]).toEqual(['b', 0.8, 0.2]);
  expect(second?.change).toBeCloseTo(-0.6, 12);
  expect([third?.label, third?.largest]).toEqual(['a', true]);
  expect(third?.change).toBeCloseTo(-0.7, 12);
  expect([first, second, third].map((step) => step && shownShares(step))).toEqual([
    [
      { label: 'a', share: 0.9 },
      { label: 'b', share: 0.8 },
    ],
    [{ label: 'a', share: 0.8 }],
    [],
  ]);
});

test('two labels that can apply together are no pair, though their changes have a direction', () => {
  const [ofSet] = beliefChanges([belief(pair(0.4), { prediction: ['NO'] })], 'YES');
  const [ofPair] = beliefChanges([belief(pair(0.4), { prediction: 'NO' })], 'YES');
  const [ofMany] = beliefChanges([belief({ a: 0.2, b: 0.3, c: 0.5 })], null);
  const found = [ofSet, ofPair, ofMany].map((step) => step && [isPair(step), isDirected(step), shownShares(step)]);
  expect(found).toEqual([
    [false, true, [{ label: 'NO', share: 0.6 }]],
    [true, true, [{ label: 'YES', share: 0.4 }]],
    [false, false, [{ label: 'c', share: 0.5 }]],
  ]);
});
