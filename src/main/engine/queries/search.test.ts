import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { toldRows } from '../../../core/telling/rows.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { eraseInStore } from '../engine.ts';
import { register } from '../erase/register.ts';
import { searchFolder } from '../report/statisticsCache.ts';
import { adjudicate, giveComment, giveReview, signRecord, stateOf } from '../reviews/ledger.ts';

import { parseChain } from '../store/parseChain.ts';
import { openStore, openStoreReadOnly, type Store } from '../store/store.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import { withStore } from '../store/withStore.ts';
import type { QueryPool } from './pool.ts';
import { excerpt } from './search.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('search-query');
let pool: QueryPool;
let path: string;

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 2 });
  pool = queriesHere(path);
});

const find = (sought: string, experiment: string | null = null) => pool.run('search', { sought, experiment });

test('what was said is found with its place, the newest trial first, and a missing index is remade', async () => {
  const { hits, count } = await find('arrest');
  expect(count).toBeGreaterThan(4);
  expect(hits).toHaveLength(Math.min(count, 50));
  for (const { of, seq, pieces, experiment, isPlan, turn } of hits) {
    const trial = of?.trial ?? '';
    expect(experiment).toBe('nlsy97-demo');
    expect(pieces.some(({ text, isFound }) => isFound && text.toLowerCase() === 'arrest')).toBe(true);
    const { entries } = await pool.run('trialEntries', { trial, after: seq - 1 });
    const entry = entries.find((each) => each.seq === seq);
    expect(JSON.stringify(entry)).toMatch(/arrest/i);
    const speech = entry?.kind === 'utterance' ? toldRows((await pool.run('trial', { trial })).entries) : [];
    expect(turn).toBe(speech.find((row) => row.seq === seq)?.what ?? null);
    expect(isPlan).toBe(entry?.kind === 'utterance' && !/arrest/i.test(entry.text ?? ''));
  }
  expect(new Set(hits.map(({ of }) => of?.trial)).size).toBeGreaterThan(1);
  expect(new Set(hits.map(({ isPlan }) => isPlan)).size).toBe(2);
  expect(await pool.run('search', { sought: 'arrest', experiment: null, offset: 2, limit: 2 })).toEqual({
    hits: hits.slice(2, 4),
    ...{ count, mostCounted: 1_000 },
  });
  expect((await find('arrest', 'another')).count).toBe(0);
  expect((await find('"" ')).count).toBe(0);
  const store = openStore(path, { create: false });
  register.find(({ place }) => place === 'index of what was said')?.clean?.(store);
  store.close();
  expect(existsSync(searchFolder() ?? '')).toBe(false);
  expect(await find('arrest')).toEqual({ hits, count, mostCounted: 1_000 });
  expect(readdirSync(searchFolder() ?? '')).toHaveLength(1);
});

/** What somebody wrote in an entry: its strings of several words, up to the first quotation mark. */
const proseIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value.split(/["“”\n]/)[0]?.trim() ?? ''].filter((text) => /(\S+ ){5}/.test(text))
    : Object.values(value ?? {}).flatMap(proseIn);

test('each longer sentence in a transcript of any protocol of the papers is found where it is shown, and no setup of a call', async () => {
  const every = room.path('every.db');
  writeEveryProtocol(every);
  const whole = queriesHere(every);
  const lines = await withStore(openStoreReadOnly(every), (store) => store.trials.all());
  const [unfound, twice] = [new Set<string>(), new Set<string>()];
  // Trials of a case say much that is the same.
  const found = new Map<string, Awaited<ReturnType<typeof find>>['hits']>();
  let sought = 0;
  for (const { trial, protocol } of lines) {
    const { entries } = await whole.run('trialEntries', { trial, after: -1 });
    for (const entry of entries) {
      for (const text of proseIn(entry)) {
        sought++;
        const hits = found.get(text) ?? (await whole.run('search', { sought: `"${text}"`, experiment: null, limit: 1_000 })).hits;
        found.set(text, hits);
        const { role } = entry;
        const alike = hits.filter((hit) => hit.of?.trial === trial && hit.by === role && hit.kind !== 'utterance-make');
        for (const hit of alike)
          if (alike.some(({ seq, kind, pieces }) => seq < hit.seq && kind !== hit.kind && isDeepStrictEqual(pieces, hit.pieces)))
            twice.add(`${protocol} ${hit.kind}: ${text}`);
        // Notes that repeat the speaker's own speech or ruling are found there.
        const isThere = ({ of, seq, by }: (typeof hits)[number]) =>
          of?.trial === trial && (seq === entry.seq || (entry.kind === 'belief' && by === role));
        if (!hits.some(isThere)) unfound.add(`${protocol} ${entry.kind}: ${text}`);
      }
    }
  }
  expect(sought).toBeGreaterThan(200);
  expect([...unfound]).toEqual([]);
  expect([...twice]).toEqual([]);
  expect((await whole.run('search', { sought: 'llama3.1', experiment: null })).count).toBe(0);
});

test('what people wrote is found where it is shown, until it is taken back or erased', async () => {
  const experiment = 'nlsy97-demo';
  const copy = room.path('reviewed.db');
  copyFileSync(path, copy);
  const written = <T>(work: (store: Store) => T) => withStore(openStore(copy, { create: false }), work);
  const find = async (sought: string) => (await queriesHere(copy).run('search', { sought, experiment })).hits;
  const [speech] = (await find('arrest')).filter(({ kind }) => kind === 'utterance-make');
  const [trial, utterance] = [speech?.of?.trial ?? '', speech?.at ?? 0];
  const about = { trial, replaces: null, judgement: 'label' as const, blind: true, seconds: 1 };
  const seq = await written((store) => {
    const event = parseChain(store.events.chain(trial))[utterance];
    const quote = event?.kind === 'utterance-make' ? [...store.blobs.need(event.payload.text)].slice(0, 5).join('') : '';
    giveReview(store, experiment, { ...about, reviewer: 'Ana', label: 'YES', reason: 'a hedgerow' });
    giveReview(store, experiment, { ...about, reviewer: 'Ben', label: 'NO', reason: 'no hedgerow' });
    adjudicate(store, experiment, { ...about, reviewer: 'Cleo', label: 'YES', reason: 'the veranda', settles: [0, 1] });
    signRecord(store, experiment, { reviewer: 'Dora', reason: 'the gazebo', state: stateOf(store, experiment), replaces: null });
    return giveComment(store, { ...about, utterance, reviewer: 'Ben', start: 0, end: 5, quote, comment: 'a turret' });
  });
  const [of, isPerson] = [{ trial }, true];
  expect(await find('hedgerow')).toMatchObject([
    { kind: 'review-give', by: 'Ben', isPerson, of, at: null },
    { kind: 'review-give', by: 'Ana', isPerson, of, at: null },
  ]);
  expect(await find('veranda')).toMatchObject([{ kind: 'review-adjudicate', by: 'Cleo', of, at: null }]);
  expect(await find('gazebo')).toMatchObject([{ kind: 'record-sign', by: 'Dora', of: null }]);
  expect(await find('turret')).toMatchObject([{ kind: 'comment-give', by: 'Ben', of, at: utterance, seq }]);
  await written((store) => {
    const nothing = { judgement: 'withdrawn' as const, label: null, reason: null };
    giveReview(store, experiment, { ...about, ...nothing, reviewer: 'Ben', replaces: 1 });
  });
  expect(await find('hedgerow')).toMatchObject([{ by: 'Ana' }]);
  await eraseInStore(copy, { kind: 'experiment', experiment }, {});
  for (const word of ['hedgerow', 'veranda', 'gazebo', 'turret']) expect(await find(word)).toEqual([]);
});

test('an excerpt is the text around what was found', () => {
  const text = `${'a'.repeat(200)} Landlord, landlord ${'b'.repeat(300)}`;
  const pieces = excerpt(text, ['landlord']);
  expect(pieces.filter(({ isFound }) => isFound).map(({ text: found }) => found)).toEqual(['Landlord', 'landlord']);
  expect(pieces.map(({ text: part }) => part).join('')).toMatch(/^…a{89} Landlord, landlord b+…$/);
  expect(excerpt('short', ['not there'])).toEqual([{ text: 'short', isFound: false }]);
});
