import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { paintOf } from '../kit/paint.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { groupRatesFigure as figure } from './groupRates.ts';
import { dataOf, linesOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const tried = (sex: string, pairs: readonly (readonly [string, string])[], times: number) =>
  Array.from({ length: times }, (_none, time) =>
    pairs.map(([truth, prediction], place) => trial(`${sex}${time}/${place}`, { truth, prediction, groups: { sex } })),
  ).flat();
/** Each of three decisions on f and four on m so many times. */
const both = (f: number, m: number) => [
  ...tried(
    'f',
    [
      ['NO', 'YES'],
      ['NO', 'NO'],
      ['YES', 'YES'],
    ],
    f,
  ),
  ...tried(
    'm',
    [
      ['NO', 'NO'],
      ['YES', 'NO'],
      ['YES', 'YES'],
      ['YES', 'NO'],
    ],
    m,
  ),
];
const trials = both(10, 10);
const data = dataOf(figure, sourcesOf(linesOf('court', trials), { groups: ['sex'] }));

test('rates by group are those of its decided trials', () => {
  const series = seriesOf(data);
  expect(series['accuracy/0/0']).toMatchObject({ name: 'f', data: [[2 / 3, 0]] });
  expect(series['false-positives/0/0']?.data).toEqual([[1 / 2, 0]]);
  expect(series['false-negatives/0/0']?.data).toEqual([[0, 0]]);
  expect(series['false-positives/0/1']?.data).toEqual([[0, 0]]);
  expect(series['false-negatives/0/1']?.data).toEqual([[2 / 3, 0]]);
  expect(data.table.rows.map(([attribute, group, arm, accuracy]) => [attribute, group, arm, accuracy])).toEqual([
    ['sex', 'f', 'court', 2 / 3],
    ['sex', 'm', 'court', 2 / 4],
  ]);
});

test('groups have the titles of their columns, and without a positive label it says why there are no error rates', () => {
  const { report, ...rest } = sourcesOf(linesOf('court', trials), { groups: ['sex'], positive: null });
  const named = dataOf(figure, { ...rest, report: { ...report, column_titles: { sex: 'Gender' } } });
  expect(Object.values(seriesOf(named)).flatMap(({ name }) => name ?? [])).toEqual(['f', 'm']);
  expect(named.caption).toContain('Cases of an arm by Gender: f: 30 cases');
  expect(named.table.rows.map(([attribute]) => attribute)).toEqual(['Gender', 'Gender']);
  expect(named.caption).toContain('or a positive label that the data set names');
  expect(data.caption).toContain('Error rates are of decided trials; “YES” is positive.');
});

test('a rate of too few cases is named and not drawn, and nothing is found', () => {
  expect(data.caption).toContain('Cases of an arm by sex: f: 30 cases, m: 40 cases.');
  expect(data.caption).not.toContain('Not drawn');
  const rare = Array.from({ length: 4 }, (_none, place) => trial(`x${place}`, { groups: { sex: 'x' } }));
  const few = dataOf(figure, sourcesOf(linesOf('court', [...both(4, 4), ...rare]), { groups: ['sex'] }));
  expect(few.caption).toContain(
    'Not drawn, with fewer than 10 cases: f (false positives, false negatives), m (false positives), x.',
  );
  // The group without a mark has no place among the others.
  const series = seriesOf(few);
  expect(Object.keys(series).filter((id) => /^accuracy.*\d$/.test(id))).toEqual(['accuracy/0/0', 'accuracy/0/1']);
  expect(series['accuracy/0/0']?.data).toEqual([[2 / 3, 0]]);
  expect(series['false-negatives/0/0']?.data).toEqual([['-', 0]]);
  // All groups have too few cases for it.
  expect(series['false-positives/0/0']).toBeUndefined();
  expect(few.table.rows.map(([, group]) => group)).toEqual(['f', 'm', 'x']);
  expect(few.finding).toBeUndefined();
  expect(figure.plot(sourcesOf(linesOf('court', both(4, 2)), { groups: ['sex'] }))).toBeNull();
});

test('of arms with different cases the fewest and the most are said, and of several columns each names its own', () => {
  const named = trials.map((line) => ({ ...line, groups: { ...line.groups, left: line.groups.sex === 'f' ? 'yes' : 'no' } }));
  const fewer = tried('f', [['NO', 'NO']], 12);
  const lines = [...linesOf('court', trials), ...linesOf('alone', [...fewer, ...trials.slice(30)])];
  const apart = dataOf(figure, sourcesOf(lines, { groups: ['sex'] }));
  expect(apart.caption).toContain('Cases of an arm by sex: f: 12 to 30 cases, m: 40 cases.');
  const several = dataOf(figure, sourcesOf(linesOf('court', named), { groups: ['sex', 'left'] }));
  expect(several.caption).toContain('Cases of an arm by group: ');
  expect(several.caption).toContain('sex f: 30 cases');
  expect(Object.values(seriesOf(several)).flatMap(({ name }) => name ?? [])).toContain('left: yes');
});

test('a rate leads to the trials that it is over', () => {
  const f = { subset: { groups: { sex: ['f'] } } };
  expect(behindMark(data, mark('accuracy/0/0', 0))).toMatchObject({
    arm: 'court',
    status: 'done',
    ...f,
    counts: { n: 30, of: 'trials' },
  });
  expect(behindMark(data, mark('false-positives/0/0', 0))).toMatchObject({
    arm: 'court',
    outcome: 'decided',
    subset: { ...f.subset, truths: ['NO'] },
    counts: { n: 20, of: 'trials' },
  });
  expect(behindMark(data, mark('false-negatives/0/0-interval', 0))).toMatchObject({
    subset: { ...f.subset, truths: ['YES'] },
    counts: { n: 10, of: 'trials' },
  });
  expect(data.table.behind(1)).toMatchObject({
    arm: 'court',
    status: 'done',
    subset: { groups: { sex: ['m'] }, known: ['truth'] },
    counts: { n: 40, of: 'trials' },
  });
});

test('the groups that differ most are drawn, however rare, and all are in the table', () => {
  const many = Array.from({ length: 12 }, (_none, group) =>
    Array.from({ length: group === 3 ? 10 : 20 }, (_each, place) =>
      trial(`c${group}/${place}`, { prediction: group === 3 ? 'NO' : 'YES', truth: 'YES', groups: { town: `town ${group}` } }),
    ),
  ).flat();
  const wide = dataOf(figure, sourcesOf(linesOf('a', many), { groups: ['town'] }));
  const drawn = Object.values(seriesOf(wide)).flatMap(({ name }) => name ?? []);
  expect(new Set(drawn).size).toBe(8);
  expect(drawn).toContain('town 3');
  expect(wide.table.rows).toHaveLength(12);
  expect(wide.caption).toContain('4 other groups are only in the table.');
});

test('in a narrow window the words under the scales are broken into lines, and none is cut', () => {
  const size = { width: 320, height: data.height };
  const paint = paintOf('light', () => '#6b665d');
  const { xAxis } = optionOf(data, paint, size) as { xAxis: { name: string; nameTruncate?: object }[] };
  expect(xAxis.map(({ name }) => name)).toEqual(
    ['accuracy\nof all,\nn = 30–40', 'false\npositives,\nn = 10–20', 'false\nnegatives,\nn = 10–30'].map((name) =>
      name.replaceAll(' = ', '\u00a0=\u00a0'),
    ),
  );
  expect(xAxis.every(({ nameTruncate }) => nameTruncate === undefined)).toBe(true);
});
