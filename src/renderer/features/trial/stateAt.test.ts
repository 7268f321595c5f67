import { expect, it } from 'vitest';
import { skimmingMs, stateAt, turnsIn } from './stateAt.ts';
import { belief, call, close, line, ruling, utterance } from './testing/entries.ts';

const entries = [
  belief(1, 'first/judge/belief'),
  call(2, 'opening/prosecution/attempt-1', 'prosecution'),
  utterance(3, 'opening/prosecution/utterance', 'prosecution'),
  belief(4, 'opening/judge/belief', { after: 'opening/prosecution/utterance' }),
  call(5, 'opening/defense/attempt-1', 'defense'),
  utterance(6, 'opening/defense/utterance', 'defense'),
  belief(7, 'later/judge/belief', { after: 'opening/prosecution/utterance', moment: 'retrospective' }),
  ruling(8),
  close(9),
];
const whole = {
  line: line({ status: 'done', outcome: 'decided', prediction: 'YES', correct: true }),
  entries,
  lastSeq: 9,
  writing: [],
};
const turns = turnsIn(whole);

it('shows at every place so many rows, and nothing that came after them', () => {
  expect(turns.length).toBeGreaterThan(2);
  for (const place of turns.keys()) {
    if (place === 0) continue;
    const shown = stateAt(whole, turns, place);
    expect(turnsIn(shown).map(({ id }) => id)).toEqual(turns.slice(0, place).map(({ id }) => id));
    expect(shown.entries.every(({ seq }) => seq < (turns[place]?.seq ?? 0))).toBe(true);
    expect(shown.entries.at(-1)?.kind).not.toBe('call');
    expect(shown.line).toMatchObject({ outcome: null, prediction: null, belief: null, correct: null });
  }
  expect(stateAt(whole, turns, turns.length)).toBe(whole);
});

it('recalled beliefs come when they were stated, though they are in an earlier row', () => {
  const beliefsAt = (place: number) => stateAt(whole, turns, place).entries.filter(({ kind }) => kind === 'belief').length;
  const [opening, defense] = ['turn 3', 'turn 6'].map((id) => turns.findIndex((turn) => turn.id === id) + 1);
  expect([beliefsAt(opening ?? 0), beliefsAt(defense ?? 0)]).toEqual([2, 3]);
});

it('gives long speeches more time than short ones, within bounds', () => {
  const times = [0, 10, 200, 100_000].map((length) => {
    const [turn] = turnsIn({
      ...whole,
      entries: [utterance(1, 'a/prosecution/utterance', 'prosecution', { text: 'x'.repeat(length) })],
    });
    return skimmingMs(turn);
  });
  expect(times).toEqual([1500, 1500, 6000, 12_000]);
});
