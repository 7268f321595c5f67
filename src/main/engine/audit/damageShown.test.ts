import { copyFileSync, existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TrialView } from '../../../shared/api/trials.ts';
import { exportToStream, reportPage, show, stats } from '../engine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { summaryOf } from '../queries/experiment.ts';
import { queries } from '../queries/queries.ts';
import { faultsOf } from '../queries/trial.ts';
import { parseReadable } from '../store/parseChain.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { damageOf, textFaultOf } from './damage.ts';
import { makeSampleStore, noFault, openFolder } from './testing/sampleStore.ts';
import { withCopy } from './testing/tampering.ts';

/** Tampering is seen wherever results are shown. */

const room = openFolder('damage-shown');
let store: string;
let trial: string;
const watch = { signal: new AbortController().signal, onProgress: () => undefined };

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  trial = reading(store, ({ trials }) => trials.all().find(({ arm }) => arm === 'court')?.trial) ?? '';
});

const look = (path: string) => reading(path, (store) => damageOf(store, 'nlsy97-demo'));

const onScreen = (path: string) => reading(path, (store) => queries.trial.run(store, { trial }, () => undefined) as TrialView);

async function exported(path: string, format: 'trials-csv' | 'trials-jsonl' | 'html', damaged: boolean): Promise<string> {
  const pieces: string[] = [];
  await exportToStream(path, 'nlsy97-demo', { format, damaged, ...(format === 'html' ? { trial } : {}) }, (piece) =>
    pieces.push(piece),
  );
  return pieces.join('');
}

const changes: Record<string, (db: Database.Database) => void> = {
  'a row with another prediction': (db) =>
    void db
      .prepare('UPDATE trials SET prediction = CASE prediction WHEN \'"NO"\' THEN \'"YES"\' ELSE \'"NO"\' END WHERE trial = ?')
      .run(trial),
  'an event with another payload': (db) =>
    void db.prepare('UPDATE events SET payload = replace(payload, \'"v":1\', \'"v":2\') WHERE trial = ? AND seq = 2').run(trial),
  'a case with another truth': (db) =>
    void db
      .prepare(
        `UPDATE blobs SET encoding = 0, bytes = CAST('{"id":"x"}' AS BLOB) WHERE ref = (SELECT ref FROM cases WHERE id = (SELECT case_id FROM trials WHERE trial = ?))`,
      )
      .run(trial),
};

test('a sound record has no mark', async () => {
  expect(look(store)).toEqual({ trials: 4, damaged: 0, first: [] });
  const report = await stats(store, 'nlsy97-demo', { resamples: 0, cache: null }, watch);
  expect(report.damage).toBeUndefined();
  expect((await show(store, 'nlsy97-demo', trial)).damage).toBeUndefined();
  expect(await exported(store, 'trials-csv', true)).toBe(await exported(store, 'trials-csv', false));
});

test.each(Object.entries(changes))('%s is named and refused', async (name, change) => {
  await withCopy(store, change, async (path) => {
    expect(look(path).first).toContainEqual(expect.objectContaining({ trial }));
    for (const format of ['trials-csv', 'html'] as const)
      await expect(exported(path, format, false)).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining('fails its check'),
      });
    // The text of the case is not there to be read.
    if (name.startsWith('a case')) return;
    const report = await stats(path, 'nlsy97-demo', { resamples: 0, cache: null }, watch);
    expect(report.finding.sentence).toContain('The record is damaged');
    expect(report.damage?.first).toContainEqual(expect.objectContaining({ trial }));
    expect(await exported(path, 'trials-csv', true)).toMatch(new RegExp(`damage\\r?\\n[\\s\\S]*${trial}.*${trial}`));
    if (name.startsWith('an event')) {
      const whole = await reportPage(path, { experiment: 'nlsy97-demo', damaged: true }, watch);
      expect(whole).toContain('DAMAGED RECORD: ');
      const view = onScreen(path);
      expect(view.damage).toContain(`${trial}, event 2`);
      expect(view.faulty_texts).toMatchObject([{ seq: 2, field: 'event' }]);
      expect(view.damage_means).toMatch(/^From this event on/);
      expect(view.entries.map(({ seq }) => seq)).toEqual(onScreen(store).entries.flatMap(({ seq }) => (seq === 2 ? [] : [seq])));
      return;
    }
    expect((await show(path, 'nlsy97-demo', trial)).damage).toContain(trial);
    const page = await exported(path, 'html', true);
    expect(/@bottom-left\{content:"DAMAGED/.test(page)).toBe(true);
    expect(/class="banner" role="alert">DAMAGED RECORD: /.test(page)).toBe(true);
    const over = { experiment: 'nlsy97-demo' };
    await expect(reportPage(path, over, watch)).rejects.toMatchObject({ code: 'bad-input' });
    const whole = await reportPage(path, { ...over, damaged: true }, watch);
    expect(whole).toMatch(/@bottom-left\{content:"DAMAGED/);
    expect(whole).toContain('No number here can be relied on.');
    expect(whole.split('<b class="bad">DAMAGED: ')).toHaveLength(2);
  });
});

test.each(['x', '{}'])('of a trial whose course reads %s, the first answer is read from its chain', async (course) => {
  const firstAnswers = async (path: string) => {
    const lines = (await exported(path, 'trials-jsonl', true)).trim().split('\n');
    return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.trial, line.first_answer]));
  };
  const expected = await firstAnswers(store);
  expect(expected.get(trial)).toEqual(expect.any(String));
  const change = (db: Database.Database) =>
    void db.prepare('UPDATE trajectories SET trajectory = ? WHERE trial = ?').run(course, trial);
  await withCopy(store, change, async (path) => expect(await firstAnswers(path)).toEqual(expected));
});

test('a text of an earlier attempt with other words is called a text', async () => {
  const change = (db: Database.Database) =>
    void db
      .prepare(
        "UPDATE blobs SET encoding = 0, bytes = CAST('other words' AS BLOB) WHERE ref = (SELECT ref FROM cases WHERE id = (SELECT case_id FROM trials WHERE trial = ?))",
      )
      .run(trial);
  const look = (reader: Store) => {
    const chain = reader.events.chain(trial);
    const fault = { trial, seq: 0, kind: 'trial-open', problem: '', isText: true };
    const { salt } = reader.datasets.get(1) ?? { salt: new Uint8Array() };
    const found = faultsOf(reader, salt, fault, chain, parseReadable(chain).slice(-1));
    expect(found.damage_means).toMatch(/^What is written here is not what was recorded\./);
    expect(found.faulty_texts).toEqual([]);
  };
  await withCopy(store, change, (path) => reading(path, look));
});

/** Texts of a trial by what they are on its screen: kind and field of the event that names each. */
const shownTexts: Readonly<Record<string, readonly [kind: string, field: string, what: RegExp]>> = {
  speech: ['utterance-make', 'text', /^speech 1 \(prosecution, opening\)$/],
  plan: ['utterance-make', 'plan', /^the answer with the words and the private plan of speech 1 /],
  note: ['belief-update', 'notes', /^private notes on a belief/],
};

test.each(['speech', 'plan', 'note', 'prompt'])(
  'a %s with other words is named where it is shown, and is not exported',
  async (what) => {
    const text = shownTexts[what];
    const change = (db: Database.Database) => {
      const ref =
        text === undefined
          ? db
              .prepare<[], string>(
                "SELECT value FROM events, json_each(json_extract(payload, '$.arms[0].templates')) WHERE kind = 'experiment-freeze' LIMIT 1",
              )
              .pluck()
              .get()
          : db
              .prepare<[string, string, string], string>(
                'SELECT json_extract(payload, ?) FROM events WHERE kind = ? AND trial = ?',
              )
              .pluck()
              .get(`$.${text[1]}`, text[0], trial);
      const { changes: rows } = db
        .prepare("UPDATE blobs SET encoding = 0, bytes = CAST('other words' AS BLOB) WHERE ref = ?")
        .run(Buffer.from(ref ?? '', 'base64url'));
      expect(rows).toBe(1);
    };
    await withCopy(store, change, async (path) => {
      // The transcript has no prompts.
      const shown = (await show(path, 'nlsy97-demo', trial)).damage;
      if (text === undefined) expect(shown).toBeUndefined();
      else {
        expect(shown).toContain('does not have its hash');
        const { faulty_texts: faulty, faulty_calls: calls, damage_means: means } = onScreen(path);
        expect(faulty).toContainEqual({
          ...{ seq: expect.any(Number), field: text[1], what: expect.stringMatching(text[2]), gone: false },
        });
        // The advocates heard the speech, and the answer of its call has its words.
        if (what === 'speech')
          expect(calls.map(({ texts }) => texts[0])).toContainEqual({
            ...{ what: expect.stringMatching(text[2]), gone: false, answer: 'turn-1/prosecutor/attempt-1' },
          });
        expect(means).toMatch(/^What is written here is not what was recorded\. Every event has its hash/);
      }
      for (const format of ['trials-csv', 'trials-jsonl', 'html'] as const)
        await expect(exported(path, format, false)).rejects.toMatchObject({
          message: expect.stringContaining('fails its check'),
        });
      expect(await exported(path, 'html', true)).toMatch(/class="banner" role="alert">DAMAGED RECORD: /);
    });
  },
);

describe('what a check found is kept', () => {
  const old = new Date('2026-01-01');
  let [path, cache] = ['', ''];

  /** The last text becomes another one. */
  function change(ref: string, checkpoint = false): void {
    const db = new Database(path);
    const { changes: rows } = db
      .prepare("UPDATE blobs SET encoding = 0, bytes = CAST('Changed.' AS BLOB) WHERE ref = ?")
      .run(Buffer.from(ref, 'base64url'));
    expect(rows).toBe(1);
    if (checkpoint) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    for (const file of [path, `${path}-wal`]) if (existsSync(file)) utimesSync(file, old, old);
  }

  const looked = () =>
    reading(path, (store) => {
      const read = vi.spyOn(store.blobs, 'bytes');
      const fault = textFaultOf(store, 'nlsy97-demo', undefined);
      return { fault, reads: read.mock.calls.length, last: read.mock.lastCall?.[0] ?? '' };
    });

  beforeEach((context) => {
    cache = room.path(`cache-${context.task.id}`);
    for (const place of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(place, cache);
    path = room.path(`kept-${context.task.id}.db`);
    copyFileSync(store, path);
    utimesSync(path, old, old);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  const later = () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);

  test('until the file changes; a fault and a file written just now are not', () => {
    const first = looked();
    expect(first).toMatchObject({ fault: null, reads: expect.toSatisfy((reads: number) => reads > 0) });
    expect(looked()).toEqual(first);
    later();
    expect(looked()).toEqual(first);
    expect(looked()).toMatchObject({ fault: null, reads: 0 });
    change(first.last, true);
    for (const _again of [1, 2]) expect(looked().fault?.problem).toContain('does not have its hash');
  });

  test('for all threads where the rows are sound, and not where they are damaged', () => {
    const cached = () => readdirSync(join(cache, process.platform === 'linux' ? 'assize' : 'Assize', 'sound'));
    later();
    expect(look(path)).toMatchObject({ trials: 4, damaged: 0 });
    expect(cached()).toHaveLength(1);
    const db = new Database(path);
    db.prepare('UPDATE trials SET prediction = NULL').run();
    db.close();
    utimesSync(path, old, old);
    expect(look(path).damaged).toBeGreaterThan(0);
    expect(cached()).toHaveLength(1);
  });

  test('only of the files as they were before the reading began', async () => {
    const { last } = looked();
    later();
    const [before, after] = [kept(openStoreReadOnly(path)), kept(openStoreReadOnly(path))];
    await before.snapshot(async () => {
      expect(before.trials.ofExperiment('nlsy97-demo')).toHaveLength(4);
      const db = new Database(path);
      db.prepare('UPDATE trials SET prediction = NULL').run();
      db.close();
      change(last);
      expect(textFaultOf(before, 'nlsy97-demo', undefined)).toBeNull();
      expect(textFaultOf(after, 'nlsy97-demo', undefined)?.problem).toContain('does not have its hash');
      expect(damageOf(before, 'nlsy97-demo').damaged).toBe(0);
      expect(damageOf(after, 'nlsy97-demo').damaged).toBeGreaterThan(0);
    });
  });
});

test('a trial whose row was altered to name another arm is counted as altered, and not as one to come', () =>
  withCopy(
    store,
    (db) => void db.prepare("UPDATE trials SET arm = 'nowhere' WHERE trial = ?").run(trial),
    (path) => {
      const { planned, done, altered } = reading(path, (opened) => summaryOf(opened, loadFrozen(opened, 'nlsy97-demo')));
      expect([altered, planned - done]).toEqual([1, 1]);
    },
  ));
