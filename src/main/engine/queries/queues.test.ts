import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { unfoundedSpeeches } from '../../../core/text/unfoundedSpeeches.ts';
import { queuesOf } from '../../../core/trajectory/queues.ts';
import { movementOf } from '../../../core/trajectory/verdictPath.ts';
import { type TrialQueue, trialQueues } from '../../../shared/api/experiments.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { register } from '../erase/register.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { reportData } from '../report/html/data.ts';
import { queueFolder } from '../report/statisticsCache.ts';
import { trialLines } from '../report/trialLines.ts';
import { giveReview } from '../reviews/ledger.ts';
import { parseChain } from '../store/parseChain.ts';
import { leastInDoubt } from '../store/queueIndex.ts';
import { openStore, type Store } from '../store/store.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import type { QueryPool } from './pool.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('queues');
const path = room.path('every.db');
let pool: QueryPool;
let store: Store;

beforeAll(() => {
  // Tests of erasures empty the usual folder at the same time.
  vi.stubEnv('XDG_CACHE_HOME', room.path('cache'));
  writeEveryProtocol(path);
  store = openStore(path, { create: false });
  const invented = store.blobs.keep(loadFrozen(store, 'binary').dataset, 'There were 98765 of them.');
  const spoken = endedLines('binary').map(({ trial }) => trial);
  store.close();
  // The program that recorded them asked for nothing from outside the facts, and no speaker invented a number.
  const db = new Database(path);
  db.exec(`UPDATE events SET payload = json_set(payload, '$.outside', json_array(payload ->> 'text'))
    WHERE rowid IN (SELECT min(rowid) FROM events WHERE kind = 'utterance-make')`);
  db.prepare(
    `UPDATE events SET payload = json_set(payload, '$.text', ?) WHERE rowid IN (SELECT max(rowid) FROM events
      WHERE kind = 'utterance-make' AND trial IN (SELECT value FROM json_each(?)))`,
  ).run(invented, JSON.stringify(spoken));
  db.close();
  store = openStore(path, { create: false });
  pool = queriesHere(path);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  store.close();
});

const endedLines = (experiment: string) =>
  [...trialLines(store, loadFrozen(store, experiment))].filter(({ head_hash }) => head_hash !== null);

/** By hand. */
function expectedIn(experiment: string, lines: readonly TrialLine[], queue: TrialQueue): string[] {
  const inDoubt = (id: string) => {
    const known = lines.filter(
      (line) => line.case === id && line.correct !== null && line.swap === null && line.change === undefined,
    );
    const answers = new Set(known.map(({ prediction }) => JSON.stringify(prediction)));
    return known.length >= leastInDoubt && answers.size === 1 && known.every(({ correct }) => correct === false);
  };
  const namesOutside = (trial: string) =>
    parseChain(store.events.chain(trial)).some(
      ({ kind, payload }) => kind === 'utterance-make' && (payload.outside ?? []).length > 0,
    );
  const hasUnfounded = (trial: string) => {
    const { kase, entries } = reportData(store, experiment, trial);
    const { number = 0, quote = 0 } = unfoundedSpeeches(kase, entries).counts ?? {};
    return number + quote > 0;
  };
  return lines
    .filter((line) =>
      queue === 'label-in-doubt'
        ? inDoubt(line.case)
        : queue === 'outside-facts'
          ? namesOutside(line.trial)
          : queue === 'not-in-facts'
            ? hasUnfounded(line.trial)
            : queuesOf(line, store.trajectories.of(line.trial)).some((each) => each === queue),
    )
    .map(({ trial }) => trial)
    .toSorted();
}

const listed = async (experiment: string, queue: TrialQueue) => {
  const { total, lines } = await pool.run('trialPage', { experiment, queue, order: 'case', offset: 0, limit: 500 });
  expect(total).toBe(lines.length);
  return lines.map(({ trial }) => trial).toSorted();
};

test('each queue has as many trials as it counts, and they are those that its rule names', async () => {
  const found = new Map<TrialQueue, number>();
  for (const experiment of store.experiments.names()) {
    const lines = endedLines(experiment);
    const counts = await pool.run('queueCounts', { experiment });
    const inDoubt = new Set(expectedIn(experiment, lines, 'label-in-doubt'));
    expect(counts['cases-in-doubt']).toBe(new Set(lines.filter(({ trial }) => inDoubt.has(trial)).map((line) => line.case)).size);
    for (const queue of trialQueues) {
      const expected = expectedIn(experiment, lines, queue);
      expect(await listed(experiment, queue), `${experiment}: ${queue}`).toEqual(expected);
      expect(counts[queue], `${experiment}: ${queue}`).toBe(expected.length);
      found.set(queue, (found.get(queue) ?? 0) + expected.length);
    }
  }
  // A rule that no trial meets would be checked against nothing; no trial of this store was corrected, repeated, reviewed, or against its own belief.
  expect([...found].filter(([, trials]) => trials === 0).map(([queue]) => queue)).toEqual([
    'against-own-percentage',
    'corrected',
    'repeats-differ',
    'people-disagree',
  ]);
});

test('repeats differ where one arm gave two verdicts on a case, not where two arms did; that a repeat failed is another end', async () => {
  const arm = (name: string, temperature: number) => ({
    ...{ name, protocol: 'standard', params: { style: 'cot' }, cast: { '*': { model: name, options: { temperature } } } },
  });
  const change = { arms: [arm('warm', 0.8), arm('cold', 0)], replicates: 2 };
  const repeated = queriesHere(await makeSampleStore(room.folder, { cases: 20, change }));
  const query = { experiment: 'nlsy97-demo', order: 'case', offset: 0, limit: 500 } as const;
  const { lines } = await repeated.run('trialPage', query);
  const ofCase = Map.groupBy(lines, (line) => `${line.arm} ${line.case}`);
  const verdicts = (some: readonly TrialLine[]) => new Set(some.map(({ prediction }) => prediction));
  const expected = [...ofCase.values()].filter((some) => verdicts(some).size > 1).flat();
  expect(new Set(expected.map((line) => line.arm))).toEqual(new Set(['warm']));
  expect(lines.some(({ outcome }) => outcome !== 'decided')).toBe(true);
  const found = await repeated.run('trialPage', { ...query, queue: 'repeats-differ' });
  expect(found.lines.map(({ trial }) => trial).toSorted()).toEqual(expected.map(({ trial }) => trial).toSorted());
  expect(await repeated.run('queueCounts', { experiment: query.experiment })).toMatchObject({
    'repeats-differ': expected.length,
    'cases-differing': new Set(expected.map((line) => line.case)).size,
  });
});

test('the most moved come first, equals by the newest, those without two beliefs last, part by part as in one', async () => {
  const found = new Set<number | null>();
  for (const experiment of store.experiments.names()) {
    const read = async (query: object) =>
      await pool.run('trialPage', { experiment, order: 'movement', offset: 0, limit: 500, ...query });
    const newest = (await read({ order: 'newest' })).lines;
    const known = new Map(newest.map(({ trial }) => [trial, movementOf(store.trajectories.of(trial))]));
    const size = ({ trial }: TrialLine) => known.get(trial) ?? -1;
    const expected = newest.toSorted((one, other) => size(other) - size(one));
    const whole = await read({});
    expect(whole.lines, experiment).toEqual(expected);
    expect(whole.movements).toEqual(Object.fromEntries([...known].filter(([, movement]) => movement !== null)));
    const parts = [];
    for (let offset = 0; offset < expected.length; offset += 7) parts.push(...(await read({ offset, limit: 7 })).lines);
    expect(parts).toEqual(expected);
    expect((await read({ correct: true })).lines).toEqual(expected.filter(({ correct }) => correct === true));
    for (const movement of known.values()) found.add(movement);
  }
  expect(found.has(null) && found.size > 3).toBe(true);
});

test('other conditions apply together with a queue', async () => {
  const experiment = 'binary';
  const [first] = await listed(experiment, 'wrong-and-sure');
  const line = endedLines(experiment).find(({ trial }) => trial === first);
  const query = { experiment, queue: 'wrong-and-sure', order: 'case', offset: 0, limit: 500 } as const;
  const { lines } = await pool.run('trialPage', { ...query, correct: false, arm: line?.arm ?? '', search: line?.case ?? '' });
  expect(lines.map(({ trial }) => trial)).toContain(first);
  expect((await pool.run('trialPage', { ...query, outcome: 'timeout' })).total).toBe(0);
  expect((await pool.run('trialPage', { ...query, correct: true })).total).toBe(0);
});

test('an answer of a reviewer against the verdict is in its own queue only, in the existing index and in one that is remade', async () => {
  const experiment = 'binary';
  const before = await pool.run('queueCounts', { experiment });
  const [line] = endedLines(experiment).filter(
    ({ truth, outcome, swap }) => truth === 'YES' && outcome === 'decided' && swap === null,
  );
  if (line === undefined) throw new Error('no such trial');
  const given = { judgement: 'label', reason: 'The facts say so.', blind: true, seconds: 5, replaces: null } as const;
  giveReview(store, experiment, { ...given, trial: line.trial, reviewer: 'A', label: 'YES' });
  expect(await pool.run('queueCounts', { experiment })).toEqual(before);
  giveReview(store, experiment, { ...given, trial: line.trial, reviewer: 'B', label: 'NO' });
  // One of the two answers is the court's.
  const against = [line.trial];
  expect(await listed(experiment, 'people-disagree')).toEqual(against);
  const after = { ...before, 'people-disagree': before['people-disagree'] + 1 };
  expect(await pool.run('queueCounts', { experiment })).toEqual(after);
  register.find(({ place }) => place === 'index of what was said')?.clean?.(store);
  expect(existsSync(queueFolder() ?? '')).toBe(false);
  expect(await pool.run('queueCounts', { experiment })).toEqual(after);
  expect(await listed(experiment, 'people-disagree')).toEqual(against);
});
