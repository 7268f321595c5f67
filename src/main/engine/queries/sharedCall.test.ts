import { beforeAll, expect, test } from 'vitest';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { reading } from '../testing/reading.ts';
import type { QueryPool } from './pool.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('shared-calls');
const experiment = 'shared-calls';
let pool: QueryPool;
let trials: string[];

beforeAll(async () => {
  const cast = { '*': { model: 'llama3.1:8b' } };
  const params = { judges: 1, ambiguity: 5, shots: 1 };
  const arms = ['one', 'other'].map((name) => ({ name, protocol: 'courtroom', cast, params }));
  // The hearing is asked first, then the fresh ones: the first of those has to be asked again.
  const fault = (number: number) => (number === 1 ? 'truncated' : null);
  const path = await makeSampleStore(room.folder, { cases: 1, fault, change: { name: experiment, arms } });
  pool = queriesHere(path);
  trials = reading(path, (store) => store.trials.ofExperiment(experiment)).map(({ trial }) => trial);
});

const sharesOf = async (trial: string) => {
  const { entries } = await pool.run('trialEntries', { trial, after: -1 });
  return entries.flatMap((entry) => (entry.kind === 'share' ? [entry] : []));
};

test('a call that was made once can be read from every trial that took its answer, attempt by attempt', async () => {
  expect(trials).toHaveLength(2);
  const again: string[] = [];
  for (const trial of trials) {
    const shares = await sharesOf(trial);
    expect(shares).toHaveLength(5 + 2);
    for (const { key, role, attempts = 1, model } of shares) {
      for (let number = 1; number <= attempts; number++) {
        const call = await pool.run('call', { trial, key: `${key}/attempt-${number}` });
        expect(call).toMatchObject({ key: `${key}/attempt-${number}`, role, shared: true });
        expect(call.setup).toMatchObject({ model: 'llama3.1:8b', standin: true, backend: 'default' });
        expect(model).toBe('llama3.1:8b (demo model)');
        expect(call.messages.at(-1)?.content).toContain(
          key.startsWith('ambiguity') ? 'You are the clerk.' : 'The right answer for this case is',
        );
        expect(call.rejected === null).toBe(number === attempts);
      }
      if (attempts > 1) again.push(key);
    }
  }
  expect(again).toEqual(['ambiguity/hearing-1', 'ambiguity/hearing-1']);
});

test('a call of only the trial is shown as such, and an event that is no call is not found', async () => {
  const [trial = ''] = trials;
  expect(await pool.run('call', { trial, key: 'hearing/clerk/attempt-1' })).toMatchObject({ shared: false });
  for (const key of ['ambiguity/hearing-1', 'ambiguity/hearing-1/attempt-3', 'ambiguity/hearing-9/attempt-1', 'hearing/clerk'])
    await expect(pool.run('call', { trial, key })).rejects.toMatchObject({ code: 'not-found' });
});
