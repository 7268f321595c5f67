import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { narrate } from '../core/cases/narrative.ts';
import { preparationChain } from '../core/record/identity.ts';
import { probeText } from '../main/engine/lab/backends.ts';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import { openBench } from './testing.ts';

/**
 * The run is killed with SIGKILL when its server gets this many requests, or this many for vectors, the test text's
 * included: with the first cases on trial, while the training split is made into vectors, and among the reasons and
 * hearings that all trials share.
 */
const moments: readonly { readonly requests?: number; readonly vectors?: number }[] = [
  { requests: 2 },
  { vectors: 3 },
  { requests: 4 },
  { requests: 12 },
];

const embedSchema = z.object({ input: z.array(z.string()) });
/** Four fifths of the cases: vectors of these are made before any trial continues. */
const cases = 140;
const trainingCases = (cases * 4) / 5;

/** Called for every request that arrives. */
let onRequest: () => void = () => undefined;
/** Texts that vectors were asked for, in order. */
const embedded: string[] = [];

const bench = await openBench({
  fault({ endpoint }, body) {
    if (endpoint === '/api/embed') embedded.push(...embedSchema.parse(JSON.parse(body)).input);
    onRequest();
    return null;
  },
});
const { standin } = bench;

const words = [
  ['the parcel came late', 'I waited for weeks', 'it was due on Monday'],
  ['the vase was broken', 'the box was torn', 'the lid is bent'],
];

function experiment(): string {
  const folder = bench.room('letters');
  const letters = Array.from({ length: cases }, (_, index) => {
    const own = words[index % 2] ?? [];
    return {
      id: `c${index}`,
      text: `${own[index % 3]} and ${own[(index >> 1) % 3]}, order ${index}`,
      label: index % 2 === 0 ? 'delay' : 'damage',
    };
  });
  writeFileSync(`${folder}/cases.jsonl`, letters.map((kase) => JSON.stringify(kase)).join('\n'));
  const file = `${folder}/experiment.json`;
  writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      name: 'letters',
      dataset: {
        path: 'cases.jsonl',
        kind: 'text',
        id: 'id',
        label: { column: 'label' },
        labels: ['delay', 'damage'],
        question: 'What is the letter about?',
        split: { test: 0.2, train: 0.8 },
        sample: { from: 'test', n: 6 },
      },
      arms: [
        {
          name: 'court',
          protocol: 'courtroom',
          params: { judges: 1 },
          cast: { '*': { model: 'm:1' }, retriever: { model: 'embed:1' } },
        },
      ],
    }),
  );
  return file;
}

interface OnRecord {
  readonly seeds: ReadonlySet<number>;
  readonly texts: ReadonlySet<string>;
}

/** Seeds of the calls that are answered, and texts that have vectors. */
const onRecord = (path: string): Promise<OnRecord> =>
  withStore(openStoreReadOnly(path), (store) => {
    const events = store.events.heads().flatMap(({ chain }) => parseChain(store.events.chain(chain)));
    return {
      seeds: new Set(events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload.seed] : []))),
      texts: new Set(
        events.flatMap((event) =>
          event.kind === 'embedding-make' && event.payload.vectors !== null
            ? event.payload.cases.map((ref) => narrate(store.datasets.read(ref).facts, 'text'))
            : [],
        ),
      ),
    };
  });

const preparedEvents = (path: string) =>
  withStore(openStoreReadOnly(path), (store) => store.events.chain(preparationChain('letters')).length);

test('a run that is killed in the middle of its preparation asks nothing twice and ends as one that was never killed', {
  tags: 'exhaustive',
  timeout: 240_000,
}, async () => {
  const file = experiment();
  const runInto = (store: string) => bench.start(`run ${file} --store ${store} --ollama ${standin.url} --concurrency 2`);
  const linesOf = async (store: string) => (await bench.lines(store, 'letters')).map(timeless);
  const whole = bench.path('whole.db');
  expect((await runInto(whole).ended).code).toBe(0);

  const store = bench.path('killed.db');
  let kills = 0;
  const vectorsAtKill: number[] = [];
  let complete = false;
  for (let round = 0; !complete; round++) {
    const before: OnRecord = round === 0 ? { seeds: new Set(), texts: new Set() } : await onRecord(store);
    const [seen, texts] = [standin.requests().length, embedded.length];
    const { requests = Number.POSITIVE_INFINITY, vectors = Number.POSITIVE_INFINITY } = moments[round] ?? {};
    const run = runInto(store);
    onRequest = () => {
      const made = standin.requests().slice(seen);
      const forVectors = made.filter(({ endpoint }) => endpoint === '/api/embed').length;
      if (made.length >= requests || forVectors >= vectors) run.kill('SIGKILL');
    };
    const { code, errors } = await run.ended;
    onRequest = () => undefined;
    if (code === null) {
      kills += 1;
      vectorsAtKill.push((await onRecord(store)).texts.size);
    } else expect(code, errors).toBe(0);
    complete = code === 0;
    const again = standin
      .requests()
      .slice(seen)
      .filter(({ seed }) => seed !== null && before.seeds.has(seed));
    expect(again, 'calls made again though their answers are on the record').toEqual([]);
    const askedFor = embedded.slice(texts).filter((text) => text !== probeText);
    expect(
      askedFor.filter((text) => before.texts.has(text)),
      'vectors made again',
    ).toEqual([]);
  }
  expect(kills).toBe(moments.length);
  const half = vectorsAtKill.filter((count) => count > 0 && count < trainingCases);
  expect(half.length, 'kills among the vectors of the training cases').toBeGreaterThan(0);
  expect(await preparedEvents(store)).toBe(await preparedEvents(whole));
  expect(await linesOf(store)).toEqual(await linesOf(whole));
  for (const command of ['verify', 'replay']) {
    const { code, errors } = await bench.assize(`${command} ${store}`);
    expect(code, errors).toBe(0);
  }
});
