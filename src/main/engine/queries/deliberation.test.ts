import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { changeKinds, type DeliberationFigures, deliberationFiguresSchema } from '../../../shared/api/deliberation.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { statistics } from '../report/statistics.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import { keptFolder } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import type { QueryPool } from './pool.ts';
import type { QueryProgress } from './query.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('deliberation');
const experiment = 'nlsy97-demo';
const model = { '*': { model: 'llama3.1:8b' } };
const arms = [
  { name: 'court', protocol: 'agentic-sim', params: { priorBelief: true, turns: 2 }, cast: model },
  { name: 'recalling', protocol: 'agentic-sim', params: { beliefUpdates: 'retrospective', turns: 1 }, cast: model },
  { name: 'bench', protocol: 'courtroom', params: { deliberation: 'parallel', shots: 0, ambiguity: 5 }, cast: model },
  { name: 'debate', protocol: 'debate-feedback', params: {}, cast: model },
  { name: 'pair', protocol: 'evince', params: { maxRounds: 2 }, cast: model },
  { name: 'alone', protocol: 'standard', params: {}, cast: model },
];
let path: string;
let pool: QueryPool;
let whole: DeliberationFigures;

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 3, change: { arms } });
  pool = queriesHere(path);
  whole = deliberationFiguresSchema.parse(await pool.run('deliberation', { experiment }));
});

const stepsOf = ({ arms: all, steps }: DeliberationFigures, name: string) =>
  all.find((arm) => arm.name === name)?.steps.map((place) => steps[place]?.name);
const rowsOf = ({ rows, arms: all }: DeliberationFigures, name: string) =>
  rows.trial.flatMap((_, row) => (all[rows.arm[row] ?? -1]?.name === name ? [row] : []));

test('every finished trial has a row, and every protocol its own steps', () => {
  expect(whole.trials).toBe(3 * arms.length);
  expect(whole.rows.trial).toHaveLength(whole.trials);
  expect(stepsOf(whole, 'court')).toEqual(['start', 'P1', 'D1', 'P2', 'D2', 'verdict']);
  expect(stepsOf(whole, 'debate')).toEqual(['start', 'round 1', 'round 2', 'verdict']);
  expect(stepsOf(whole, 'pair')?.slice(0, 1)).toEqual(['round 1']);
  expect(stepsOf(whole, 'alone')).toEqual([]);
  expect(whole.follows).toEqual({ rule: 'positive', label: 'YES' });
});

test('lists of trials and figures are of those with a first answer, where one is asked for', async () => {
  const truthOf = (row: number) => whole.labels[whole.rows.truth[row] ?? -1] ?? '';
  const other = (label: string) => whole.labels.find((each) => each !== label);
  // A first answer that was right is the truth, and of two labels a wrong one is the other.
  const wasRight = (row: number) => ['stayedRight', 'degraded'].includes(changeKinds[whole.rows.change[row] ?? -1] ?? '');
  const known = [...whole.rows.trial.keys()].filter((row) => (whole.rows.change[row] ?? -1) >= 0);
  let asked = 0;
  for (const label of ['NO', 'YES']) {
    const expected = known.filter((row) => (wasRight(row) ? truthOf(row) : other(truthOf(row))) === label);
    const subset = { first: [label] };
    const page = await pool.run('trialPage', { experiment, subset, order: 'case', offset: 0, limit: 500 });
    asked += expected.length;
    expect(page.lines.map(({ trial }) => trial).toSorted()).toEqual(expected.map((row) => whole.rows.trial[row]).toSorted());
    expect((await pool.run('deliberation', { experiment, subset })).trials).toBe(expected.length);
    const report = await pool.run('statistics', {
      experiment,
      where: [{ column: 'first answer', value: label }],
      quick: true,
      cache: null,
    });
    expect(report.arms.reduce((sum, { n }) => sum + n, 0)).toBe(expected.length);
  }
  expect([asked > 0, asked]).toEqual([true, known.length]);
  const wrong = pool.run('statistics', {
    experiment,
    where: [{ column: 'first answer', value: 'MAYBE' }],
    quick: true,
    cache: null,
  });
  await expect(wrong).rejects.toThrow('"MAYBE" is no label; labels are "NO", "YES"');
});

test('trials of a pair are of the cases that both have', async () => {
  const page = (subset: object, more: object = {}) =>
    pool.run('trialPage', { experiment, subset, order: 'case', offset: 0, limit: 500, ...more });
  const [first, ...rest] = (await page({ arms: ['bench'] })).lines;
  const both = await page({ arms: ['bench', 'alone'], paired: ['bench', 'alone'] });
  expect(both.total).toBe(2 * (rest.length + 1));
  expect((await page({ paired: ['bench', 'nobody'] })).total).toBe(0);
  const pair = ['bench', 'alone'];
  const decidedPair = { arms: pair, outcomes: ['decided'] };
  const twins = await page(decidedPair, { matched: { arms: pair, by: 'replicate' } });
  // A further condition is on the trials of the pairs, and makes no other pairs.
  const wrong = await page(decidedPair, { matched: { arms: pair, by: 'case' }, correct: false });
  expect(wrong.lines.length).toBeGreaterThan(0);
  expect(wrong.lines).toEqual(twins.lines.filter(({ correct }) => correct === false));
  const paired = new Set(twins.lines.map(({ trial }) => trial));
  let answered = 0;
  for (const first of whole.labels) {
    const expected = (await page({ ...decidedPair, first: [first] })).lines.filter(({ trial }) => paired.has(trial));
    expect((await page(decidedPair, { matched: { arms: pair, by: 'case' }, first })).lines).toEqual(expected);
    answered += expected.length;
  }
  expect(answered).toBeGreaterThan(0);
  const decided = await page({ arms: ['bench', 'alone'], outcomes: ['decided'] });
  const hasBoth = decided.lines.filter(
    (line) => decided.lines.filter((twin) => twin.case === line.case && twin.replicate === line.replicate).length === 2,
  );
  expect(first).toBeDefined();
  expect(twins.lines.map(({ trial }) => trial).toSorted()).toEqual(hasBoth.map(({ trial }) => trial).toSorted());
});

test('what was recalled is in no line, and a bench has split', () => {
  const recalling = rowsOf(whole, 'recalling');
  const decided = recalling.filter((row) => whole.outcomes[whole.rows.outcome[row] ?? -1] === 'decided');
  expect(decided.length).toBeGreaterThan(0);
  expect(decided.every((row) => whole.rows.recalled[row] === 1)).toBe(true);
  expect(whole.lines.row.some((row) => recalling.includes(row))).toBe(false);
  const bench = rowsOf(whole, 'bench');
  expect(bench.every((row) => (whole.rows.split[row] ?? -1) >= 0)).toBe(true);
  expect(bench.some((row) => (whole.rows.ambiguous[row] ?? -1) >= 0)).toBe(true);
  // The preliminary hearing against the verdict.
  expect(bench.every((row) => (whole.rows.change[row] ?? -1) >= 0)).toBe(true);
});

test('cells agree with the statistics of the same record', () => {
  const report = reading(path, (store) => statistics(store, experiment, { resamples: 0, cache: null }, () => undefined));
  for (const { arm, measures } of report.arms) {
    const changes = rowsOf(whole, arm).map((row) => whole.rows.change[row] ?? -1);
    const known = changes.filter((change) => change >= 0);
    const corrections = measures.find(({ name }) => name === 'corrections');
    expect([arm, known.length], arm).toEqual([arm, corrections?.n]);
    if (known.length > 0) {
      expect(known.filter((change) => change === 2).length / known.length).toBeCloseTo(corrections?.value ?? -1, 12);
    }
    const speeches = measures.find(({ name, side, turn }) => name === 'persuasion' && side === 'defense' && turn === null);
    const own = whole.effects.row.filter(
      (row, place) => rowsOf(whole, arm).includes(row) && whole.effects.side[place] === 'defense',
    );
    expect(own.length, arm).toBe(speeches?.n ?? 0);
  }
});

test('a run that was cut off and continued has the same figures', async () => {
  const folder = keptFolder();
  const change = { arms: arms.filter(({ name }) => ['court', 'alone'].includes(name)) };
  const cut = await makeSampleStore(folder, { cases: 1, change, maxTrials: 1, fault: () => null });
  const half = queriesHere(cut);
  expect((await half.run('deliberation', { experiment })).trials).toBe(1);
  const resumed = await makeSampleStore(folder, { cases: 1, change, fault: () => null });
  const straight = await makeSampleStore(keptFolder(), { cases: 1, change, fault: () => null });
  const [one, two] = [queriesHere(resumed), queriesHere(straight)];
  expect(await one.run('deliberation', { experiment })).toEqual(await two.run('deliberation', { experiment }));
});

test('reports how far it is', async () => {
  const reported: QueryProgress[] = [];
  await pool.run('deliberation', { experiment }, undefined, (progress) => reported.push(progress));
  expect(reported.length).toBeGreaterThan(3);
  expect(reported.map(({ share }) => share)).toEqual(reported.map(({ share }) => share).toSorted((one, other) => one - other));
});

test('results for the same record and part are stored, apart from those of other parts', async () => {
  const cache = join(room.folder, 'kept');
  const first = await pool.run('deliberation', { experiment, cache });
  expect(first).toEqual(whole);
  const [file = '', ...others] = readdirSync(cache);
  expect(others).toEqual([]);
  expect(first.cases).toHaveLength(3);
  const { report } = JSON.parse(readFileSync(join(cache, file), 'utf8')) as { report: string };
  for (const id of first.cases) expect(report).not.toContain(JSON.stringify(id));
  const reported: QueryProgress[] = [];
  expect(await pool.run('deliberation', { experiment, cache }, undefined, (progress) => reported.push(progress))).toEqual(first);
  // Read from the file: no trial is read again.
  expect(reported).toEqual([]);
  const part = await pool.run('deliberation', { experiment, cache, subset: { arms: ['court'] } });
  expect(part.rows.trial).toEqual(rowsOf(whole, 'court').map((row) => whole.rows.trial[row]));
  expect(readdirSync(cache)).toHaveLength(2);
});

test('a debate about several labels has timelines of the true ones, as its judge held them', async () => {
  const notices = resolve(import.meta.dirname, '../../../../resources/samples/notices/notices.jsonl');
  const dataset = {
    path: notices,
    kind: 'text',
    id: 'id',
    label: { column: 'matters', multiple: 'json' },
    labels: ['heating', 'damp', 'noise', 'electricity', 'locks'],
    question: 'Which matters does the caretaker have to look at?',
    sample: { n: 2 },
  };
  const one = { name: 'debate', protocol: 'debate-feedback', params: { assistant: 'none', rounds: 2 }, cast: model };
  const store = await makeSampleStore(keptFolder(), { cases: 3, change: { dataset, arms: [one] }, fault: () => null });
  const own = queriesHere(store);
  const figures = deliberationFiguresSchema.parse(await own.run('deliberation', { experiment }));
  expect(figures.follows.rule).toBe('true-labels');
  expect(stepsOf(figures, 'debate')).toEqual(['start', 'round 1', 'round 2', 'verdict']);
  expect(figures.lines.row.length).toBeGreaterThan(0);
  for (const [place, row] of figures.lines.row.entries()) {
    const { entries, line } = await own.run('trial', { trial: figures.rows.trial[row] ?? '' });
    const truth = Array.isArray(line.truth) ? line.truth : [];
    expect(truth.length).toBeGreaterThan(0);
    const held = entries.flatMap((entry) =>
      (entry.kind === 'belief' || entry.kind === 'ruling') && entry.role === 'judge' && entry.belief !== null
        ? [entry.belief]
        : [],
    );
    const means = held.map((belief) => truth.reduce((sum, label) => sum + (belief[label] ?? 0), 0) / truth.length);
    const drawn = figures.points.value.slice(figures.lines.from[place], figures.lines.from[place + 1]);
    expect(drawn).toEqual(means.map((mean) => expect.closeTo(mean, 4)));
  }
});

test('arms with something exchanged are left out unless they are asked for by name', async () => {
  const store = room.path('every.db');
  writeEveryProtocol(store);
  const own = queriesHere(store);
  const all = await own.run('deliberation', { experiment: 'binary' });
  expect([all.trials, all.arms.some(({ name }) => name.includes('~'))]).toEqual([30, false]);
  const named = await own.run('deliberation', { experiment: 'binary', subset: { arms: ['live~sides'] } });
  expect([named.trials, new Set(rowsOf(named, 'live~sides')).size]).toEqual([2, 2]);
});
