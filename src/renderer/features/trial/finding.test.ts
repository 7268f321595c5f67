import { describe, expect, it, test } from 'vitest';
import { turnsOf } from './courtItems.ts';
import { find, findOfEvent, mostFound, rowTelling, shownFor } from './finding.ts';
import { belief, ruling, utterance } from './testing/entries.ts';

const said = 'Two arrests (2) and\nno work.';
const items = turnsOf({
  isCounterbalanced: false,
  entries: [
    utterance(1, 'turn-1/defense/utterance', 'defense', { text: said, plan: 'Concede the ARRESTS.' }),
    belief(2, 'turn-1/after-defense/belief', { notes: 'arrests weigh' }),
    utterance(3, 'turn-2/defense/utterance', 'defense', { text: null, plan: null }),
    ruling(4),
    { kind: 'stop', seq: 5, key: 'stop', role: '', rounds: 1, contentiousness: 0.5, reason: 'rounds' },
    utterance(6, 'closing', 'defense', { text: 'No more.', plan: null, planned: false }),
  ],
});
const places = (sought: string) =>
  find(items, sought).map(({ item, part, start, end }) => [item, 'text' in part ? part.text : part.title, start, end]);

test.each([
  ['a speech', 3, 1],
  ['notes behind a belief', 2, 0],
  ['what was settled before a speech', 5, 3],
  ['an event that no row shows', 7, 3],
  ['an event before all rows', 0, 0],
])('the row that shows %s is the one that has its event', (_what, seq, row) => {
  expect(rowTelling(items, seq)).toBe(row);
});

test.each([
  ['a speech', 1, said],
  ['notes behind a belief', 2, 'arrests weigh'],
])('the find that %s leads to is its own, not the first of its row', (_what, seq, text) => {
  const found = find(items, 'arrests');
  expect(found[findOfEvent(found, items, seq)]?.part).toMatchObject({ text });
});

test('a draft that was revised leads to the joint proposal, which has its words', () => {
  const proposal = { proposal: 'Sweep the hallway.', open_questions: [], next_steps: [] };
  const made = (seq: number, stage: 'draft' | 'joint') =>
    ({ kind: 'proposal', seq, key: `proposal/${stage}`, role: 'agentA', stage, proposal }) as const;
  const both = [utterance(1, 'a', 'agentA'), made(2, 'draft'), made(3, 'joint'), ruling(4)];
  const shown = turnsOf({ entries: both, isCounterbalanced: false });
  const found = find(shown, 'hallway');
  expect(found[findOfEvent(found, shown, shownFor(both, 2))]?.part).toMatchObject({ title: 'Joint proposal' });
  expect([shownFor([made(2, 'draft')], 2), shownFor(both, 3), shownFor(both, 1)]).toEqual([2, 3, 1]);
});

describe('the search in a transcript', () => {
  it('finds speeches, plans and notes in order, with any capitals', () => {
    expect(places('Arrests')).toEqual([
      [0, said, 4, 11],
      [0, 'Concede the ARRESTS.', 12, 19],
      [0, 'arrests weigh', 0, 7],
    ]);
    expect(places('the court finds')).toEqual([[1 + 1, 'The court finds so.', 0, 15]]);
  });

  it('takes what is typed as it is, and any space for a space', () => {
    expect(places('(2) and no')).toEqual([[0, said, 12, 22]]);
    expect(places('a.r')).toEqual([]);
    expect(places('[')).toEqual([]);
  });

  it('finds what was settled between the speeches', () => {
    expect(places('all rounds')).toEqual([[3, 'End of the rounds', 18, 28]]);
  });

  it('finds nothing for nothing', () => {
    expect(places('  ')).toEqual([]);
  });

  it('stops at a bound', () => {
    const entries = [utterance(1, 'a', 'defense', { text: 'x'.repeat(mostFound * 2) })];
    const long = turnsOf({ entries, isCounterbalanced: false });
    expect(find(long, 'x')).toHaveLength(mostFound);
  });
});
