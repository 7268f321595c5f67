import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../../shared/api/engine.ts';
import type { DraftInput } from '../../../../shared/api/experiments.ts';
import type { Client } from './engineRoom.ts';

/** Slow enough that a test can step in, fast enough to wait for: an answer takes some tens of milliseconds. */
export const pace = {
  base: 'instant',
  machine: { timed: true, decodeRate: 4_000, promptRate: 1e6, loadRate: 1e15, slots: 8 },
} as const;

/** The more turns, the more calls a trial has. */
export const draft = (name: string, cases: number, turns = 1): DraftInput => ({
  name,
  entry: 'nlsy97',
  sample: { from: 'all', n: cases },
  seed: 1,
  replicates: 1,
  backend: 'ollama',
  arms: [{ name: 'court', protocol: 'agentic-sim', params: { turns }, cast: { '*': { model: 'm:1' } } }],
});

export const tryDraft = {
  protocol: 'agentic-sim',
  model: 'm:1',
  backend: 'ollama' as const,
  question: 'Will he be re-arrested?',
  facts: 'He is 22 and has no job.',
  labels: ['NO', 'YES'],
};

export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (let attempt = 0; attempt < 6_000; attempt++) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(10);
  }
  throw new Error('what the test waits for does not come');
}

export const runOf = async (client: Client, experiment: string): Promise<Run | undefined> =>
  (await client.engine.status({})).runs.find((run) => run.experiment === experiment);

export const reached = (client: Client, experiment: string, fits: (run: Run) => boolean) =>
  until(async () => {
    const run = await runOf(client, experiment);
    return run !== undefined && fits(run) && run;
  });

export const finished = (client: Client, experiment: string) =>
  reached(client, experiment, ({ state, error }) => {
    if (state === 'failed') throw new Error(error?.message);
    return state === 'finished';
  });
