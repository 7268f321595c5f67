import { expect, test } from 'vitest';
import { court, debateOverSets, figuresOf, setTerms } from '../../../core/figures/deliberation.fixture.ts';
import type { EndedTrial } from '../../../core/figures/endedTrials.ts';
import { line, trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { decidedTrial } from '../../../core/trajectory/decidedTrial.ts';
import { trialEvents, yes } from '../../../core/trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { behindMark } from '../kit/plot.ts';
import { confidenceOverRoundsFigure as figure } from './confidenceOverRounds.ts';
import { sourcesOf } from './deliberation.fixture.ts';
import { dataOf, drawnIn, mark } from './report.fixture.ts';

/** A trial in which two agents state P(YES) round by round; NO is true. */
function debate(id: string, rounds: readonly (readonly [number, number])[], truth: string | null = 'NO'): EndedTrial {
  const script = trialEvents();
  rounds.forEach((shares, round) => {
    for (const [place, agent] of ['agentA', 'agentB'].entries()) {
      script.believes(agent, 'live', 'NO', yes(shares[place] ?? 0), null, `round-${round + 1}/${agent}/belief`);
    }
  });
  script.rules('agents', 'NO', yes(0.3));
  return {
    line: line('court', trial(id, { truth }), { trial: `court/${id}` }),
    decided: decidedTrial(trajectoryOf(script.events), {}, 'YES'),
  };
}

const trials = [
  debate('a', [
    [0.4, 0.8],
    [0.2, 0.6],
    [0.1, 0.1],
  ]),
  debate('b', [
    [0.6, 0.8],
    [0.4, 0.6],
  ]),
];
const data = dataOf(figure, sourcesOf(figuresOf(trials, {}, 200)));

test('each role has a mean by round, of the true label and of its own likeliest', () => {
  const near = (value: number) => expect.closeTo(value, 9);
  const rows = data.table.rows.map(([, role, step, truth, , , n, leading]) => [role, step, truth, n, leading]);
  expect(rows).toEqual([
    ['Agent A', 'round 1', near(0.5), 2, near(0.6)],
    ['Agent A', 'round 2', near(0.7), 2, near(0.7)],
    ['Agent A', 'round 3', near(0.9), 1, near(0.9)],
    ['Agent B', 'round 1', near(0.2), 2, near(0.8)],
    ['Agent B', 'round 2', near(0.4), 2, near(0.6)],
    ['Agent B', 'round 3', near(0.9), 1, near(0.9)],
  ]);
  expect(drawnIn(data)['truth:0:1']).toHaveLength(3);
});

test('the caption says that later rounds have fewer trials', () => {
  expect(data.caption).toContain(' 1 to 2 decided trials behind each mark. Later rounds have fewer trials');
  expect(data.caption).toContain('Only 1 case:');
});

test('where several labels can apply, means are of the true labels and of those of the verdict, and say so', () => {
  const one = debateOverSets(
    'a',
    [
      [0.9, 0.5, 0.3],
      [0.6, 0.8, 0.7],
    ],
    { truth: ['damp', 'heating'], prediction: ['heating', 'noise'] },
  );
  const sets = dataOf(figure, sourcesOf(figuresOf([one], setTerms)));
  const { columns, rows } = sets.table;
  expect(columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mean P(true labels)', 'mean P(labels of the verdict)']),
  );
  expect(rows.map(([, role, step, truth, , , , verdict]) => [role, step, truth, verdict])).toEqual([
    ['Judge', 'start', expect.closeTo(0.7, 9), expect.closeTo(0.4, 9)],
    ['Judge', 'round 1', expect.closeTo(0.7, 9), expect.closeTo(0.75, 9)],
    ['Judge', 'verdict', expect.closeTo(0.7, 9), expect.closeTo(0.75, 9)],
  ]);
  expect(sets.caption).toMatch(
    /^Solid: mean probability of the labels that are true of a case, .* Dashed: mean probability of the labels that the verdict names\./,
  );
});

test('a mark leads to the trials that got so far', () => {
  expect(behindMark(data, mark('truth:0:0', 2))).toEqual({
    trials: ['court/a'],
    subset: { known: ['truth'] },
    counts: { n: 1, of: 'trials' },
  });
  expect(behindMark(data, mark('leading:0:1', 0))).toEqual({ trials: ['court/a', 'court/b'], counts: { n: 2, of: 'trials' } });
  expect(behindMark(data, mark('truth:0:0-interval', 0))).toEqual(behindMark(data, mark('truth:0:0', 0)));
  expect(data.table.behind(2)).toEqual({ trials: ['court/a'], counts: { n: 1, of: 'trials' } });
});

test('a mark names every trial that it counts: also one without true labels, and none whose verdict names no label', () => {
  const beliefs = [
    [0.9, 0.5, 0.3],
    [0.6, 0.8, 0.7],
  ] as const;
  const prediction = ['heating', 'noise'];
  const debates = [
    debateOverSets('a', beliefs, { truth: ['damp'], prediction }),
    debateOverSets('b', beliefs, { truth: [], prediction }),
    debateOverSets('c', beliefs, { truth: null, prediction }),
    debateOverSets('d', beliefs, { truth: ['damp'], prediction: [] }),
  ];
  const sets = dataOf(figure, sourcesOf(figuresOf(debates, setTerms)));
  const verdicts = { trials: ['court/a', 'court/b', 'court/c'], counts: { n: 3, of: 'trials' } };
  expect(sets.table.rows[0]?.at(-1)).toBe(3);
  expect(behindMark(sets, mark('leading:0:0', 0))).toEqual(verdicts);
  expect(sets.table.behind(0)).toEqual(verdicts);
  const truths = { trials: ['court/a', 'court/d'], counts: { n: 2, of: 'trials' } };
  expect(behindMark(sets, mark('truth:0:0', 0))).toMatchObject(truths);
});

test('without a truth only certainty is drawn, and without rounds there is a sentence', () => {
  const unknown = dataOf(
    figure,
    sourcesOf(
      figuresOf([
        debate(
          'a',
          [
            [0.4, 0.8],
            [0.2, 0.6],
          ],
          null,
        ),
      ]),
    ),
  );
  expect(unknown.caption).toMatch(/^No truth is known\. Dashed:/);
  expect(drawnIn(unknown)['truth:0:0']).toEqual([]);
  expect(figure.plot(sourcesOf(figuresOf([court('x', [0.2, 0.3], 0.1)])))).toBeNull();
});
