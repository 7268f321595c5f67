import { expect, test } from 'vitest';
import type { HardwareWarning } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { type HardwareManagerOptions, openHardwareManager } from './hardwareManager.ts';
import { fakeClock, machineOf, someGpu, someReading } from './testing.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
const here = 'http://127.0.0.1:11434';
const elsewhere = 'http://gpu.example:11434';

const model = (gpu_share: number, name = 'llama3.1:8b'): LoadedModel => ({
  name,
  size: 100,
  size_vram: 100 * gpu_share,
  gpu_share,
  context: 8192,
  expires_at: null,
});

function bench(options: Partial<HardwareManagerOptions> = {}) {
  const clock = fakeClock();
  const asked: string[] = [];
  const state = { loaded: new Map<string, LoadedModel[] | null>(), reading: someReading };
  const manager = openHardwareManager({
    machine: machineOf(() => state.reading),
    loaded: async (url) => {
      asked.push(url);
      return state.loaded.get(url) ?? null;
    },
    idleServer: () => here,
    clock,
    ...options,
  });
  const warned: HardwareWarning[] = [];
  const run = (servers: Record<string, Record<string, number>>) => ({
    servers: () => new Map(Object.entries(servers).map(([url, models]) => [url, new Map(Object.entries(models))])),
    onWarning: (warning: HardwareWarning) => void warned.push(warning),
  });
  return { clock, asked, state, manager, warned, run };
}

test('a watcher gets a sample about every second, with figures of the contract; with no watcher, none is taken', async () => {
  const { clock, asked, state, manager } = bench();
  state.loaded.set(here, [model(1)]);
  clock.pass(10_000);
  expect(manager.sample()).toBeNull();
  let samples = 0;
  const leave = manager.watch(() => {
    samples += 1;
  });
  for (let second = 0; second < 3; second += 1) {
    await settle();
    clock.pass(1000);
  }
  await settle();
  expect(samples).toBe(4);
  const sample = manager.sample();
  expect(sample).toMatchObject({ gpus: someReading.gpus, memory_free: someReading.memory.free, processor: 0.5 });
  expect(sample?.loaded).toEqual([model(1)]);
  leave();
  leave();
  expect(manager.sample()).toBeNull();
  clock.pass(60_000);
  await settle();
  expect(samples).toBe(4);
  expect(asked).toHaveLength(4);
});

test('a run hears what the GPUs used, from the watts that they report; a gap in the reports counts nothing', async () => {
  const { clock, state, manager, run } = bench();
  const drawing = (...watts: (number | null)[]) => ({ ...someReading, gpus: watts.map((power) => ({ ...someGpu, power })) });
  const heard: number[] = [];
  state.reading = drawing(100, 200);
  const leave = manager.follow({ ...run({ [here]: {} }), onEnergy: (joules) => void heard.push(joules) });
  for (const reading of [drawing(100, 400), drawing(null, null), drawing(50, null), drawing(150, null)]) {
    await settle();
    state.reading = reading;
    clock.pass(10_000);
  }
  await settle();
  expect(heard).toEqual([4000, 1000]);
  leave();
});

test('runs that work side by side share the energy; one that is held or asks elsewhere gets none, nor does a gap in which the machine slept', async () => {
  const { clock, state, manager, run } = bench();
  state.reading = { ...someReading, gpus: [{ ...someGpu, power: 300 }] };
  const heard = { one: 0, other: 0, seconds: 0 };
  const isWorking = { one: true, other: true };
  manager.follow({
    ...run({ [here]: {} }),
    isWorking: () => isWorking.one,
    onEnergy(joules, seconds) {
      heard.one += joules;
      heard.seconds += seconds;
    },
  });
  manager.follow({
    ...run({ [here]: {} }),
    isWorking: () => isWorking.other,
    onEnergy(joules) {
      heard.other += joules;
    },
  });
  const pass = async (milliseconds: number) => {
    await settle();
    clock.pass(milliseconds);
    await settle();
  };
  await pass(10_000);
  expect(heard).toEqual({ one: 1500, other: 1500, seconds: 10 });
  isWorking.other = false;
  await pass(10_000);
  await pass(10_000);
  expect(heard).toEqual({ one: 7500, other: 1500, seconds: 30 });
  isWorking.one = false;
  await pass(10_000);
  await pass(10_000);
  expect(heard.one).toBe(7500);
  isWorking.one = true;
  await pass(10_000);
  clock.sleep(3600_000);
  await pass(10_000);
  expect(heard).toEqual({ one: 7500, other: 1500, seconds: 30 });
  await manager.close();
});

test('a run that no one watches is checked every ten seconds, at its own servers', async () => {
  const { clock, asked, manager, run } = bench();
  const leave = manager.follow(run({ [here]: { 'llama3.1:8b': 8192 }, [elsewhere]: { qwen: 4096 } }));
  await settle();
  clock.pass(9999);
  await settle();
  expect(asked).toEqual([here, elsewhere]);
  clock.pass(1);
  await settle();
  expect(asked).toHaveLength(4);
  leave();
  clock.pass(60_000);
  await settle();
  expect(asked).toHaveLength(4);
});

test('a fall is reported once to the runs that ask the model, stays on the screens, and is gone with the run', async () => {
  const { clock, state, manager, warned, run } = bench();
  const other: HardwareWarning[] = [];
  const leave = manager.follow(run({ [here]: { 'LLAMA3.1:8B': 8192 } }));
  manager.follow({
    servers: () => new Map([[here, new Map([['qwen2.5:7b', 8192]])]]),
    onWarning: (warning) => void other.push(warning),
  });
  manager.watch(() => undefined);
  state.loaded.set(here, [model(1), model(1, 'qwen2.5:7b')]);
  await settle();
  clock.pass(1000);
  await settle();
  state.loaded.set(here, [model(0), model(1, 'qwen2.5:7b')]);
  for (let second = 0; second < 3; second += 1) {
    clock.pass(1000);
    await settle();
  }
  expect(warned.map(({ kind, model: name }) => [kind, name])).toEqual([['fell-to-processor', 'llama3.1:8b']]);
  expect(other).toEqual([]);
  expect(manager.warnings().map(({ kind }) => kind)).toEqual(['fell-to-processor']);
  leave();
  clock.pass(1000);
  await settle();
  expect(manager.warnings()).toEqual([]);
});

test('a tool that fails for once leaves the GPUs as they were', async () => {
  const { clock, state, manager } = bench();
  manager.watch(() => undefined);
  await settle();
  state.reading = { ...someReading, gpus: [], unsure: true };
  clock.pass(1000);
  await settle();
  expect(manager.sample()?.gpus).toEqual(someReading.gpus);
  expect(manager.warnings()).toEqual([]);
  state.reading = { ...someReading, gpus: [] };
  clock.pass(1000);
  await settle();
  expect(manager.sample()?.gpus).toEqual([]);
  expect(manager.warnings().map(({ kind }) => kind)).toEqual(['gpu-lost']);
});

test('once closed, it does not report the sample that was under way', async () => {
  const { manager } = bench();
  let samples = 0;
  manager.watch(() => {
    samples += 1;
  });
  await manager.close();
  expect(samples).toBe(0);
});
