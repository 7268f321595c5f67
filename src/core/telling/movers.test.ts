import { expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { beliefChanges } from '../figures/beliefChanges.ts';
import { stepsOf } from '../trajectory/trajectory.ts';
import { plainAsText } from './blocks.ts';
import { changeOfLabel, changesText, greatestChanges, moversOf } from './movers.ts';
import { toldRows } from './rows.ts';

const speech = (seq: number, role: string): TranscriptEntry => ({
  ...{ seq, key: `turn-${seq}/${role}`, role, kind: 'utterance', turn: 'opening', text: 'So.', planned: false, plan: null },
});
const belief = (seq: number, share: number, after: string | null): TranscriptEntry => ({
  ...{ seq, key: `belief-${seq}`, role: 'judge', kind: 'belief', after, notes: null, moment: after === null ? 'prior' : 'live' },
  ...{ prediction: 'YES', confidence: share, belief: { NO: 1 - share, YES: share }, source: 'verbal', inconsistent: false },
});
const debate = [
  speech(1, 'prosecutor'),
  belief(2, 0.6, 'turn-1/prosecutor'),
  speech(3, 'defense'),
  belief(4, 0.54, 'turn-3/defense'),
];

function linesIn(entries: readonly TranscriptEntry[], protocol: string): string[] {
  const beliefs = beliefChanges(stepsOf(entries), 'YES');
  const moved = moversOf(beliefs, toldRows(entries), { role: 'judge', most: 6, protocol });
  return (moved?.blocks ?? []).map((block) => JSON.stringify(block.kind === 'words' ? plainAsText(block.words) : block));
}

test('the list of changes says at its top what it counts, and that the first speech is not in it', () => {
  const [top, changes, note] = linesIn(debate, 'agentic-sim');
  expect(top).toContain('Change of P(YES) from one stated belief to the next, in percentage points, the only change.');
  expect(changes).toContain('6 percentage points down');
  expect(note).toContain('The first speech cannot be measured: the judge states no belief before it; “Ask the judge before');
  expect(linesIn(debate, 'courtroom')[2]).toContain('no belief before it. That');
  expect(linesIn([belief(0, 0.5, null), ...debate], 'agentic-sim')[2]).not.toContain('first speech');
});

test('a change with the ruling is no change after a speech', () => {
  const ruling: TranscriptEntry = {
    ...{ seq: 5, key: 'ruling', role: 'judge', kind: 'ruling', opinion: '', prediction: 'NO', confidence: 0.5 },
    ...{ belief: { NO: 0.5, YES: 0.5 }, source: 'verbal', inconsistent: false },
  };
  const [, changes] = linesIn([...debate, ruling], 'agentic-sim');
  expect(changes).toContain('"words":"From the last belief to the ruling"');
  expect(changes).toContain('4 percentage points down');
});

test('a change names the followed label, and from what to what its probability went', () => {
  const towards = (entries: readonly TranscriptEntry[]) =>
    greatestChanges(beliefChanges(stepsOf(entries), 'YES'), 'judge').map(changeOfLabel);
  expect(towards(debate)).toEqual([{ label: 'YES', words: 'from 60% to 54%' }]);
  expect(towards([belief(2, 0.5, null), belief(4, 0.77, 'turn-3/defense')])).toEqual([
    { label: 'YES', words: 'from 50% to 77%' },
  ]);
});

test('where the answer changed for good is said next to the largest change, or that it stayed the same', () => {
  const said = (entries: readonly TranscriptEntry[]) =>
    changesText(beliefChanges(stepsOf(entries), 'YES'), toldRows(entries), 'judge');
  const turned = { ...belief(6, 0.49, 'turn-5/prosecutor'), prediction: 'NO' } as TranscriptEntry;
  const after = [speech(5, 'prosecutor'), turned];
  expect(said(debate)).toBe(
    'Belief of the judge: largest change at “Defense, opening” (YES from 60% to 54%); the answer stayed the same.',
  );
  expect(said([...debate, ...after])).toBe(
    'Belief of the judge: largest change at “Defense, opening” (YES from 60% to 54%); the answer became NO for good at “Prosecution, opening 2” (YES from 54% to 49%).',
  );
  expect(said(after)).toBeNull();
  expect(said([...debate.slice(0, 2), ...after])).toContain('(YES from 60% to 49%); there the answer became NO for good.');
});
