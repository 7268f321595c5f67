import { randomSource } from '../../../core/cases/shuffle.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';

const names = ['start', 'P1', 'D1', 'P2', 'D2', 'P3', 'D3', 'verdict'];

/** Figures of so many beliefs in one arm, eight a trial, as a walk from somewhere; the same each time. */
export function manyBeliefs(wanted: number): DeliberationFigures {
  const random = randomSource(11, 'many beliefs');
  const trials = Math.ceil(wanted / names.length);
  const column = <T>(of: (row: number) => T) => Array.from({ length: trials }, (_, row) => of(row));
  const step: number[] = [];
  const value: number[] = [];
  const flips: number[] = [];
  const lastFlip: number[] = [];
  const correct: number[] = [];
  for (let row = 0; row < trials; row++) {
    let share = random.next();
    let changes = 0;
    let last = -1;
    for (const place of names.keys()) {
      const before = share;
      share = Math.min(1, Math.max(0, share + (random.next() - 0.5) * 0.3));
      if (place > 0 && before > 0.5 !== share > 0.5) {
        changes += 1;
        last = place;
      }
      step.push(place);
      value.push(Math.round(share * 10_000) / 10_000);
    }
    flips.push(changes);
    lastFlip.push(last);
    correct.push(row % 50 === 0 ? -1 : Number(share > 0.5 === random.next() < 0.7));
  }
  return {
    trials,
    labels: ['NO', 'YES'],
    positive: 'YES',
    follows: { rule: 'positive', label: 'YES' },
    arms: [{ name: 'court', protocol: 'agentic-sim', steps: [...names.keys()] }],
    cases: column((row) => `case ${row}`),
    roles: ['judge'],
    steps: names.map((name) => ({
      name,
      side: name.startsWith('P') ? ('prosecution' as const) : name.startsWith('D') ? ('defense' as const) : null,
    })),
    outcomes: ['decided'],
    rows: {
      trial: column((row) => row.toString(16).padStart(16, '0')),
      arm: column(() => 0),
      case: column((row) => row),
      outcome: column(() => 0),
      truth: column((row) => row % 2),
      correct,
      ambiguous: column(() => -1),
      change: column(() => -1),
      flips,
      lastFlip,
      recalled: column(() => 0),
      split: column(() => -1),
    },
    lines: {
      row: column((row) => row),
      role: column(() => 0),
      rules: column(() => 1),
      from: column((row) => row * names.length),
    },
    points: { step, value },
    effects: { row: [], side: [], turn: [], towards: [], leftOut: trials * 6 },
    measures: [],
  };
}
