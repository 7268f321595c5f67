import { describe, expect, test } from 'vitest';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { dataOf, mark, paint, pointsOf, seriesOf, size } from './report.fixture.ts';
import { critByRoundFigure, exchangeMeasuresFigure, feedbackRoundsFigure, mixtureDivergenceFigure, mostThin } from './steps.ts';
import { sourcesOf, traceOf } from './traces.fixture.ts';

const crit = (arm: string, values: readonly (readonly (number | null)[])[]) =>
  traceOf({ kind: 'evaluation', arm, measure: 'crit', of: '' }, ['1', '2', 'closing'], values);

const debates: Partial<ProtocolFigures> = {
  listed: { mild: ['t1', 't2'], sharp: ['t3'] },
  traces: [
    crit('mild', [
      [4, null, 6],
      [6, 5, 8],
    ]),
    crit('sharp', [[3, 4, 5]]),
  ],
};
const idOf = (arm: string) => `0/${['mild', 'sharp'].indexOf(arm)}`;

describe('means over the steps of trials', () => {
  const data = dataOf(critByRoundFigure, sourcesOf(debates));
  const series = seriesOf(data);

  test('are drawn side by side, each with its interval and its trials as thin lines', () => {
    // Side by side means up to half a step apart.
    const rounded = (id: string) =>
      pointsOf(series, id).map(([at = 0, ...values]) => [
        Math.round(at) + 0,
        ...values.filter((value) => typeof value === 'number'),
      ]);
    expect(rounded(idOf('mild'))).toEqual([
      [0, 5],
      [1, 5],
      [2, 7],
    ]);
    expect(pointsOf(series, idOf('mild'))[0]?.[0]).not.toBe(pointsOf(series, idOf('sharp'))[0]?.[0]);
    expect(rounded(`${idOf('mild')}-interval`)).toEqual([
      [0, 4.9, 5.1],
      [1, 4.9, 5.1],
      [2, 6.9, 7.1],
    ]);
    expect(rounded(`${idOf('mild')}/t1`)).toEqual([
      [0, 4],
      [2, 6],
    ]);
  });

  test('are in the table as they are drawn', () => {
    const { columns, rows } = data.table;
    expect(columns.map(({ name }) => name)).toEqual(['measure', 'arm', 'line', 'step', 'mean', 'low', 'high', 'trials', 'cases']);
    expect(rows.slice(0, 2)).toEqual([
      ['CRIT, points, 1 to 10', 'mild', 'mild', '1', 5, 4.9, 5.1, 2, 2],
      ['CRIT, points, 1 to 10', 'mild', 'mild', '2', 5, 4.9, 5.1, 1, 1],
    ]);
    expect(rows).toHaveLength(8);
    expect(rows.slice(6).map(([, arm, , step, mean]) => [arm, step, mean])).toEqual([
      ['mild', 'first to last', 2],
      ['sharp', 'first to last', 2],
    ]);
  });

  test('lead to the trials that have a value at the step, and a thin line to its own', () => {
    expect(behindMark(data, mark(idOf('mild'), 1))).toEqual({ trials: ['t2'], counts: { n: 1, of: 'trials' } });
    expect(behindMark(data, mark(`${idOf('mild')}-interval`, 0))).toEqual({
      trials: ['t1', 't2'],
      counts: { n: 2, of: 'trials' },
    });
    expect(behindMark(data, mark(`${idOf('sharp')}/t3`, 0))).toEqual({
      trials: ['t3'],
      counts: { n: 1, of: 'trials' },
    });
    expect(behindMark(data, mark('another', 0))).toBeNull();
    expect(data.table.behind(5)).toEqual({ trials: ['t3'], counts: { n: 1, of: 'trials' } });
    expect(data.table.behind(6)).toEqual({ trials: ['t1', 't2'], counts: { n: 2, of: 'trials' } });
    expect(data.table.behind(8)).toBeNull();
  });

  test('lead to the whole arm if not every trial is listed', () => {
    const cut = dataOf(critByRoundFigure, sourcesOf({ ...debates, listed: { mild: ['t1'], sharp: ['t3'] } }));
    expect(behindMark(cut, mark(idOf('mild'), 0))).toMatchObject({
      arm: 'mild',
      status: 'done',
      counts: { of: 'trials' },
    });
  });

  test('say of how many trials they are, that few are few, and when not all are drawn', () => {
    expect(data.caption).toContain(' 3 trials with such a value');
    expect(data.caption).toContain('Each thin line is a trial.');
    expect(data.caption).toMatch(/Only 1 case: a few more could change the result\.$/);
    const many = Array.from({ length: 200 }, (_none, index) => `t${index}`);
    const carpet = dataOf(
      critByRoundFigure,
      sourcesOf({
        listed: { mild: many },
        traces: [
          crit(
            'mild',
            many.map(() => [1, 2, 3]),
          ),
        ],
      }),
    );
    expect(carpet.caption).toContain(`Thin lines are the first ${mostThin} trials`);
    expect(Object.keys(seriesOf(carpet))).toHaveLength(mostThin + 2);
  });
});

test('exchanges have a panel for each measure and agent, with the range of the measure', () => {
  const about = { kind: 'exchange', arm: 'evince' } as const;
  const data = dataOf(
    exchangeMeasuresFigure,
    sourcesOf({
      listed: { evince: ['t1'] },
      traces: [
        traceOf({ ...about, measure: 'wd', of: '' }, ['1', '2'], [[0.35, 0.05]]),
        traceOf({ ...about, measure: 'crit', of: 'A' }, ['1', '2'], [[0.7, 0.8]]),
        traceOf({ ...about, measure: 'crit', of: 'B' }, ['1', '2'], [[0.6, 0.6]]),
        traceOf({ ...about, measure: 'jsd', of: '' }, ['1', '2'], [[0.1568, 0.0037]]),
      ],
    }),
  );
  const { title, yAxis } = optionOf(data, paint, { width: 700, height: 500 }) as {
    title: { text: string }[];
    yAxis: { name?: string; max: number }[];
  };
  expect(title.map(({ text }, place) => [text, yAxis[place]?.name, yAxis[place]?.max])).toEqual([
    ['CRIT of A', '0 to 1', 1],
    ['CRIT of B', '0 to 1', 1],
    ['Wasserstein distance (WD)', '0 to 1', 1],
    ['Jensen-Shannon divergence (JSD)', 'nats, 0 to ln 2', Math.LN2],
  ]);
  expect(data.table.rows.at(-1)?.[0]).toBe('Jensen-Shannon divergence (JSD), nats, 0 to ln 2');
});

test('divergences have a panel for each arm, with both agents and their mixture', () => {
  const about = { kind: 'divergence', arm: 'evince', measure: 'toTruth' } as const;
  const traces = ['A', 'B', 'mixture'].map((of, index) => traceOf({ ...about, of }, ['1'], [[index + 1]]));
  const data = dataOf(mixtureDivergenceFigure, sourcesOf({ listed: { evince: ['t1'] }, traces }));
  expect(data.table.rows.map(([measure, , name, , mean]) => [measure, name, mean])).toEqual([
    ['evince, nats', 'agent A', 1],
    ['evince, nats', 'agent B', 2],
    ['evince, nats', 'their mixture', 3],
  ]);
  expect(data.caption).toContain('so this is no finding');
});

test('rounds of feedback have opinion, judge and reliability, as far as there are', () => {
  const opinion = traceOf({ kind: 'opinion', arm: 'single', measure: 'truth', of: 'opinion' }, ['0', '1'], [[0.5, 0.7]]);
  const data = dataOf(feedbackRoundsFigure, sourcesOf({ listed: { single: ['t1'] }, traces: [opinion] }));
  expect(data.table.rows.map(([measure, , , step, mean]) => [measure, step, mean])).toEqual([
    ['Opinion, P(truth)', 'start', 0.5],
    ['Opinion, P(truth)', '1', 0.7],
    ['Opinion, P(truth)', 'first to last', 0.7 - 0.5],
  ]);
});

test('a hostile name is shown and cannot turn the text around', () => {
  const hostile = 'a\u202Eb';
  const data = dataOf(critByRoundFigure, sourcesOf({ listed: { [hostile]: ['t1'] }, traces: [crit(hostile, [[1, 2, 3]])] }));
  expect(JSON.stringify(optionOf(data, paint, size))).not.toContain('\u202E');
});
