// What the screens ask of a store, each twice: the first reads the file.
import { queries } from '../../src/main/engine/queries/queries.ts';
import type { Store } from '../../src/main/engine/store/store.ts';
import { atMost, print, rounded } from './lines.ts';

const untold = () => undefined;

/** Prints how long an action takes: by the clock, of the processor, which the goal is for, and how much more memory the process has then had. */
export async function measure(what: string, action: () => unknown, goalMs?: number): Promise<void> {
  const [began, before, growth] = [performance.now(), process.cpuUsage(), process.resourceUsage().maxRSS];
  await action();
  const { user, system } = process.cpuUsage(before);
  const [ms, processorMs] = [rounded(performance.now() - began), rounded((user + system) / 1000)];
  const moreMiB = Math.round((process.resourceUsage().maxRSS - growth) / 1024);
  print({ what, ms, processorMs, moreMiB, ...(goalMs === undefined ? {} : atMost(processorMs, goalMs)) });
}

export async function askAsScreens(store: Store, experiment: string, goalMs?: number): Promise<void> {
  const [first] = store.trials.page({ experiment, order: 'case' }, { offset: 0, limit: 1 }).rows;
  const page = { experiment, offset: 0, limit: 100 } as const;
  const asked: Record<string, () => unknown> = {
    'list of experiments': () => queries.experimentList.run(store, null, untold),
    'experiment with its counts': () => queries.experiment.run(store, { experiment }, untold),
    'table, newest first': () => queries.trialPage.run(store, { ...page, order: 'newest' }, untold),
    'table by case': () => queries.trialPage.run(store, { ...page, order: 'case' }, untold),
    'a trial': () => queries.trial.run(store, { trial: first?.trial ?? '' }, untold),
  };
  for (const [what, ask] of Object.entries(asked))
    for (const round of ['first', 'again']) await measure(`${what}, ${round}`, ask, goalMs);
}
