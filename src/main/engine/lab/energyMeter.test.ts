import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Energy, energySum, energyWords } from '../../../shared/energy.ts';
import { openStore } from '../store/store.ts';
import { kept, keptFolder } from '../testing/kept.ts';
import { energyMeter } from './energyMeter.ts';

test('energy is in the log while a run is under way, in one entry that grows, and the sum is over all runs', () => {
  const store = kept(openStore(join(keptFolder(), 'store.db'), { create: true }));
  const entries = () => store.runLog.of('e').map(({ event, detail }) => ({ event, ...(JSON.parse(detail) as object) }));
  const first = energyMeter(store, 'e');
  for (let sample = 0; sample < 70; sample++) first.add(3600, 10);
  // Killed here: what was read since the last note is lost.
  expect(entries()).toEqual([{ event: 'run-energy', watt_hours: 60, hours: 0.167 }]);
  for (let sample = 0; sample < 60; sample++) first.add(3600, 10);
  expect(entries()).toEqual([{ event: 'run-energy', watt_hours: 120, hours: 0.333 }]);

  let total: Energy | null = null;
  const second = energyMeter(store, 'e', (energy) => {
    total = energy;
  });
  second.add(36_000, 20);
  expect(total).toEqual({ watt_hours: 130, hours: 0.339 });
  second.note();
  second.note();
  expect(entries()).toHaveLength(2);
  expect(store.runLog.energy('e')).toEqual(total);
  expect(store.runLog.energy('another')).toBeNull();
});

test('where an entry of an older version has no hours, those of the sum are unknown', () => {
  const sum = energySum([{ watt_hours: 1200.5 }, { watt_hours: 800, hours: 3 }, {}]);
  expect(sum).toEqual({ watt_hours: 2000.5, hours: null });
  expect(sum && energyWords(sum)).toBe('about 2 kWh, from the power that the GPUs reported');
  expect(energyWords({ watt_hours: 12.5, hours: 3.2 })).toBe('about 12.5 Wh over 3.2 h, from the power that the GPUs reported');
});
