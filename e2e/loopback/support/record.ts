import { setTimeout as pause } from 'node:timers/promises';
import type { DraftInput } from '../../../src/shared/api/experiments.ts';
import type { TrialLine } from '../../../src/shared/trialLine.ts';
import type { Api } from './engineApi.ts';

/** Waits until something holds; gives up after a minute. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let left = 600; left > 0; left--) {
    if (await holds()) return;
    await pause(100);
  }
  throw new Error(`waited without success until ${what}`);
}

/** Waits until the run of an experiment is over. */
export async function linesAtTheEnd(api: Api, experiment: string): Promise<readonly TrialLine[]> {
  await until('the run is over', async () => {
    const { run } = (await api.experiments.read({ experiment })).summary;
    if (run?.error) throw new Error(run.error.message);
    return run?.state === 'finished';
  });
  return (await api.experiments.trials({ experiment, order: 'case', limit: 500 })).lines;
}

/** Starts an experiment and waits until its run is over. */
export async function runToItsEnd(api: Api, draft: DraftInput): Promise<{ experiment: string; lines: readonly TrialLine[] }> {
  const { experiment } = await api.experiments.start(draft);
  return { experiment, lines: await linesAtTheEnd(api, experiment) };
}

/** An arm of the debate among six speeches, with a name that no test looks for by chance. */
export const courtArm = { name: 'court', protocol: 'agentic-sim', cast: { '*': { model: 'llama3.1:8b' } } };
export const soloArm = { name: 'single answer', protocol: 'standard', cast: { '*': { model: 'llama3.1:8b' } } };

interface MadeExperiment {
  readonly experiment: string;
  /** The first and the last in court. */
  readonly trial: string;
  readonly other: string;
}

/** A small finished experiment of two arms over a bundled data set, by the demo model inside the program. */
export async function makeExperiment(api: Api, change: Partial<DraftInput> = {}): Promise<MadeExperiment> {
  const { experiment, lines } = await runToItsEnd(api, {
    entry: 'deposits',
    sample: { n: 3 },
    backend: 'standin',
    arms: [courtArm, soloArm],
    ...change,
  });
  const inCourt = lines.filter(({ arm }) => arm === courtArm.name);
  const [first, last] = [inCourt[0], inCourt.at(-1)];
  if (first === undefined || last === undefined) throw new Error('the experiment has no trial in court');
  return { experiment, trial: first.trial, other: last.trial };
}
