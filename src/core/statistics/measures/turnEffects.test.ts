import { expect, test } from 'vitest';
import { cutsText } from '../../telling/speechTables.ts';
import type { ChangedTrial } from './declaredChanges.ts';
import { turnEffects } from './turnEffects.ts';

const resampling = { resamples: 400, seed: 1, level: 0.95 };
const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false };

function trial(id: string, share: number, heard?: number): ChangedTrial {
  const cut = { kind: 'truncate', text: 'cut at random', applies: true, from: null, to: null } as const;
  return {
    ...{ case: id, trial: id, replicate: 0, outcome: 'decided', incomplete: false, inconsistent: false, truth: null, groups: {} },
    ...{ prediction: share > 0.5 ? 'YES' : 'NO', confidence: null, belief: { NO: 1 - share, YES: share }, path: null },
    ...(heard === undefined ? {} : { change: { ...cut, truncated: { heard, of: ['turn-1/prosecutor', 'turn-1/defense'] } } }),
  };
}

function effectsOf(arms: Readonly<Record<string, readonly ChangedTrial[]>>, cuts: readonly string[]) {
  const effects = turnEffects([{ arm: 'court', cuts }], (arm) => arms[arm] ?? [], terms, resampling);
  return effects.map((effect) => ({
    ...effect,
    measure: (name: string) => effect.measures.find((each) => each.name === name),
  }));
}

test('the effect is the difference of what is lost by those who do not hear the speech and by those who do', () => {
  const whole = [0.7, 0.4, 0.9, 0.3].map((share, place) => trial(`c${place}`, share));
  const [first, last] = effectsOf(
    { court: whole, cut: [trial('c0', 0.5, 0), trial('c1', 0.2, 0), trial('c2', 0.8, 1), trial('c3', 0.4, 1)] },
    ['cut'],
  );
  // Before both: (0.7 - 0.5 + 0.4 - 0.2) / 2 = 0.2. Before the last: (0.9 - 0.8 + 0.3 - 0.4) / 2 = 0.
  expect(first?.measure('turn_belief')).toMatchObject({ n: 4, cases: 4, value: expect.closeTo(0.2, 12) });
  expect(last?.measure('turn_belief')).toMatchObject({ n: 2, cases: 2, value: expect.closeTo(0, 12) });
  // Of the first two only c0 turns from YES to NO where nothing is heard.
  expect(first?.measure('turn_verdict')?.value).toBe(0.5);
  expect([first, last]).toMatchObject([
    { speech: 'turn-1/prosecutor', draws: 1, heard: 2, unheard: 2, cases: 4 },
    { speech: 'turn-1/defense', heard: 0, unheard: 2, cases: 2 },
  ]);
});

test('a case counts once in a group however often it was tried there, and without a group there is no effect', () => {
  const court = [trial('c0', 0.8), { ...trial('c0', 0.6), replicate: 1 }, trial('c1', 0.5)];
  const cut = [trial('c0', 0.4, 0), { ...trial('c0', 0.6, 0), replicate: 1 }, trial('c1', 0.5, 0)];
  const [first] = effectsOf({ court, cut, later: [trial('c0', 0.8, 1)] }, ['cut', 'later']);
  // c0 loses (0.4 + 0) / 2 before both speeches and 0 before the last, c1 nothing.
  expect(first?.measure('turn_belief')?.value).toBeCloseTo(0.1, 12);
  const [alone] = effectsOf({ court, cut }, ['cut']);
  expect(alone?.measure('turn_belief')).toMatchObject({ value: null, why_null: expect.stringContaining('no pair') });
});

test('pairs without a decision are counted apart, and few cases on a side have no interval', () => {
  const ids = Array.from({ length: 80 }, (_, place) => `c${place}`);
  const court = ids.map((id, place) => trial(id, place % 2 === 0 ? 0.7 : 0.9));
  const isLost = (place: number) => place >= 40 && place < 45;
  const cut = ids.map((id, place) => {
    const made = trial(id, place % 3 === 0 ? 0.4 : 0.6, place < 40 ? 1 : 0);
    return isLost(place) ? { ...made, outcome: 'undecided' as const, prediction: null, belief: null } : made;
  });
  const [first] = effectsOf({ court, cut }, ['cut']);
  expect(first).toMatchObject({ heard: 40, unheard: 35, heard_lost: 0, unheard_lost: 5, cases: 75 });
  expect(first?.measure('turn_verdict')).toMatchObject({
    n: 75,
    low: expect.any(Number),
    caution: expect.stringContaining('33 cases on each side'),
  });
  expect(cutsText(first ?? expect.fail())).toBe('40 after, 35 before; 75 cases; without a decision: 5 before');
  const few = effectsOf({ court, cut: cut.slice(0, 60) }, ['cut'])[0]?.measure('turn_verdict');
  expect(few).toMatchObject({ low: null, value: expect.any(Number), why_null: expect.stringContaining('one has 15') });
});
