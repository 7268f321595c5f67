// How long the questions of the screens take on a store, each twice (the first reads the file): node bench/queries.ts STORE
import { queries } from '../src/main/engine/queries/queries.ts';
import { openStoreReadOnly } from '../src/main/engine/store/store.ts';

const [path = ''] = process.argv.slice(2);
const store = openStoreReadOnly(path);
const untold = () => undefined;

async function measure(name: string, ask: () => unknown): Promise<void> {
  const times: string[] = [];
  for (let round = 0; round < 2; round++) {
    const before = process.cpuUsage();
    await store.snapshot(async () => ask());
    const { user, system } = process.cpuUsage(before);
    times.push(`${Math.round((user + system) / 1000)} ms`);
  }
  process.stdout.write(`${name}: ${times.join(', then ')} of the processor\n`);
}

const [experiment = ''] = store.experiments.names();
const page = { experiment, offset: 0, limit: 100 } as const;
const [first] = store.trials.page({ experiment, order: 'case' }, { offset: 0, limit: 1 }).rows;
await measure('list of experiments', () => queries.experimentList.run(store, null));
await measure('experiment', () => queries.experiment.run(store, { experiment }, untold));
for (const order of ['newest', 'case', 'outcome', 'confidence'] as const)
  await measure(`table by ${order}`, () => queries.trialPage.run(store, { ...page, order }, untold));
await measure('table of those that are wrong', () =>
  queries.trialPage.run(store, { ...page, order: 'case', correct: false }, untold),
);
await measure('trial', () => queries.trial.run(store, { trial: first?.trial ?? '' }, untold));
await measure('line of a trial', () => queries.trialLine.run(store, { trial: first?.trial ?? '' }));
await measure('counts and accuracies', () => queries.statistics.run(store, { experiment, quick: true, cache: null }, untold));
store.close();
