import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoteOf } from '../../../core/review/range.ts';
import { eventSchemas, isEventKind } from '../../../shared/events.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { type Debates, debaters, openDebates, trained, unassisted } from '../lab/assistant/testing/debates.ts';
import { everyone, type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { adjudicate, giveComment, giveReview, signRecord, stateOf } from '../reviews/ledger.ts';

import { parseChain } from '../store/parseChain.ts';
import { openStore, openStoreReadOnly } from '../store/store.ts';
import { checkTrial, replayStore } from './replay.ts';
import { forge } from './testing/forging.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

/** No event, whatever its payload, may break a check: the answer is always a verdict. Every hash is right. */

const room = openFolder('damage');
const python = secondVerifier();
let standin: DemoServer;
let lab: Hearings;
let debates: Debates;
let stores: string[];

/** Every event of the stores, by kind. */
let events: Map<string, { store: string; chain: string; place: number }[]>;

/** One trial judged, commented, settled and signed. */
function reviewOneTrial(path: string): void {
  const store = openStore(path, { create: false });
  const found = store.trials.all().flatMap((row) => {
    const event = parseChain(store.events.chain(row.trial)).find(({ kind }) => kind === 'utterance-make');
    return event?.kind === 'utterance-make' && row.outcome === 'decided' ? [{ ...row, event }] : [];
  })[0];
  if (found === undefined) throw new Error('no one spoke in a trial with a verdict');
  const { trial, experiment, event } = found;
  const said = { trial, reason: 'The facts are too few.', replaces: null };
  for (const [reviewer, label] of [
    ['First reader', 'YES'],
    ['Second reader', 'NO'],
  ] as const)
    giveReview(store, experiment, { ...said, reviewer, label, judgement: 'label', blind: true, seconds: 9 });
  const quote = quoteOf(store.blobs.need(event.payload.text), { start: 0, end: 3 }) ?? '';
  giveComment(store, { ...said, reviewer: 'First reader', utterance: event.seq, start: 0, end: 3, quote, comment: 'Why?' });
  adjudicate(store, experiment, { ...said, reviewer: 'Third reader', label: 'YES', settles: [0, 1] });
  signRecord(store, experiment, {
    ...{ reviewer: 'Third reader', reason: 'Read.', replaces: null },
    state: stateOf(store, experiment),
  });
  store.close();
}

beforeAll(async () => {
  standin = await startDemoServer();
  const cast = everyone();
  lab = openHearings({
    url: standin.url,
    cases: textCases(12),
    arms: [
      { name: 'court', protocol: 'courtroom', params: { judges: 1, ambiguity: 5 }, cast },
      { name: 'single', protocol: 'single', params: { shots: 1 }, cast },
      { name: 'vote', protocol: 'vote', params: { voters: 3, shots: 1 }, cast: everyone(false) },
    ],
  });
  await lab.run();
  debates = openDebates(standin.url, 26);
  await debates.run('lessons', { from: 'train', arms: [unassisted] });
  await debates.train('lessons');
  const exchange = { name: 'exchange', protocol: 'evince', params: { maxRounds: 1 }, cast: { '*': debaters['*'] } };
  await debates.run('rated', { from: 'test', n: 1, arms: [trained, exchange] });
  // It has a moderated debate and an erasure as well as all other kinds of events.
  const fixture = join(room.folder, 'fixture.db');
  writeFileSync(fixture, gunzipSync(readFileSync(join(import.meta.dirname, '../store/fixtures/format-5.db.gz'))));
  const sample = await makeSampleStore(room.folder, { cases: 2 });
  reviewOneTrial(sample);
  stores = [sample, lab.store, fixture, debates.store];
  events = new Map();
  for (const store of stores) {
    const opened = openStoreReadOnly(store);
    for (const { trial: chain, seq: place, kind } of opened.events.all()) {
      const known = events.get(kind) ?? [];
      // The others are larger.
      if (!exhaustive && known.some((each) => each.store !== store)) continue;
      events.set(kind, [...known, { store, chain, place }]);
    }
    opened.close();
  }
});

afterAll(async () => {
  lab.close();
  debates.close();
  await standin.close();
});

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const json = fc.jsonValue({ maxDepth: 2 });

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );
}

/** A value in place of another: of any form, of the same form, a text of another kind, or a text that is not there. */
const changes = fc.oneof(
  json.map((value) => (): unknown => value),
  fc.constantFrom('A'.repeat(43), '!'.repeat(43), 'B'.repeat(64), '', 'judge').map((text) => (): unknown => text),
  share.map(
    (which) =>
      (_own: unknown, strings: readonly string[]): unknown =>
        strings[Math.floor(which * strings.length)],
  ),
  fc.integer({ min: -2, max: 3 }).map(
    (by) =>
      (own: unknown): unknown =>
        typeof own === 'number' ? own + by : [own],
  ),
);

test.each(Object.keys(eventSchemas).filter((kind) => isEventKind(kind)))('%s', async (kind) => {
  const all = events.get(kind) ?? [];
  // What no trial of these stores has; extensions have the payload of a freeze.
  if (['experiment-extend', 'prediction-import', 'turn-forfeit', 'measure-take', 'step-take'].includes(kind) && all.length === 0)
    return;
  expect(all.length).toBeGreaterThan(0);
  await fc.assert(
    fc.asyncProperty(share, share, changes, async (which, where, change) => {
      const event = all[Math.floor(which * all.length)];
      if (event === undefined) throw new Error(`no ${kind}`);
      const path = `${event.store}.damaged`;
      try {
        forge(event.store, path, event.chain, ({ events: forged }) => {
          const found = forged[event.place];
          if (found === undefined) throw new Error('no such event');
          const paths = pathsIn(found.payload).slice(1);
          const strings = paths.map((each) => valueAt(found.payload, each)).filter((value) => typeof value === 'string');
          const at = paths[Math.floor(where * paths.length)] ?? [];
          const parent = valueAt(found.payload, at.slice(0, -1));
          const key = at.at(-1) ?? '';
          if (typeof parent === 'object' && parent !== null) Reflect.set(parent, key, change(Reflect.get(parent, key), strings));
        });
      } catch {
        // The projection cannot be made of such events: they are written, and the rows stay as they were.
      }
      try {
        const report = verifyPath(path);
        expect(['intact', 'tampered']).toContain(report.result);
        if (report.result === 'tampered') expect(report.first_bad).not.toBeNull();
        expect(['intact', 'tampered', undefined]).toContain((await python.verify(path))?.result);
        const store = openStoreReadOnly(path);
        try {
          const all = store.trials.all();
          const own = all.filter(({ trial }) => trial === event.chain);
          const rows = own.length > 0 ? own : all.slice(0, 2);
          expect((await replayStore(store, rows, () => undefined)).store).toBe(path);
          for (const row of rows) expect(['intact', 'tampered']).toContain((await checkTrial(store, row)).chain);
        } finally {
          store.close();
        }
      } finally {
        for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, { force: true });
      }
    }),
    { numRuns: exhaustive ? 8 : 1 },
  );
});

test.each<readonly [string, string, (own: unknown) => unknown]>([
  ['trial-open', 'freeze', (own) => [own]],
  ['trial-open', 'case', () => 5],
  ['trial-close', 'outcome', () => ({})],
  ['precedent-retrieve', 'precedents', () => null],
  ['precedent-retrieve', 'setup', (own) => [own]],
])('%s whose %s has another form is tampered, for both verifiers', async (kind, field, change) => {
  const [event] = events.get(kind) ?? [];
  if (event === undefined) throw new Error(`no ${kind}`);
  const path = `${event.store}.damaged`;
  try {
    forge(event.store, path, event.chain, ({ events: forged }) => {
      const payload = forged[event.place]?.payload ?? {};
      payload[field] = change(payload[field]);
    });
  } catch {
    // The projection cannot be made of such events: they are written, and the rows stay as they were.
  }
  try {
    const tampered = { result: 'tampered', first_bad: { trial: event.chain } };
    expect(verifyPath(path)).toMatchObject(tampered);
    expect((await python.verify(path)) ?? tampered).toMatchObject(tampered);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(path + suffix, { force: true });
  }
});
