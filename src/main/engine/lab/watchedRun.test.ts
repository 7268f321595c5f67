import { expect, test } from 'vitest';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { openHardwareManager } from '../hardware/hardwareManager.ts';
import { machineOf, someGpu } from '../hardware/testing.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { createDispatcher } from '../models/dispatcher.ts';
import { openGate } from '../service/gate.ts';
import { kept } from '../testing/kept.ts';
import { connectBackends, neededModels, readyBackends } from './backends.ts';
import { loadFrozen } from './frozen.ts';
import { openLaboratory } from './testing/laboratory.ts';
import { runWatched, withHardware } from './watchedRun.ts';

const { signal } = new AbortController();

const model = (gpu_share: number): LoadedModel => ({
  name: 'm:1',
  size: 100,
  size_vram: 100 * gpu_share,
  gpu_share,
  context: 8192,
  expires_at: null,
});

test('the log of the runs says what the machine was and what went wrong with it, and the chains say nothing of it', async () => {
  const standin = kept(await startDemoServer());
  const laboratory = kept(await openLaboratory({ url: standin.url, cases: 2 }));
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const { store } = laboratory;
  const frozen = loadFrozen(store, 'laboratory');
  const { backends: servers, runtime } = frozen.definition;
  const backends = await readyBackends(connectBackends(dispatcher, servers, runtime), neededModels(frozen.definition));

  let looks = 0;
  const manager = openHardwareManager({
    machine: machineOf(() => ({ gpus: [{ ...someGpu, power: 3e6 }] })),
    loaded: async () => {
      looks += 1;
      return [model(looks === 1 ? 1 : 0)];
    },
    followedMs: 5,
  });
  const warned: string[] = [];
  const fallen = Promise.withResolvers<void>();
  const report = runWatched(
    store,
    frozen,
    backends,
    {
      concurrency: 1,
      maxTrials: null,
      retry: [],
      signal: signal,
      onProgress: () => undefined,
      // The run waits with its beginning until the fall was seen, however slow the machine of the test is.
      hold: { ...openGate(signal), passed: () => fallen.promise, isWorking: () => false },
    },
    {
      manager,
      slots: 4,
      onWarning({ kind }) {
        warned.push(kind);
        fallen.resolve();
      },
    },
  );
  expect(await report).toMatchObject({ done: 2, complete: true });
  await manager.close();
  expect(warned).toEqual(['fell-to-processor']);
  const log = store.runLog.of('laboratory').map(({ event, detail }) => ({ event, detail: JSON.parse(detail) }));
  // It was held all the time: the power that was read is not its own.
  expect(log.map(({ event }) => event)).toEqual(['run-warning', 'run-start', 'run-end']);
  expect(log[1]?.detail).toEqual({
    trials: 2,
    concurrency: 1,
    calls_at_a_time: { default: 1 },
    addresses: { default: standin.url },
    machine: {
      gpus: [someGpu.name],
      drivers: [someGpu.driver],
      servers: { default: expect.stringMatching(/^ollama .*standin$/) },
      slots: 4,
      ollama_log: 'memory',
    },
  });
  expect(log[0]?.detail).toMatchObject({ kind: 'fell-to-processor', model: 'm:1' });
  for (const { id } of laboratory.trials) expect(JSON.stringify(laboratory.chain(id))).not.toContain(someGpu.name);
});

test('the command line prints a sentence when a real server moves the model of a run off the GPU', async () => {
  const standin = kept(await startDemoServer());
  standin.showGpuShare(1);
  const laboratory = kept(await openLaboratory({ url: standin.url, cases: 3 }));
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const { store } = laboratory;
  const frozen = loadFrozen(store, 'laboratory');
  const { backends: servers, runtime } = frozen.definition;
  const backends = await readyBackends(connectBackends(dispatcher, servers, runtime), neededModels(frozen.definition));
  const sentences: string[] = [];
  const fallen = Promise.withResolvers<void>();
  let calls = 0;
  const seenWhole = Promise.withResolvers<void>();
  let looks = 0;
  const machine = machineOf(() => {
    // The first look after the first answer sees the model where it was loaded.
    if (calls > 0) looks += 1;
    if (looks === 2) seenWhole.resolve();
    return { gpus: [{ ...someGpu, power: 3e6 }] };
  });
  const options = {
    concurrency: 1,
    maxTrials: null,
    retry: [],
    signal: signal,
    onProgress(progress: { calls: number }) {
      calls = progress.calls;
    },
    hold: {
      ...openGate(signal),
      async call<T>(make: () => Promise<T>) {
        if (calls > 0) {
          await seenWhole.promise;
          standin.showGpuShare(0);
          await fallen.promise;
        }
        return make();
      },
    },
  };
  const onWarning = (sentence: string) => {
    sentences.push(sentence);
    fallen.resolve();
  };
  await withHardware(dispatcher, { onWarning, hardware: { machine, followedMs: 5 } }, null, (watch) =>
    runWatched(store, frozen, backends, options, watch),
  );
  expect(store.runLog.energy('laboratory')?.watt_hours).toBeGreaterThan(0);
  expect(sentences).toEqual([expect.stringMatching(/^m:1 is wholly on the processor now, after 100% on the GPU: /)]);
});
