import { describe, expect, test } from 'vitest';
import type { ArmSettings } from '../../../shared/api/protocolFigures.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { ablationMacroF1Figure, ablationAccuracyFigure as figure, structureByShotsFigure } from './ablations.ts';
import { dataOf, mark, paint, pointsOf, seriesOf, size } from './report.fixture.ts';
import { sourcesOf } from './traces.fixture.ts';

const settings = (arm: string, judges: number, more: Partial<ArmSettings> = {}): ArmSettings => ({
  arm,
  protocol: 'courtroom',
  version: 1,
  swap: null,
  settings: { judges, model: 'm' },
  defaults: { judges: 3 },
  ...more,
});

const measured = (arm: string, accuracy: number | null, n = 40) => ({
  arm,
  measures: [
    {
      name: 'accuracy',
      label: null,
      over: 'all',
      value: accuracy,
      low: accuracy === null ? null : accuracy - 0.1,
      high: accuracy === null ? null : accuracy + 0.1,
      n,
      cases: n,
    },
    {
      name: 'macro_f1',
      label: null,
      over: 'decided',
      value: accuracy === null ? null : accuracy / 2,
      low: null,
      high: null,
      n: n - 1,
      cases: n,
    },
  ],
});

const comparison = (a: string, b: string, value: number, low: number, high: number) => ({
  a,
  b,
  baseline: false,
  difference: { value, low, high },
  differences: [],
  mcnemar: { p_adjusted: 0.25 },
  wilcoxon: null,
});

const arms = [settings('three', 3), settings('one', 1), settings('five', 5)];
const report = {
  arms: [measured('three', 0.5), measured('one', 0.4), measured('five', 0.7)],
  comparisons: [comparison('three', 'one', 0.1, -0.05, 0.25), comparison('five', 'three', 0.2, 0.05, 0.3)],
};
const sources = sourcesOf({ arms }, report);

describe('an ablation', () => {
  const data = dataOf(figure, sources);
  const id = '0/0';

  test('has accuracy over the values of the setting, in their order', () => {
    const series = seriesOf(data);
    expect(series[id]?.data).toEqual([
      [1, 0.4],
      [3, 0.5],
      [5, 0.7],
    ]);
    expect(pointsOf(series, `${id}-interval`)[2]).toEqual([5, 0.6, 0.7 + 0.1]);
    expect(series[id]?.name).toBe('courtroom');
  });

  test('has the differences from the default, for both directions of the report', () => {
    const rows = data.table.rows.map((row) => [row[1], row[4], ...row.slice(8)]);
    expect(rows).toEqual([
      ['1', 0.4, -0.1, -0.25, 0.05, 0.25],
      ['3', 0.5, null, null, null, null],
      ['5', 0.7, 0.2, 0.05, 0.3, 0.25],
    ]);
    expect(data.caption).toContain('farthest is judges 5 with +20 (+5 to +30)');
    expect(data.caption).toContain('setting. 40 trials of 40 cases in each arm, with 95% intervals over cases.');
  });

  test('leads from a mark and from a row to the trials of the arm', () => {
    expect(behindMark(data, mark(id, 2))).toMatchObject({ arm: 'five', status: 'done', subset: { known: ['truth'] } });
    expect(behindMark(data, mark(`${id}-interval`, 0))).toMatchObject({
      arm: 'one',
      status: 'done',
      subset: { known: ['truth'] },
    });
    expect(behindMark(data, mark('another', 0))).toBeNull();
    expect(data.table.behind(1)).toMatchObject({ arm: 'three', status: 'done', subset: { known: ['truth'] } });
  });

  test('of macro-F1 is over decided trials', () => {
    const f1 = dataOf(ablationMacroF1Figure, sources);
    expect(seriesOf(f1)[id]?.data).toEqual([
      [1, 0.2],
      [3, 0.25],
      [5, 0.35],
    ]);
    expect(behindMark(f1, mark(id, 0))).toMatchObject({
      arm: 'one',
      outcome: 'decided',
      subset: { known: ['truth'] },
    });
  });

  test('of names is on places, and its line is dotted', () => {
    const named = [
      settings('sequential', 3, { settings: { deliberation: 'sequential' } }),
      settings('parallel', 3, { settings: { deliberation: 'parallel' } }),
    ];
    const found = dataOf(figure, sourcesOf({ arms: named }, { arms: [measured('sequential', 0.5), measured('parallel', 0.6)] }));
    expect(seriesOf(found)[id]).toMatchObject({
      data: [
        [0, 0.5],
        [1, 0.6],
      ],
      lineStyle: { type: 'dotted' },
    });
  });

  test('shows hostile values and names, and none can turn the text around', () => {
    const hostile = [
      settings('a', 1, { settings: { judges: 1, model: 'm\u202En' } }),
      settings('b', 1, { settings: { judges: 1, model: 'o' } }),
    ];
    const found = dataOf(figure, sourcesOf({ arms: hostile }, { arms: [measured('a', 0.5), measured('b', 0.6)] }));
    expect(JSON.stringify(optionOf(found, paint, size))).not.toContain('\u202E');
  });

  test('is absent where no two arms differ in one setting, and without a truth', () => {
    expect(figure.plot(sourcesOf({ arms: [settings('three', 3)] }, report))).toBeNull();
    expect(figure.plot(sourcesOf({ arms }, { arms: [measured('three', null), measured('one', null)] }))).toBeNull();
  });
});

describe('structure by shots', () => {
  const shots = (arm: string, protocol: string, count: number) =>
    settings(arm, 0, { protocol, settings: { shots: count }, defaults: { shots: 0 } });
  const structures = [shots('s0', 'single', 0), shots('s1', 'single', 1), shots('v1', 'vote', 1)];
  const data = dataOf(
    structureByShotsFigure,
    sourcesOf({ arms: structures }, { arms: [measured('s0', 0.5), measured('s1', 0.625), measured('v1', 0.75, 12)] }),
  );

  test('has a field for each arm, darker where accuracy is higher, with the number on it', () => {
    const series = seriesOf(data);
    expect(series.accuracy?.data).toEqual([
      [0, 0, 0.5],
      [1, 0, 0.625],
      [1, 1, 0.75],
    ]);
    expect(series['accuracy/words']?.data).toMatchObject(['50%', '62.5%', '75%'].map((formatter) => ({ label: { formatter } })));
    expect(optionOf(data, paint, size)).toMatchObject({
      yAxis: { data: ['single', 'vote'] },
      xAxis: { data: ['0', '1'] },
    });
  });

  test('leads to the trials of the arm, and says that few cases are few', () => {
    expect(behindMark(data, mark('accuracy', 2))).toMatchObject({
      arm: 'v1',
      status: 'done',
      subset: { known: ['truth'] },
    });
    expect(behindMark(data, mark('accuracy/words', 2))).toBeNull();
    expect(data.table.behind(0)).toMatchObject({ arm: 's0', status: 'done', subset: { known: ['truth'] } });
    expect(data.table.rows[2]).toEqual(['vote', '1', 'v1', 0.75, 0.65, 0.85, 12]);
    expect(data.caption).toMatch(/ 12 to 40 trials of 12 to 40 cases in each field\. .* Only 12 cases/);
  });

  test('is absent with one structure or one number of shots', () => {
    expect(structureByShotsFigure.plot(sourcesOf({ arms: structures.slice(0, 2) }))).toBeNull();
  });
});
