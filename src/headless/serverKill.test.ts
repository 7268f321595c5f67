import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import { kills } from '../shared/exhaustive.fixture.ts';
import { openWorkbench, parseTrialLines, until } from './testing.ts';

/** How often servers are killed with SIGKILL and restarted during a run. */
const deaths = 20;
const cases = 6;
const bench = openWorkbench();
const demo = join(import.meta.dirname, '../../resources/experiments/nlsy97-demo.json');
const definition = JSON.parse(readFileSync(demo, 'utf8'));

interface Seen {
  readonly event: 'arrived' | 'answered';
  readonly time: string;
  readonly model: string;
  readonly seed: number | null;
  readonly status: number | null;
  readonly bodySha256: string;
}

/** A demo model in another process, as slow as a workstation. */
async function openServer(name: string) {
  const log = bench.path(`${name}.jsonl`);
  const seen = (): Seen[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.endsWith('}'))
          .map((line) => JSON.parse(line))
      : [];
  const begin = async (port: number) => {
    const started = bench.start(`standin --port ${port} --profile workstation --log ${log}`);
    return { ...started, url: (await started.printed).trim() };
  };
  let running = await begin(0);
  const { url } = running;
  const end = async () => {
    running.kill('SIGKILL');
    await running.ended;
  };
  return {
    url,
    seen,
    answered: () => seen().filter(({ event }) => event === 'answered').length,
    end,
    /** Kills it, and starts it again at the same address after a pause. */
    async restart(pauseMs: number) {
      await end();
      await sleep(pauseMs);
      running = await begin(Number(new URL(url).port));
    },
  };
}
type Server = Awaited<ReturnType<typeof openServer>>;

const servers: Server[] = [];
afterAll(async () => {
  for (const { end } of servers) await end();
  bench.remove();
});

function experiment(name: string, backends: Readonly<Record<string, object>>): string {
  const file = bench.path(`${name}.json`);
  const dataset = { ...definition.dataset, path: join(demo, '..', definition.dataset.path), sample: { from: 'test', n: cases } };
  // A call fails if its only server dies under it. This test is not about calls that fail many times in a row.
  writeFileSync(file, JSON.stringify({ ...definition, dataset, backends, runtime: { retries: 5 } }));
  return file;
}

/** The calls of each trial with their answers, by trial; of a call that failed, why. */
const callsOf = (path: string) =>
  withStore(openStoreReadOnly(path), (store) => {
    const textOf = (ref: string | null | undefined) => (ref ? store.blobs.need(ref) : null);
    return new Map(
      store.trials.all().map(({ trial }) => {
        const calls = parseChain(store.events.chain(trial)).flatMap(({ kind, payload }) =>
          kind === 'call-answer'
            ? [
                {
                  key: payload.key,
                  model: JSON.parse(store.blobs.need(payload.setup)).model as string,
                  seed: payload.seed,
                  answer: textOf(payload.answer),
                  failure: textOf(payload.failure?.message),
                },
              ]
            : [],
        );
        return [trial, calls];
      }),
    );
  });

async function linesOf(store: string) {
  const { output } = await bench.assize(`export nlsy97-demo --store ${store} --format trials-jsonl --out -`);
  return new Map(parseTrialLines(output).map((line) => [line.trial, timeless(line)]));
}

test.runIf(kills >= 40).each([
  ['alone', 1],
  ['as a pool of two', 2],
])(
  `a run whose servers are killed ${deaths} times, %s, gives the same records as an undisturbed one`,
  { timeout: 1_200_000 },
  async (_, count) => {
    const seed = Date.now() % 2 ** 31;
    console.info(`seed of the moments: ${seed}`);
    const random = randomSource(seed, 'servers');
    const mine = await Promise.all(Array.from({ length: count }, (_each, index) => openServer(`server-${count}-${index}`)));
    servers.push(...mine);
    const [first, second] = mine;
    const backends = {
      default: { kind: 'ollama', url: first?.url },
      ...(second === undefined ? {} : { second: { kind: 'ollama', url: second.url, joins: 'default' } }),
    };
    const file = experiment(`servers-${count}`, backends);
    const [whole, store] = [bench.path(`whole-${count}.db`), bench.path(`disturbed-${count}.db`)];
    const run = (path: string) => bench.start(`run ${file} --store ${path} --concurrency 4`);
    const undisturbed = await run(whole).ended;
    expect(undisturbed.code, undisturbed.errors).toBe(0);

    const before = mine.map(({ seen }) => seen().length);
    const answered = () => mine.reduce((sum, server) => sum + server.answered(), 0);
    const { ended } = run(store);
    let over = false;
    void ended.then(() => (over = true));
    let killed = 0;
    for (; killed < deaths && !over; killed++) {
      const from = answered() + 1 + random.below(2);
      await until(() => over || answered() >= from);
      await sleep(random.below(4) * 250);
      if (over) break;
      await mine[random.below(count)]?.restart(random.below(3) * 250);
    }
    const { code, errors } = await ended;
    expect(code, errors).toBe(0);
    expect(killed).toBe(deaths);

    const [lines, same] = [await linesOf(store), await linesOf(whole)];
    const [calls, expected] = [await callsOf(store), await callsOf(whole)];
    expect([...lines.keys()].toSorted()).toEqual([...same.keys()].toSorted());
    const failed = [...calls.values()].flat().filter(({ failure }) => failure !== null);
    console.info(`${failed.length} calls failed: ${[...new Set(failed.map(({ failure }) => failure))].join('; ')}`);
    const [undisturbedRequests, requests] = [
      mine.flatMap((server, index) => server.seen().slice(0, before[index])),
      mine.flatMap((server, index) => server.seen().slice(before[index])),
    ].map((seen) => seen.filter(({ seed: each }) => each !== null));
    const bodies = new Map(undisturbedRequests?.map(({ model, seed: each, bodySha256 }) => [`${model} ${each}`, bodySha256]));
    for (const [trial, line] of lines) {
      expect(line.outcome).toBe('decided');
      const own = calls.get(trial) ?? [];
      // A further attempt has another seed, so its words differ.
      if (own.some(({ failure }) => failure !== null)) continue;
      expect(own).toEqual(expected.get(trial));
      expect(line).toEqual(same.get(trial));
      for (const { model, seed: each } of own) {
        const sent = requests?.filter((request) => request.model === model && request.seed === each) ?? [];
        expect(new Set(sent.map(({ bodySha256 }) => bodySha256))).toEqual(new Set([bodies.get(`${model} ${each}`)]));
      }
    }
    const answeredAt = new Map(
      requests?.flatMap(({ status, model, seed: each, time }) => (status === 200 ? [[`${model} ${each}`, time]] : [])),
    );
    const again = requests?.filter(
      ({ event, model, seed: each, time }) => event === 'arrived' && time > (answeredAt.get(`${model} ${each}`) ?? time),
    );
    expect(again, 'asked again though it was answered').toEqual([]);
    for (const command of ['verify', 'replay']) {
      const checked = await bench.assize(`${command} ${store}`);
      expect(checked.code, checked.errors).toBe(0);
    }
  },
);
