import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { confidenceBins } from '../../../core/statistics/confidenceBins.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStore } from './store.ts';
import { openTrialPages, pageQuery, type TrialFilter } from './trialPages.ts';

const room = openFolder('pages');
openStore(room.path('new.db'), { create: true }).close();
const db = new Database(room.path('new.db'), { readonly: true });

// It adds what a search asks of each id.
openTrialPages(db, '*');

afterAll(() => db.close());

const plan = (sql: string, bound: object): string[] =>
  db
    .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(bound)
    .map(({ detail }) => detail);

const filters: readonly TrialFilter[] = [
  { experiment: 'one', order: 'newest' },
  { experiment: 'one', order: 'case', arm: 'court' },
  { experiment: 'one', order: 'outcome', status: 'done', outcome: 'timeout' },
  { experiment: 'one', order: 'confidence', search: 'a%_b', decided: true },
];

describe.each(filters)('a page in the order of $order', (filter) => {
  const { rows, total, bound } = pageQuery('*', filter);

  test('looks at the trials of its experiment and at no others', () => {
    for (const details of [plan(rows, { ...bound, limit: 1, offset: 0 }), plan(total, bound)]) {
      expect(
        details.some((detail) => /^SEARCH trials USING (COVERING )?INDEX trials_by_experiment \(experiment=\?/.test(detail)),
      ).toBe(true);
      expect(details.filter((detail) => /\bSCAN\b/.test(detail))).toEqual([]);
    }
  });

  test('binds what it is given and has none of it in its text', () => {
    for (const value of ['one', 'court', 'timeout', 'a%_b']) expect(rows).not.toContain(`'${value}'`);
  });
});

test('a confidence that differs from an edge only by rounding is above it, as bins count it', () => {
  const memory = new Database(':memory:');
  memory.exec('CREATE TABLE trials (experiment, case_id, arm, replicate, confidence)');
  const confidences = [0.1 + 0.2, 0.3, 1 - 0.9, 0.1, 0.2, 0.7 + 0.1, 0.8, 0.999, 1];
  const insert = memory.prepare("INSERT INTO trials VALUES ('one', ?, 'court', 1, ?)");
  for (const [index, confidence] of confidences.entries()) insert.run(String(index), confidence);
  const stated = confidences.map((confidence) => ({ confidence, correct: null }));
  const bins = confidenceBins(stated, 10);
  const listed = bins.map(({ from, to }) => {
    const { total, bound } = pageQuery('*', { experiment: 'one', order: 'case', confidence: { from, to } });
    return memory.prepare<[object], { total: number }>(total).get(bound)?.total;
  });
  memory.close();
  expect(listed).toEqual(bins.map(({ unknown }) => unknown));
});

test('a page of the newest trials is the same from only the newest events', () => {
  const memory = new Database(':memory:');
  memory.exec(`CREATE TABLE trials (trial, experiment, arm, case_id, replicate, status, outcome, standin);
    CREATE TABLE events (trial, seq)`);
  const insert = memory.prepare('INSERT INTO events VALUES (?, ?)');
  for (let trial = 0; trial < 60; trial++) {
    const row = [`t${trial}`, trial % 3 === 0 ? 'other' : 'one', trial % 2 === 0 ? 'court' : 'single', `c${trial}`];
    memory.prepare("INSERT INTO trials VALUES (?, ?, ?, ?, 0, 'done', 'decided', 0)").run(...row);
  }
  // Rounds over all trials, each in another order: the newest event of a trial can be far from its first.
  for (let seq = 0; seq < 10; seq++) for (let step = 0; step < 60; step++) insert.run(`t${(step * (2 * seq + 1)) % 60}`, seq);
  const pages = openTrialPages<{ trial: string }>(memory, 'trial');
  for (const filter of [{ experiment: 'one' }, { experiment: 'one', arm: 'court' }, { experiment: 'other' }]) {
    const { rows } = pages.page({ ...filter, order: 'newest' }, null);
    const one = (offset: number) => pages.page({ ...filter, order: 'newest' }, { offset, limit: 1 }).rows;
    expect([...rows.keys(), rows.length].flatMap(one)).toEqual(rows);
  }
  memory.close();
});

test('the counts and ended trials of an experiment are its own, whether it is most of the table or little of it', () => {
  const memory = new Database(':memory:');
  memory.exec('CREATE TABLE trials (trial, experiment, arm, status, outcome, standin)');
  const insert = memory.prepare('INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?)');
  for (const [experiment, times] of [
    ['large', 9],
    ['small', 1],
  ] as const)
    for (let trial = 0; trial < times; trial++) insert.run(`t${9 - trial}`, experiment, 'court', 'done', 'decided', 0);
  insert.run('t0', 'large', 'single', 'running', null, 0);
  const { counts, eachEnded } = openTrialPages<{ trial: string }>(memory, 'trial');
  const ended = (experiment: string) => [...eachEnded(experiment)].map(({ trial }) => trial);
  const expected = { arm: 'court', status: 'done', outcome: 'decided', standin: 0 };
  const running = { arm: 'single', status: 'running', outcome: null, standin: 0, trials: 1 };
  expect(counts('large')).toEqual([{ ...expected, trials: 9 }, running]);
  expect(counts('small')).toEqual([{ ...expected, trials: 1 }]);
  expect(counts('none')).toEqual([]);
  expect(ended('large')).toEqual(['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8', 't9']);
  expect([ended('small'), ended('none')]).toEqual([['t9'], []]);
  memory.close();
});
