import { readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { experimentSchema } from '../../../shared/experiment.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, openFolder, sampleData } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { writeExport } from '../report/export.ts';
import { trialLines, withCourse } from '../report/trialLines.ts';
import { openStore } from '../store/store.ts';
import { reading } from '../testing/reading.ts';
import { experimentList, wantedRuns } from './experiment.ts';
import type { QueryPool } from './pool.ts';
import type { QueryInput } from './queries.ts';

import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('queries');
const name = 'nlsy97-demo';
let path: string;
let pool: QueryPool;
let lines: TrialLine[];
let exported: TrialLine[];

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 12 });
  pool = queriesHere(path);
  lines = reading(path, (store) => [...trialLines(store, loadFrozen(store, name))]);
  exported = reading(path, (store) => lines.map((line) => withCourse(store, line)));
});

const page = (query: Partial<QueryInput<'trialPage'>>) =>
  pool.run('trialPage', { experiment: name, order: 'case', offset: 0, limit: 100, ...query });
const ids = (some: readonly TrialLine[]) => some.map(({ trial }) => trial).toSorted();

test('an export that fails half-way leaves no file', () => {
  const failing = function* () {
    yield 'half';
    throw new Error('half-way');
  };
  expect(() => writeExport(failing(), room.path('failed.csv'), { force: false })).toThrow('half-way');
  expect(readdirSync(room.folder).filter((file) => file.includes('failed'))).toEqual([]);
});

test('the cases that were not drawn are those of the data set without a trial, and are found by their words', async () => {
  const { total, cases } = await pool.run('undrawn', { experiment: name, sought: '' });
  const tried = new Set(lines.map((line) => line.case));
  const all = reading(path, (store) => store.datasets.cases(loadFrozen(store, name).dataset.id)).map(({ id }) => id);
  expect(total).toBeGreaterThan(0);
  expect(total).toBe(all.length - tried.size);
  expect(cases.map(({ id }) => id)).toEqual(all.filter((id) => !tried.has(id)).slice(0, 200));
  const [first] = cases;
  expect(first?.place).toBe(all.indexOf(first?.id ?? '') + 1);
  const fact = first?.listed?.facts[0]?.value ?? '';
  const found = await pool.run('undrawn', { experiment: null, sought: `"${fact.toUpperCase()}"` });
  expect(found.cases.map(({ id }) => id)).toContain(first?.id);
  expect(await pool.run('undrawn', { experiment: name, sought: 'no-such-word' })).toEqual({ total: 0, cases: [], drawn: [] });

  const [one = ''] = tried;
  const byId = await pool.run('undrawn', { experiment: name, sought: one });
  expect(byId.drawn[0]?.ids).toContain(one);
  for (const id of byId.drawn[0]?.ids ?? []) expect(tried).toContain(id);
});

describe('a page of trials', () => {
  test('holds lines as an export has them', async () => {
    const { total, lines: found } = await page({});
    expect(total).toBe(lines.length);
    expect(found.toSorted((one, other) => (one.trial < other.trial ? -1 : 1))).toEqual(
      exported.toSorted((one, other) => (one.trial < other.trial ? -1 : 1)),
    );
  });

  const filters: [string, Partial<QueryInput<'trialPage'>>, (line: TrialLine) => boolean][] = [
    ['arm', { arm: 'court' }, ({ arm }: TrialLine) => arm === 'court'],
    ['outcome', { outcome: 'decided' }, ({ outcome }: TrialLine) => outcome === 'decided'],
    ['right verdicts', { correct: true }, ({ correct }: TrialLine) => correct === true],
    ['wrong verdicts', { correct: false }, ({ correct }: TrialLine) => correct === false],
    ['case id', { search: '1' }, (line: TrialLine) => line.case.includes('1')],
    ['case id with zeros before it', { search: '001' }, (line: TrialLine) => line.case.includes('1')],
    ['arms of a subset', { subset: { arms: ['court'] } }, ({ arm }: TrialLine) => arm === 'court'],
    [
      'outcomes of a subset',
      { subset: { outcomes: ['decided', 'timeout'] } },
      ({ outcome }: TrialLine) => outcome === 'decided' || outcome === 'timeout',
    ],
    ['prediction', { prediction: 'YES' }, ({ prediction }: TrialLine) => prediction === 'YES'],
    ['truth', { truth: 'NO' }, ({ truth }: TrialLine) => truth === 'NO'],
    [
      'confidence',
      { confidence: { from: 0.58, to: 1 } },
      ({ confidence }: TrialLine) => confidence !== null && confidence >= 0.58,
    ],
    [
      'confidence below a bound, which is left out',
      { confidence: { from: 0, to: 0.58 } },
      ({ confidence }: TrialLine) => confidence !== null && confidence < 0.58,
    ],
    [
      'confidence of a subset, within that of the request',
      { confidence: { from: 0, to: 0.7 }, subset: { confidence: { from: 0.58, to: 1 } } },
      ({ confidence }: TrialLine) => confidence !== null && confidence >= 0.58 && confidence < 0.7,
    ],
    [
      'probability of a label',
      { subset: { beliefs: { YES: { from: 0, to: 0.5 } } } },
      ({ outcome, belief }: TrialLine) => outcome === 'decided' && (belief?.YES ?? 1) < 0.5,
    ],
    ['outcome that is a failure', { outcome: 'overflow', status: 'done' }, ({ outcome }: TrialLine) => outcome === 'overflow'],
  ];

  test('is filtered by groups of a subset', async () => {
    const [column, value] = Object.entries(lines[0]?.groups ?? {})[0] ?? ['', ''];
    const expected = lines.filter(({ groups }) => groups[column] === value);
    const { total, lines: found } = await page({ subset: { groups: { [column]: [value] } } });
    expect(total).toBe(expected.length);
    expect(expected.length).toBeLessThan(lines.length);
    expect(ids(found)).toEqual(ids(expected));
  });

  test('has only named trials, and of none where none is named', async () => {
    const two = lines.slice(0, 2).map(({ trial }) => trial);
    expect(ids((await page({ trials: two })).lines)).toEqual(two.toSorted());
    expect((await page({ trials: two, arm: 'nobody' })).total).toBe(0);
    expect((await page({ trials: [] })).total).toBe(0);
    expect((await page({ subset: { arms: [] } })).total).toBe(0);
    expect((await page({ subset: { models: ['no such model'] } })).total).toBe(0);
    expect((await page({ ambiguous: true })).total).toBe(lines.filter(({ ambiguous }) => ambiguous === true).length);
  });

  test.each(filters)('is filtered by %s', async (_what, query, fits) => {
    const { total, lines: found } = await page(query);
    const expected = lines.filter(fits);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(lines.length);
    expect(ids(found)).toEqual(ids(expected));
    expect(total).toBe(expected.length);
  });

  test('comes in the order asked for, part by part', async () => {
    const confidences = (await page({ order: 'confidence' })).lines.map(({ confidence }) => confidence ?? -1);
    expect(confidences).toEqual(confidences.toSorted((one, other) => other - one));
    const whole = (await page({ order: 'newest' })).lines.map(({ trial }) => trial);
    const parts = [];
    for (let offset = 0; offset < lines.length; offset += 5) {
      parts.push(...(await page({ order: 'newest', offset, limit: 5 })).lines.map(({ trial }) => trial));
    }
    expect(parts).toEqual(whole);
    expect(new Set(whole).size).toBe(lines.length);
    const correct = await page({ correct: true, offset: 1, limit: 1 });
    expect(correct.lines).toHaveLength(1);
  });
});

test('the list of experiments counts each outcome as itself', async () => {
  const {
    experiments: [summary, ...others],
    unreadable,
  } = await pool.run('experimentList', null);
  expect([...others, ...unreadable]).toEqual([]);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of lines) if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  expect(Object.keys(outcomes).length).toBeGreaterThan(1);
  expect(summary).toMatchObject({
    name,
    cases: 12,
    planned: lines.length,
    done: lines.length,
    running: 0,
    outcomes,
    standin: true,
  });
  expect(summary).toMatchObject({ single: false, trial: null, verdict: null });
});

test('an experiment is shown without the folder of its data', async () => {
  const view = await pool.run('experiment', { experiment: name });
  expect(view.definition.dataset.path).toBe('nlsy97-60.csv');
  expect(JSON.stringify(view)).not.toContain(sampleData.slice(0, -'nlsy97-60.csv'.length));
  expect(view.arms.map(({ name: arm }) => arm)).toEqual([...new Set(lines.map(({ arm }) => arm))]);
  expect(view.log.map(({ event }) => event)).toEqual(['run-end', 'run-start']);
  const file = await pool.run('experimentFile', { experiment: name });
  expect(experimentSchema.parse(JSON.parse(file))).toEqual(view.definition);
  expect((await pool.run('statistics', { experiment: name, resamples: 100, cache: null })).store).toBe('sample.db');
});

describe('a trial', () => {
  test('is shown with its case, cast, transcript and neighbours', async () => {
    const line = lines.find(({ protocol, outcome }) => protocol === 'agentic-sim' && outcome === 'decided');
    const view = await pool.run('trial', { trial: line?.trial ?? '' });
    expect(view.line).toMatchObject(line ?? {});
    expect(view.line.first_answer).toBeTruthy();
    expect(view.facts.length).toBeGreaterThan(3);
    expect(view.cast.map(({ role }) => role)).toEqual(['prosecutor', 'defense', 'judge']);
    expect(view.entries.filter(({ kind }) => kind === 'call')).toHaveLength(line?.attempts ?? 0);
    expect(view.entries.at(-1)).toMatchObject({ kind: 'close', outcome: 'decided', seq: view.lastSeq });
    expect(view.others).toEqual(lines.filter((other) => other.case === line?.case && other.arm !== line.arm));
    const later = await pool.run('trialEntries', { trial: line?.trial ?? '', after: view.lastSeq - 3 });
    expect(later.entries).toEqual(view.entries.filter(({ seq }) => seq > view.lastSeq - 3));
    expect(later.lastSeq).toBe(view.lastSeq);
  });

  test('has plans in words, separate from speech', async () => {
    const court = lines.find(({ protocol, outcome }) => protocol === 'agentic-sim' && outcome === 'decided');
    const { entries } = await pool.run('trial', { trial: court?.trial ?? '' });
    const spoken = entries.flatMap((entry) => (entry.kind === 'utterance' ? [entry] : []));
    expect(spoken.length).toBeGreaterThan(2);
    for (const { planned, plan, text } of spoken) {
      expect(planned).toBe(true);
      expect(plan).not.toMatch(/[{}]/);
      expect(plan).not.toBe('');
      expect(text).not.toContain(plan);
    }
  });

  test('shows each call as it was sent and answered, refused answers too', async () => {
    const failed = lines.find(({ attempts, calls }) => attempts > calls);
    const { entries } = await pool.run('trial', { trial: failed?.trial ?? '' });
    const calls = entries.flatMap((entry) => (entry.kind === 'call' ? [entry] : []));
    expect(calls.some(({ rejected }) => rejected !== null)).toBe(true);
    for (const { key, rejected, failure } of calls) {
      const shown = await pool.run('call', { trial: failed?.trial ?? '', key });
      expect(shown).toMatchObject({ key, rejected, failure: failure === null ? null : { kind: failure } });
      expect(shown.setup).toMatchObject({ model: 'llama3.1:8b', standin: rejected === null ? true : expect.anything() });
      expect(shown.messages[0]?.content).not.toBe('');
      expect(JSON.stringify(shown.messages)).not.toContain('[erased]');
    }
    await expect(pool.run('call', { trial: failed?.trial ?? '', key: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('that does not exist is not found', async () => {
    await expect(pool.run('trial', { trial: '0123456789abcdef' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(pool.run('statistics', { experiment: 'none', cache: null })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('the check of a trial', () => {
  test('finds trials of an untouched store intact', async () => {
    // Decided in court, decided alone, and one that failed.
    const kinds = Map.groupBy(lines, ({ protocol, outcome }) => `${protocol} ${outcome}`).values();
    for (const [{ trial, head_hash } = { trial: '', head_hash: null }] of kinds) {
      expect(await pool.run('trialCheck', { trial })).toMatchObject({
        chain: 'intact',
        replay: 'identical',
        head: head_hash,
        problem: null,
      });
    }
  });

  test.each([
    ['an event', 'UPDATE events SET payload = replace(payload, \'"v":1\', \'"v": 1\') WHERE trial = ? AND seq = 2', /event 2 /],
    ['the order', 'DELETE FROM events WHERE trial = ? AND seq = 3', /event 4 .*event 3 of this chain is missing/],
    ['the verdict in the table', 'UPDATE trials SET prediction = \'"MAYBE"\' WHERE trial = ?', /prediction/],
  ])('sees a change of %s, and in this trial alone', async (_what, sql, problem) => {
    const [changed, other] = lines.filter(({ protocol, outcome }) => protocol === 'agentic-sim' && outcome === 'decided');
    await withCopy(
      path,
      (db: Database.Database) => void db.prepare(sql).run(changed?.trial),
      async (copy) => {
        const copied = queriesHere(copy);
        const check = await copied.run('trialCheck', { trial: changed?.trial ?? '' });
        expect(check.chain).toBe('tampered');
        expect(check.problem).toMatch(problem);
        expect(await copied.run('trialCheck', { trial: other?.trial ?? '' })).toMatchObject({ chain: 'intact' });
      },
    );
  });
});

test('where there is no store yet, lists are empty and names are not found', async () => {
  const none = queriesHere(room.path('none.db'));
  expect(await none.run('experimentList', null)).toEqual({ experiments: [], unreadable: [] });
  expect(await none.run('wantedRuns', { session: 'one', ours: true })).toEqual({ runs: [], failures: [] });
  expect(await none.run('trialEntries', { trial: '0123456789abcdef', after: -1 })).toEqual({ lastSeq: -1, entries: [] });
  await expect(none.run('experiment', { experiment: name })).rejects.toMatchObject({
    code: 'not-found',
    screenAdvice: 'there is no such file; open the record of this address on the first screen',
  });
});

test.each([
  ["UPDATE blobs SET encoding = 0, bytes = CAST('{}' AS BLOB) WHERE ref = (SELECT definition FROM experiments)", 'is damaged'],
  ["UPDATE events SET payload = '{}' WHERE kind = 'experiment-freeze'", 'is damaged'],
  ['DELETE FROM datasets', 'is missing'],
])('an experiment that cannot be read is listed as such (%s)', async (change, problem) => {
  await withCopy(
    path,
    (db) => void db.exec(change),
    async (damaged) => {
      const { experiments, unreadable } = await queriesHere(damaged).run('experimentList', null);
      expect(experiments).toEqual([]);
      expect(unreadable).toEqual([{ name, problem: expect.stringContaining(problem) }]);
    },
  );
});

test('a run or an experiment that cannot be read hides no other, and its error is passed on', () => {
  const store = openStore(path, { create: false });
  const save = (experiment: string) =>
    store.write(() => store.runs.save({ experiment, backend: 'standin', concurrency: 1, session: 'before' }));
  save(name);
  const history = vi.spyOn(store.experiments, 'history');
  const look = () => wantedRuns.run(store, { session: 'now', ours: false }, () => undefined);
  expect(look()).toMatchObject({ runs: [{ experiment: name }], failures: [] });
  history.mockImplementationOnce(() => {
    throw new TypeError('unforeseen');
  });
  expect(look()).toEqual({ runs: [], failures: [{ experiment: name, error: new TypeError('unforeseen') }] });
  history.mockImplementationOnce(() => {
    throw new AssizeError('bad-input', 'another version began it');
  });
  expect(look()).toEqual({ runs: [], failures: [] });
  const damaged = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT_VTAB');
  const fails = (error: unknown) =>
    history.mockImplementationOnce(() => {
      throw error;
    });
  fails(damaged);
  expect(look()).toEqual({ runs: [], failures: [{ experiment: name, error: damaged }] });
  fails(damaged);
  const list = () => experimentList.run(store, null, () => undefined);
  expect(list()).toMatchObject({ experiments: [], unreadable: [{ name, problem: expect.stringContaining('damaged') }] });
  fails(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_READ'));
  expect(list).toThrow('disk I/O error');
  store.write(() => store.runs.end(name, { retry: false }));
  store.close();
});

test('a file that is no store is reported as such', async () => {
  const odd = queriesHere(sampleData);
  await expect(odd.run('experimentList', null)).rejects.toMatchObject({ code: 'store-unreadable' });
});
