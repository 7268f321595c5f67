import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { kills } from '../shared/exhaustive.fixture.ts';
import { callsOf, linesOf, openServer, writeDemo } from './disturbance.fixture.ts';
import { openWorkbench, until } from './testing.ts';

/** How often servers are killed with SIGKILL and restarted during a run. */
const deaths = 20;
const cases = 6;
const bench = openWorkbench();
const servers: Awaited<ReturnType<typeof openServer>>[] = [];
afterAll(async () => {
  for (const { end } of servers) await end();
  bench.remove();
});

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
    const mine = await Promise.all(
      Array.from({ length: count }, (_each, index) => openServer(bench, `server-${count}-${index}`)),
    );
    servers.push(...mine);
    const [first, second] = mine;
    const backends = {
      default: { kind: 'ollama', url: first?.url },
      ...(second === undefined ? {} : { second: { kind: 'ollama', url: second.url, joins: 'default' } }),
    };
    // A call fails if its only server dies under it. This test is not about calls that fail many times in a row.
    const file = writeDemo(bench, `servers-${count}`, cases, { backends, runtime: { retries: 5 } });
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

    const [lines, same] = [await linesOf(bench, store), await linesOf(bench, whole)];
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
