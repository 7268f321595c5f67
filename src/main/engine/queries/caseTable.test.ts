import { beforeAll, expect, test } from 'vitest';
import { answerText } from '../../../core/figures/outcomeText.ts';
import type { CaseRow } from '../../../shared/api/caseTable.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { caseRows, confidencesText, disagree } from '../report/caseRows.ts';
import { exportPieces } from '../report/export.ts';
import { trialLines } from '../report/trialLines.ts';
import { reading } from '../testing/reading.ts';
import type { QueryPool } from './pool.ts';
import type { QueryInput } from './queries.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('case-table');
const experiment = 'nlsy97-demo';
let path: string;
let pool: QueryPool;
let lines: TrialLine[];

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 12 });
  pool = queriesHere(path);
  lines = reading(path, (store) => [...trialLines(store, loadFrozen(store, experiment))]);
});

const ask = (query: Partial<QueryInput<'caseTable'>> = {}) =>
  pool.run('caseTable', {
    ...{ experiment, disagree: false, answers: [], facts: [], untried: false, order: 'sample', offset: 0, limit: 100 },
    ...query,
  });

const verdictsOf = (id: string) =>
  new Set(lines.flatMap((line) => (line.case === id && line.outcome === 'decided' ? [String(line.prediction)] : [])));

test('a row for each case in the order of the sample has the verdict and trial of every arm', async () => {
  const { arms, total, rows } = await ask();
  expect(arms).toEqual([...new Set(lines.map(({ arm }) => arm))]);
  expect(total).toBe(12);
  expect(rows.map((row) => row.case)).toEqual([...new Set(lines.map((line) => line.case))]);
  for (const row of rows)
    for (const [place, arm] of arms.entries()) {
      const [line] = lines.filter((each) => each.case === row.case && each.arm === arm);
      expect(row.cells[place]).toMatchObject([{ trial: line?.trial, prediction: line?.prediction, trials: 1 }]);
    }
});

test('cases are found by whether arms disagree, by what arms answered, by id, and in pages', async () => {
  const ids = [...new Set(lines.map((line) => line.case))];
  const apart = ids.filter((id) => verdictsOf(id).size > 1);
  expect(apart.length).toBeGreaterThan(0);
  expect((await ask({ disagree: true })).rows.map((row) => row.case)).toEqual(apart);
  const said = (arm: string, label: string) =>
    lines.flatMap((line) => (line.arm === arm && line.prediction === label ? [line.case] : []));
  const both = said('court', 'YES').filter((id) => said('cot', 'NO').includes(id));
  const answers = [
    { arm: 'court', label: 'YES' },
    { arm: 'cot', label: 'NO' },
  ];
  expect((await ask({ answers })).rows.map((row) => row.case)).toEqual(both);
  const id = ids.at(-1) ?? '';
  for (const search of [id, `00${id}`]) expect((await ask({ search })).rows.map((row) => row.case)).toEqual([id]);
  expect(await ask({ offset: 10, limit: 5 })).toMatchObject({ total: 12, rows: [{ case: ids[10] }, { case: ids[11] }] });
});

test('rows are ordered by id, by label, or with those first on which arms disagree, and else as drawn', async () => {
  const drawn = (await ask()).rows;
  const idsIn = async (order: QueryInput<'caseTable'>['order']) => (await ask({ order })).rows.map((each) => each.case);
  const placed = (placeOf: (each: CaseRow) => string | number) =>
    drawn
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : Number(placeOf(one) > placeOf(other))))
      .map((each) => each.case);
  expect(await idsIn('case')).toEqual(placed((each) => Number(each.case)));
  expect(await idsIn('label')).toEqual(placed(({ truth }) => String(truth)));
  const apart = await idsIn('disagree');
  expect(apart).toEqual(placed((each) => (disagree(each) ? 0 : 1)));
  expect(apart).not.toEqual(drawn.map((each) => each.case));
});

test('chosen facts are shown and filter the cases, also those without a trial; labels and answers are counted', async () => {
  const stored = reading(path, (store) => {
    const { dataset } = loadFrozen(store, experiment);
    return new Map(store.datasets.cases(dataset.id).map(({ id, ref }) => [id, store.datasets.read(ref)]));
  });
  const factOf = (id: string, column: string) => stored.get(id)?.facts.find(({ name }) => name === column)?.value ?? null;
  const { rows, columns, of } = await ask();
  expect([of, rows.every(({ facts }) => facts.length === 0)]).toEqual([12, true]);
  const column = columns.find((each) => new Set(rows.map((row) => factOf(row.case, each.column))).size > 1)?.column ?? '';
  const value = factOf(rows[0]?.case ?? '', column);
  const some = await ask({ facts: [{ column, value }] });
  const expected = rows.filter((row) => factOf(row.case, column) === value);
  expect(some.rows).toEqual(expected.map((row) => ({ ...row, facts: [value] })));
  expect([some.total, some.of, some.values[0]?.includes(value ?? '')]).toEqual([expected.length, 12, true]);
  expect(expected.length).toBeLessThan(12);
  const label = String(expected[0]?.truth);
  expect(new Map(some.counts?.truth).get(label)).toBe(expected.filter(({ truth }) => truth === label).length);
  const answers = lines.filter((line) => line.arm === 'cot' && expected.some((row) => row.case === line.case));
  expect(some.counts?.arms[some.arms.indexOf('cot')]?.reduce((sum, [, times]) => sum + times, 0)).toBe(answers.length);
  const whole = await ask({ untried: true, facts: [{ column, value }], limit: 500 });
  const everywhere = [...stored.keys()].filter((id) => factOf(id, column) === value);
  expect(whole.of).toBe(stored.size);
  expect(whole.rows.map((row) => row.case).toSorted()).toEqual(everywhere.toSorted());
  expect(whole.rows.at(-1)).toMatchObject({ cells: [[], []], truth: stored.get(whole.rows.at(-1)?.case ?? '')?.truth });
});

test('without conditions only the page is read, which is that of the whole table, also with cases that no arm tried', async () => {
  const whole = await ask({ untried: true, order: 'label', limit: 500 });
  const sorted = await ask({ untried: true, order: 'case', limit: 500 });
  const byId = (rows: readonly CaseRow[]) => rows.toSorted((one, other) => (one.case < other.case ? -1 : 1));
  expect(byId(sorted.rows)).toEqual(byId(whole.rows));
  const column = whole.columns[0]?.column ?? '';
  const page = await ask({ untried: true, order: 'case', offset: 1, limit: 2, facts: [{ column, value: null }] });
  expect(page.rows.map((each) => each.case)).toEqual(sorted.rows.slice(1, 3).map((each) => each.case));
  expect([page.of, page.total, page.values, page.counts]).toEqual([whole.of, whole.of, [], null]);
});

test('of a part, only its arms have columns', async () => {
  expect((await ask({ subset: { arms: ['cot'] } })).arms).toEqual(['cot']);
});

const row = (some: readonly Partial<TrialLine>[], arms = ['one', 'other']): CaseRow | undefined => {
  const [given] = lines;
  if (given === undefined) throw new Error('the sample has trials');
  const made = some.map((each, place): TrialLine => ({ ...given, case: 'a', outcome: 'decided', trial: `${place}`, ...each }));
  return caseRows(made, arms, ['a'])[0];
};

test('answers of several trials are counted, the most frequent first; unfinished trials and arms without the case are shown as such', () => {
  const found = row(
    [
      { arm: 'one', prediction: 'NO' },
      { arm: 'one', prediction: 'YES' },
      { arm: 'one', prediction: 'YES' },
      { arm: 'other', status: 'running', outcome: null, prediction: null },
      { arm: 'third', status: 'queued', outcome: null, prediction: null },
    ],
    ['one', 'other', 'third'],
  );
  expect(found?.cells).toMatchObject([
    [
      { prediction: 'YES', trials: 2, trial: '1' },
      { prediction: 'NO', trials: 1, trial: '0' },
    ],
    [{ outcome: null, trials: 1 }],
    [],
  ]);
});

test('a trial without verdict disagrees with no one, and neither does an arm with itself', () => {
  const isApart = (some: readonly Partial<TrialLine>[]) => {
    const found = row(some);
    return found !== undefined && disagree(found);
  };
  const [yes, no] = [{ prediction: 'YES' }, { prediction: 'NO' }];
  const failed = { outcome: 'timeout', prediction: null } as const;
  expect(
    isApart([
      { arm: 'one', ...yes },
      { arm: 'other', ...no },
    ]),
  ).toBe(true);
  expect(
    isApart([
      { arm: 'one', ...yes },
      { arm: 'other', ...failed },
    ]),
  ).toBe(false);
  expect(
    isApart([
      { arm: 'one', ...yes },
      { arm: 'one', ...no },
    ]),
  ).toBe(false);
});

test('a case that was tried several times has every confidence, in the order of its answers', () => {
  const [line] = lines;
  if (line === undefined) throw new Error('the sample has trials');
  const tried = (['YES', 'NO', 'NO'] as const).map((prediction, place) => ({
    ...{ ...line, prediction, outcome: 'decided' as const, confidence: 0.6 + place / 10, replicate: place + 1 },
  }));
  const [row] = caseRows(tried, [line.arm], [line.case]);
  expect(row?.cells).toMatchObject([
    [
      { prediction: 'NO', confidences: [0.7, 0.8] },
      { prediction: 'YES', confidences: [0.6] },
    ],
  ]);
  const cell = row?.cells[0] ?? [];
  expect(confidencesText(cell)).toBe('0.7; 0.8; 0.6');
  expect(confidencesText(cell.map((each, place) => (place === 0 ? { ...each, confidences: [null, 0.8] } : each)))).toBe(
    '; 0.8; 0.6',
  );
  expect(confidencesText(cell.map((each) => ({ ...each, confidences: [null, null] })))).toBe('');
});

test('the export has the same rows', () => {
  const [head, ...rows] = reading(path, (store) => [...exportPieces(store, experiment, { format: 'cases-csv' })]);
  const arms = [...new Set(lines.map(({ arm }) => arm))];
  const headings = [...arms, ...arms.map((arm) => `confidence of ${arm}`)];
  expect(head?.trim().split(',').slice(-headings.length)).toEqual(headings);
  expect(rows).toHaveLength(12);
  const first = arms.map((arm) => lines.find((each) => each.arm === arm && each.case === lines[0]?.case));
  expect(rows[0]?.trim().split(',').slice(-headings.length)).toEqual([
    ...first.map((line) => line && answerText(line)),
    ...first.map((line) => String(line?.confidence ?? '')),
  ]);
});
