import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import { parseTrialLines, type Workbench } from './testing.ts';

const demo = join(import.meta.dirname, '../../resources/experiments/nlsy97-demo.json');
const definition = JSON.parse(readFileSync(demo, 'utf8'));

export interface Seen {
  readonly event: 'arrived' | 'answered';
  readonly time: string;
  readonly model: string;
  readonly seed: number | null;
  readonly status: number | null;
  readonly bodySha256: string;
}

/** A demo model in another process, as slow as a workstation. */
export async function openServer(bench: Workbench, name: string) {
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
    kill: (signal: NodeJS.Signals) => running.kill(signal),
    /** Kills it, and starts it again at the same address after a pause. */
    async restart(pauseMs: number) {
      await end();
      await sleep(pauseMs);
      running = await begin(Number(new URL(url).port));
    },
  };
}
export function writeDemo(bench: Workbench, name: string, cases: number, changes: object = {}): string {
  const file = bench.path(`${name}.json`);
  const dataset = { ...definition.dataset, path: join(demo, '..', definition.dataset.path), sample: { from: 'test', n: cases } };
  writeFileSync(file, JSON.stringify({ ...definition, dataset, ...changes }));
  return file;
}

/** The calls of each trial with their answers, by trial; of a call that failed, why. */
export const callsOf = (path: string) =>
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

/** What the record says of each trial, but for times. */
export async function linesOf(bench: Workbench, store: string) {
  const { output } = await bench.assize(`export nlsy97-demo --store ${store} --format trials-jsonl --out -`);
  return new Map(parseTrialLines(output).map((line) => [line.trial, timeless(line)]));
}
