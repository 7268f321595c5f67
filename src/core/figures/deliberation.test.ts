import { describe, expect, test } from 'vitest';
import type { DeliberationFigures } from '../../shared/api/deliberation.ts';
import { randomSource } from '../cases/shuffle.ts';
import { line, trial } from '../statistics/measures/trials.fixture.ts';
import { decidedTrial } from '../trajectory/decidedTrial.ts';
import { trialEvents, yes } from '../trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { bench, claims, court, debateOverSets, figuresOf, setTerms } from './deliberation.fixture.ts';
import { mostEffects } from './deliberation.ts';
import type { EndedTrial } from './endedTrials.ts';

const stepNames = ({ steps }: DeliberationFigures, list: readonly number[]) => list.map((place) => steps[place]?.name);
/** Lines as a reader would write them down. */
const written = (figures: DeliberationFigures) =>
  figures.lines.row
    .map((row, place) => {
      const end = figures.lines.from[place + 1] ?? figures.points.step.length;
      const from = figures.lines.from[place] ?? 0;
      const points = Array.from({ length: end - from }, (_, index) => {
        const step = figures.steps[figures.points.step[from + index] ?? -1]?.name;
        return `${step} ${figures.points.value[from + index]}`;
      });
      return `${figures.rows.trial[row]}: ${points.join(', ')}`;
    })
    .toSorted();

describe('the figures of deliberation', () => {
  const trials = [
    court('a', [0.6, 0.4, 0.7, 0.3], 0.2),
    court('b', [0.2, 0.3, 0.4, 0.1], 0.1),
    // The update after D1 was lost: what follows P2 is the doing of two speeches.
    court('c', [0.6, null, 0.7, 0.8], 0.9, { truth: null }),
    { line: line('court', trial('d', { outcome: 'timeout', prediction: null }), { trial: 'court/d' }), decided: null },
  ];

  test('have the way of each trial by its steps', () => {
    const figures = figuresOf(trials);
    expect(written(figures)).toEqual([
      'court/a: P1 0.6, D1 0.4, P2 0.7, D2 0.3, verdict 0.2',
      'court/b: P1 0.2, D1 0.3, P2 0.4, D2 0.1, verdict 0.1',
      'court/c: P1 0.6, P2 0.7, D2 0.8, verdict 0.9',
    ]);
    expect(stepNames(figures, figures.arms[0]?.steps ?? [])).toEqual(['P1', 'D1', 'P2', 'D2', 'verdict']);
    expect(figures.follows).toEqual({ rule: 'positive', label: 'YES' });
    expect(figures.rows.correct).toEqual([1, 1, -1, -1]);
    expect(figures.outcomes).toEqual(['decided', 'timeout']);
  });

  test('count changes of the lead and name the last', () => {
    const figures = figuresOf(trials);
    expect(figures.rows.flips).toEqual([3, 0, 0, -1]);
    expect(stepNames(figures, figures.rows.lastFlip)).toEqual(['D2', undefined, undefined, undefined]);
    const flipped = figures.measures.find(({ measure: { name } }) => name === 'flipped')?.measure;
    expect(flipped).toMatchObject({ n: 3, cases: 3 });
    expect(flipped?.value).toBeCloseTo(1 / 3, 12);
  });

  test('compare the first answer with the verdict, where the truth is known', () => {
    // a begins with YES and ends with NO, which is true; b begins and ends right; c has no truth; d failed.
    expect(figuresOf(trials).rows.change).toEqual([2, 0, -1, -1]);
  });

  test('say what each speech moved, and of two speeches name neither', () => {
    const { effects } = figuresOf(trials);
    const [a, b, c] = [0, 1, 2].map((row) =>
      effects.row.flatMap((each, place) =>
        each === row ? [`${effects.side[place]?.[0]} ${effects.turn[place]} ${effects.towards[place]}`] : [],
      ),
    );
    expect(a).toEqual(['d opening 0.2', 'p closing 0.3', 'd closing 0.4']);
    expect(b).toEqual(['d opening -0.1', 'p closing 0.1', 'd closing 0.3']);
    expect(c).toEqual(['d closing -0.1']);
  });

  test('leave single speeches out where they are too many to be looked at', () => {
    const many = Array.from({ length: mostEffects / 3 + 1 }, (_, index) => court(`m${index}`, [0.1, 0.2, 0.3, 0.4], 0.4));
    expect(figuresOf(many).effects).toMatchObject({ row: [], towards: [], leftOut: mostEffects + 3 });
  });

  test('say how benches split, how right they were then, and how many pairs agree', () => {
    const figures = figuresOf([
      bench('a', { NO: 3 }, 'NO'),
      bench('b', { NO: 2, YES: 1 }, 'NO'),
      bench('c', { YES: 2, NO: 1 }, 'YES'),
    ]);
    expect(figures.rows.split).toEqual([0, 1, 1]);
    // The hearing said YES each time.
    expect(figures.rows.change).toEqual([2, 2, 3]);
    const value = (name: string, split: string | null) =>
      figures.measures.find((each) => each.measure.name === name && each.split === split)?.measure;
    expect(value('accuracy', 'unanimous')).toMatchObject({ value: 1, n: 1, interval_method: 'wilson' });
    expect(value('accuracy', 'majority')).toMatchObject({ value: 0.5, n: 2 });
    expect(value('split', 'majority')?.value).toBeCloseTo(2 / 3, 12);
    // (1 + 1/3 + 1/3) / 3
    expect(value('bench_agreement', null)?.value).toBeCloseTo(5 / 9, 12);
    expect(value('accuracy', 'divided')?.value).toBeNull();
  });

  test('follow the true label of more than two, else the one that was decided for', () => {
    const of = (truth: string | null): EndedTrial => {
      const { events } = trialEvents()
        .believes('judge', 'prior', 'A', { A: 0.5, B: 0.3, C: 0.2 })
        .rules('judge', 'C', { A: 0.2, B: 0.1, C: 0.7 });
      return {
        line: line('court', trial('x', { prediction: 'C', truth })),
        decided: decidedTrial(trajectoryOf(events), {}, null),
      };
    };
    const three = { labels: ['A', 'B', 'C'], positive: null };
    const known = figuresOf([of('B')], three);
    expect([known.follows.rule, known.points.value]).toEqual(['true', [0.3, 0.1]]);
    const unknown = figuresOf([of(null)], three);
    expect([unknown.follows.rule, unknown.points.value]).toEqual(['predicted', [0.2, 0.7]]);
    // A trial without a truth has no line among those that have one, rather than a line of something else.
    expect(figuresOf([of('B'), of(null)], three).lines.row).toEqual([0]);
  });

  test('follow the mean of the true labels where several can apply, and have that of the labels of the verdict by rounds', () => {
    const verdict = { prediction: ['heating', 'noise'] };
    const a = debateOverSets(
      'a',
      [
        [0.9, 0.5, 0.3],
        [0.6, 0.8, 0.7],
      ],
      { truth: ['damp', 'heating'], ...verdict },
    );
    const none = debateOverSets(
      'none',
      [
        [0.1, 0.5, 0.3],
        [0.1, 0.8, 0.7],
      ],
      { truth: [], ...verdict },
    );
    const known = figuresOf([a, none], setTerms);
    expect(known.follows).toEqual({ rule: 'true-labels', label: null });
    // (0.9 + 0.5) / 2, then twice (0.6 + 0.8) / 2; a case of which no label is true has no line.
    expect(written(known)).toEqual(['court/a: start 0.7, round 1 0.7, verdict 0.7']);
    expect(known.rows.flips).toEqual([-1, -1]);
    const measured = (name: string, step: string) =>
      known.measures.find((each) => each.measure.name === name && known.steps[each.step ?? -1]?.name === step)?.measure;
    expect(measured('true_probability', 'round 1')).toMatchObject({ n: 1, value: expect.closeTo(0.7, 12) });
    expect(measured('verdict_probability', 'start')).toMatchObject({ n: 2, value: expect.closeTo(0.4, 12) });
    expect(measured('verdict_probability', 'round 1')).toMatchObject({ n: 2, value: expect.closeTo(0.75, 12) });
    expect(measured('leading_probability', 'round 1')).toBeUndefined();
    const unknown = figuresOf(
      [
        debateOverSets(
          'x',
          [
            [0.9, 0.5, 0.3],
            [0.6, 0.8, 0.7],
          ],
          { truth: null, ...verdict },
        ),
      ],
      setTerms,
    );
    expect(unknown.follows.rule).toBe('predicted-labels');
    expect(unknown.points.value).toEqual([0.4, 0.75, 0.75]);
  });

  test('never have what was recalled in a line', () => {
    const { events } = trialEvents()
      .says('prosecutor', 'opening')
      .believes('judge', 'retrospective', 'YES', yes(0.9), 'opening/prosecutor', 'ruling/judge/recalled-1')
      .rules('judge', 'NO', yes(0.2));
    const figures = figuresOf([{ line: line('court', trial('a')), decided: decidedTrial(trajectoryOf(events), claims, 'YES') }]);
    expect(figures.rows.recalled).toEqual([1]);
    expect(figures.lines.row).toEqual([]);
  });
});

test('for any order of the trials, each gets the same values, and every count adds up', () => {
  const random = randomSource(5, 'deliberation');
  const draw = () => Math.round(random.next() * 100) / 100;
  const trials = Array.from({ length: 120 }, (_, index): EndedTrial => {
    const id = `c${index % 50}`;
    if (index % 11 === 0) return { line: line('court', trial(id, { outcome: 'malformed', prediction: null })), decided: null };
    if (index % 3 === 0) return bench(id, { NO: index % 4, YES: 3 - (index % 4) }, index % 4 > 1 ? 'NO' : 'YES');
    const shares = Array.from({ length: 4 }, () => (random.next() < 0.1 ? null : draw()));
    return court(id, shares, draw(), { truth: index % 7 === 0 ? null : index % 2 === 0 ? 'NO' : 'YES' });
  });
  const [one, other] = [figuresOf(trials), figuresOf(trials.toReversed())];
  expect(written(one)).toEqual(written(other));
  expect(one.arms.map(({ steps }) => stepNames(one, steps))).toEqual(other.arms.map(({ steps }) => stepNames(other, steps)));
  const rowsOf = ({ rows, arms }: DeliberationFigures) =>
    rows.trial
      .map((id, row) => [id, arms[rows.arm[row] ?? -1]?.name, rows.change[row], rows.flips[row], rows.split[row]].join(' '))
      .toSorted();
  expect(rowsOf(one)).toEqual(rowsOf(other));
  const values = ({ measures }: DeliberationFigures) => measures.map(({ measure: { name, n, value } }) => ({ name, n, value }));
  for (const [place, { name, n, value }] of values(one).entries()) {
    expect(values(other)[place]).toMatchObject({ name, n });
    expect(values(other)[place]?.value ?? 0, name).toBeCloseTo(value ?? 0, 12);
  }

  for (const column of Object.values(one.rows)) expect(column).toHaveLength(one.trials);
  const counted = (column: readonly number[], from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, place) => column.filter((value) => value === from + place).length);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  expect(sum(counted(one.rows.change, -1, 3))).toBe(one.trials);
  expect(sum(counted(one.rows.split, -1, 2))).toBe(one.trials);
  expect(one.rows.flips.every((flips, row) => flips > 0 === (one.rows.lastFlip[row] ?? -1) >= 0)).toBe(true);
  expect(one.lines.from.every((from, place) => place === 0 || from > (one.lines.from[place - 1] ?? 0))).toBe(true);
  expect(one.points.step).toHaveLength(one.points.value.length);
});
