import { describe, expect, test } from 'vitest';
import type { Pull } from '../../../../shared/api/models.ts';
import { until } from '../../lab/testing/laboratory.ts';
import { systemClock } from '../../service/supervisor.ts';
import { kept } from '../../testing/kept.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../demo/demoServer.ts';
import { createDispatcher } from '../dispatcher.ts';
import { lastingPort, serve } from '../testing/server.ts';
import { ollamaLibrary } from './client.ts';
import { openPullManager, type PullManager, type PullManagerOptions } from './pullManager.ts';

/** Every state that a screen could have been shown, one after the other. */
type Watched = Readonly<ReturnType<typeof watch>>;

function watch(url: () => string, more: Partial<PullManagerOptions> = {}, duringPause: () => Promise<void> = async () => {}) {
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const shown: (readonly Pull[])[] = [];
  const pauses: number[] = [];
  let pulled = 0;
  const manager: PullManager = openPullManager({
    library: async () => ollamaLibrary(dispatcher, { url: url() }),
    diskFree: async () => null,
    onChange: () => void shown.push(manager.list()),
    onPulled: () => {
      pulled += 1;
    },
    clock: {
      ...systemClock,
      async wait(ms) {
        pauses.push(ms / 1000);
        await duringPause();
      },
    },
    ...more,
  });
  return {
    manager: kept(manager),
    shown,
    /** Pauses that were asked for, in seconds. */
    pauses,
    dispatcher,
    pulled: () => pulled,
  };
}

const start = async (options: Partial<DemoServerOptions> = {}): Promise<DemoServer> =>
  kept(await startDemoServer({ port: 0, ...options }));

const only = ({ manager }: Watched): Pull => {
  const [pull, more] = manager.list();
  if (pull === undefined || more !== undefined) throw new Error('there is not one pull');
  return pull;
};

/** What must hold of any pull at any moment. */
function checkShown({ shown }: Watched): void {
  const before = new Map<string, Pull>();
  for (const pull of shown.flat()) {
    const digests = pull.layers.map(({ digest }) => digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(pull.completed).toBe(pull.layers.reduce((sum, { completed }) => sum + completed, 0));
    expect(pull.total).toBe(pull.layers.reduce((sum, { total }) => sum + total, 0));
    expect(pull.completed).toBeLessThanOrEqual(pull.total);
    const last = before.get(pull.model);
    if (last !== undefined && pull.resumed >= last.resumed) expect(pull.completed).toBeGreaterThanOrEqual(last.completed);
    before.set(pull.model, pull);
  }
}

/** Bytes of the demo model's model, all layers. */
async function sizeOf({ url }: DemoServer, name: string): Promise<number> {
  const { models } = (await (await fetch(`${url}/api/tags`)).json()) as { models: { name: string; size: number }[] };
  return models.find((model) => model.name === name)?.size ?? Number.NaN;
}

describe('a pull that is interrupted', () => {
  test('twenty times, in turn cut, reset and ended without success: it resumes by itself, and its sums are right', async () => {
    let breaks = 0;
    const standin = await start({
      profile: { base: 'instant', machine: { timed: true, pullRate: 2e9 } },
      pullFault: ({ lines, earlier }) => {
        if (earlier >= 20 || lines < 2) return null;
        breaks += 1;
        return (['cut', 'reset', 'end'] as const)[earlier % 3] ?? null;
      },
    });
    const watched = watch(() => standin.url);
    watched.manager.add(['newcomer:8b']);
    await watched.manager.idle();
    expect(breaks).toBe(20);
    const size = await sizeOf(standin, 'newcomer:8b');
    expect(only(watched)).toMatchObject({ state: 'done', resumed: 20, problem: null, completed: size, total: size });
    checkShown(watched);
    // Each connection brought something, so that none of the pauses grew.
    expect(new Set(watched.pauses)).toEqual(new Set([1]));
    expect(standin.pulls()).toBe(0);
    expect(watched.pulled()).toBe(1);
  });

  test('for good: after pauses that grow it is given up, with what to do', async () => {
    const gone = await startDemoServer({ port: await lastingPort() });
    await gone.close();
    const watched = watch(() => gone.url);
    watched.manager.add(['llama3.1:8b']);
    await watched.manager.idle();
    expect(only(watched).state).toBe('failed');
    expect(only(watched).problem).toBe(
      `It was given up after 10 tries that brought nothing: no connection to ${gone.url} (ECONNREFUSED). ` +
        'Start Ollama there and pull again: the download resumes.',
    );
    expect(watched.pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30]);
    // The server is back: the same request starts again.
    kept(await startDemoServer({ port: gone.port }));
    watched.manager.add(['llama3.1:8b']);
    await watched.manager.idle();
    expect(only(watched)).toMatchObject({ state: 'done', resumed: 0, problem: null });
  });

  test('by invalid lines: they are no success', async () => {
    const answers = ['<html>', '{"status":"pulling manifest"}\n', '{"done":true}\n', '{"status":"success"}\n'];
    const odd = kept(await serve((_request, response) => void response.writeHead(200).end(answers.shift())));
    const watched = watch(() => odd.url);
    watched.manager.add(['odd:1b']);
    await watched.manager.idle();
    expect(only(watched)).toMatchObject({ state: 'done', resumed: 3 });
  });
});

describe('errors of the server are worded', () => {
  test('a model that is nowhere: at once, and not tried again', async () => {
    const standin = await start();
    const watched = watch(() => standin.url);
    watched.manager.add(['missing:7b']);
    await watched.manager.idle();
    expect(only(watched)).toMatchObject({ state: 'failed', resumed: 0 });
    expect(only(watched).problem).toContain('there is no model of this name to fetch (pull model manifest: file does not exist)');
    expect(watched.pauses).toEqual([]);
  });

  test('a disk that is full, after a while', async () => {
    const error = 'write /var/lib/blobs/sha256-aa-partial: no space left on device';
    const standin = await start({ pullFault: ({ lines }) => (lines === 3 ? { error } : null) });
    const watched = watch(() => standin.url, { tellable: (text) => text.replace(/\/\S+\//, '') });
    watched.manager.add(['newcomer:8b']);
    await watched.manager.idle();
    expect(only(watched).problem).toBe(
      'It was given up: the disk on which the server keeps its models is full ' +
        '(write sha256-aa-partial: no space left on device). Free some space and pull again: what was fetched is kept.',
    );
    expect(only(watched).completed).toBeGreaterThan(0);
  });

  test('files that come damaged are not fetched again and again', async () => {
    const error = 'digest mismatch, file must be downloaded again: want sha256:aa, got sha256:bb';
    const standin = await start({ pullFault: ({ status }) => (status === 'writing manifest' ? { error } : null) });
    const watched = watch(() => standin.url);
    watched.manager.add(['newcomer:8b']);
    await watched.manager.idle();
    expect(only(watched)).toMatchObject({ state: 'failed', resumed: 2 });
    expect(only(watched).problem).toMatch(/^It was given up: a file came damaged \(digest mismatch.*\)\. Pull again; /);
  });

  test('a disk that will be full is reported during the download', async () => {
    const standin = await start({ profile: { base: 'instant', machine: { timed: true, pullRate: 2e10 } } });
    const watched = watch(() => standin.url, { diskFree: async () => 1e9 });
    watched.manager.add(['newcomer:8b']);
    await watched.manager.idle();
    const warnings = new Set(watched.shown.flat().map(({ warning }) => warning));
    expect([...warnings].join()).toMatch(/About 4\.\d GB are still missing, and 1 GB are free on the models’ disk\./);
    expect(only(watched)).toMatchObject({ state: 'done', warning: null });
  });
});

describe('the queue', () => {
  test('sixteen models, one after the other in their order; the same twice is one', async () => {
    const standin = await start({ models: [] });
    const names = Array.from({ length: 16 }, (_, index) => `m${index}:${index + 1}b`);
    const watched = watch(() => standin.url);
    watched.manager.add([...names, 'm3:4b', 'M3:4b']);
    watched.manager.add(names.slice(0, 4));
    await watched.manager.idle();
    expect(watched.manager.list().map(({ model }) => model)).toEqual(names.toReversed());
    expect(watched.manager.list().every(({ state }) => state === 'done')).toBe(true);
    for (const pulls of watched.shown) {
      expect(pulls.filter(({ state }) => state === 'pulling' || state === 'verifying').length).toBeLessThanOrEqual(1);
    }
    const begun = watched.shown.flat().flatMap(({ model, state }) => (state === 'pulling' ? [model] : []));
    expect([...new Set(begun)]).toEqual(names);
    expect(watched.pulled()).toBe(16);
    checkShown(watched);
  });

  test('a cancelled pull leaves nothing running, here or at the server, and the next one begins', async () => {
    const standin = await start({ profile: 'laptop' });
    const watched = watch(() => standin.url);
    watched.manager.add(['slow:8b', 'later:1b', 'third:1b']);
    await until(() => standin.pulls() === 1 && (watched.manager.list().at(-1)?.completed ?? 0) > 0);
    watched.manager.cancel('later:1b');
    watched.manager.cancel('slow:8b');
    const states = () => watched.manager.list().map(({ state }) => state);
    await until(() => states()[0] === 'pulling' && (watched.manager.list()[0]?.total ?? 0) > 0);
    expect(states()).toEqual(['pulling', 'cancelled', 'cancelled']);
    await until(() => standin.pulls() === 1);
    await watched.manager.close();
    await until(() => standin.pulls() === 0);
    expect(states()).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(() => watched.manager.cancel('slow:8b')).toThrow('slow:8b is not being fetched');
    watched.manager.dismiss('slow:8b');
    expect(states()).toHaveLength(2);
    expect(() => watched.manager.dismiss('slow:8b')).toThrow('there is no pull of slow:8b');
  });

  test('one that is cancelled in its pause is not continued', async () => {
    const standin = await start({ pullFault: () => 'cut' });
    const watched = watch(
      () => standin.url,
      {},
      async () => {
        if (only(watched).state === 'pulling') watched.manager.cancel('newcomer:3b');
      },
    );
    watched.manager.add(['newcomer:3b']);
    expect(() => watched.manager.dismiss('newcomer:3b')).toThrow('cancel that first');
    await watched.manager.idle();
    expect(only(watched)).toMatchObject({ state: 'cancelled', resumed: 0 });
    expect(watched.pauses).toEqual([1]);
  });

  test('cloud models are refused before anything is asked', async () => {
    const standin = await start();
    const watched = watch(() => standin.url);
    for (const name of ['gpt-oss:120b-cloud', 'kimi:cloud']) {
      expect(() => watched.manager.add(['llama3.1:8b', name])).toThrow('somebody else’s machine');
    }
    expect(watched.manager.list()).toEqual([]);
    expect(watched.dispatcher.connections().size).toBe(0);
  });
});

test('one that is cancelled before its server is found stays cancelled', async () => {
  const { url } = await start();
  const found = Promise.withResolvers<void>();
  const { manager } = watch(() => url, {
    async library() {
      await found.promise;
      throw new Error('nothing asks any more');
    },
  });
  manager.add(['qwen2.5:7b']);
  manager.cancel('qwen2.5:7b');
  found.resolve();
  await manager.idle();
  expect(manager.list()).toMatchObject([{ state: 'cancelled', problem: null }]);
});
