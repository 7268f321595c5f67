import { expect, test } from 'vitest';
import { differingIn } from '../../../core/figures/ablations.ts';
import { openFolder, writeExperiment } from '../audit/testing/sampleStore.ts';
import { settingsOfPair } from './armSettings.ts';
import { readExperiment } from './experimentFile.ts';

const room = openFolder('arm-settings');

test('one temperature in every role and seat reads the same wherever it is set, and another one in a seat does not', () => {
  const player = (temperature?: number) => ({ model: 'm', options: temperature === undefined ? {} : { temperature } });
  const casts = {
    protocol: { '*': player() },
    same: { '*': player(0.7), judge2: player(0.7) },
    cold: { '*': player(0.7), judge2: player(0) },
    usual: { '*': player(0.7), judge2: player() },
  };
  const arm = (name: string, cast: object, temperature = 0.7) => ({
    ...{ name, protocol: 'courtroom', params: { judges: 3, temperature }, cast },
  });
  // One seat of `usual` and `low` samples with the temperature of the protocol.
  const arms = [...Object.entries(casts).map(([name, cast]) => arm(name, cast)), arm('low', casts.usual, 0.2)];
  const prepared = readExperiment(writeExperiment(room.folder, { cases: 2, change: { arms } }));
  const differing = (a: string, b: string) => {
    const [one, other] = settingsOfPair(prepared.arms, a, b) ?? [];
    return differingIn(one ?? {}, other ?? {}).map(({ name }) => name);
  };
  expect(differing('same', 'cold')).not.toEqual([]);
  expect(differing('usual', 'low')).toContain('temperature');
  expect(differing('protocol', 'same')).not.toContain('temperature');
});
