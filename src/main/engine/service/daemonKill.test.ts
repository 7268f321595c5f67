import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { FakeBehaviour } from '../models/daemon/testing/fakeOllama.ts';
import { openDaemonHost, openDaemonRoom, ownReady } from './testing/daemonHost.ts';
import { draft, reached, until } from './testing/runs.ts';

async function host(behaviour: FakeBehaviour) {
  const opened = await openDaemonHost(behaviour);
  onTestFinished(opened.end);
  return opened;
}

async function room(behaviour: FakeBehaviour) {
  const opened = await openDaemonRoom(behaviour);
  onTestFinished(opened.end);
  return { ...opened, client: opened.engine.client };
}

const alive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Shells that watch over daemons of a program; their own words say so. */
function guardsOf(engine: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
        return Number(parent) === engine && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('assize-ollama-guard');
      } catch {
        return false;
      }
    });
}

test('the engine starts its own Ollama where none answers, reports it to screens, and ends it when it ends', async () => {
  const { fake, engine, url, client } = await room({ child: true });
  const frames: string[] = [];
  const watching = (async () => {
    for await (const body of await client.daemon.watch({})) {
      if (body.kind === 'status') frames.push(body.status.state);
      if (body.kind === 'log') frames.push(...body.log.lines.map(({ text }) => text));
    }
  })().catch(() => undefined);
  const status = await ownReady(client);
  expect(status).toMatchObject({ version: '0.33.0', cloud: 'off', program: 'configured', pid: fake.lives()[0]?.pid });
  expect(status.url).not.toBe(url);
  await until(async () => frames.includes('ready') && frames.some((frame) => frame.includes('Listening on')));
  expect(await client.backends.look({})).toContainEqual(
    expect.objectContaining({ choice: 'ollama', url: status.url, state: 'ready' }),
  );
  expect(await client.daemon.stop({})).toMatchObject({ state: 'away', own: false, url });
  expect(fake.survivors()).toEqual([]);
  expect(await client.daemon.start({})).toMatchObject({ state: 'ready', own: true });
  await engine.end();
  await watching;
  expect(fake.survivors()).toEqual([]);
  expect(readdirSync(fake.folder).filter((name) => name.includes('.ollama-'))).toEqual([]);
});

test('security 31: when the engine is killed its Ollama goes with it, and the next engine starts its own', async () => {
  const { fake, engine } = await host({ child: true, deaf: true });
  const first = await ownReady(engine.connect().client);
  engine.child().kill('SIGKILL');
  await engine.ready(2);
  const second = await ownReady(engine.connect().client);
  expect(second.pid).not.toBe(first.pid);
  await until(async () => !alive(first.pid ?? 0));
  expect(fake.lives()).toHaveLength(2);
});

test('security 31: where the guard was killed too, the next engine ends what was left', { tags: 'exhaustive' }, async () => {
  const { fake, engine } = await host({ child: true, deaf: true });
  const first = await ownReady(engine.connect().client);
  const [guard] = guardsOf(engine.child().pid ?? 0);
  expect(guard).toBeDefined();
  process.kill(guard ?? 0, 'SIGKILL');
  engine.child().kill('SIGKILL');
  await engine.ready(2);
  const second = await ownReady(engine.connect().client);
  expect(alive(first.pid ?? 0)).toBe(false);
  expect(second.pid).not.toBe(first.pid);
  expect(fake.lives()).toHaveLength(2);
});

test('a run starts its Ollama where it was stopped, and continues by itself when both engine and Ollama have died', {
  tags: 'exhaustive',
}, async () => {
  const { fake, engine } = await host({ standin: true });
  const before = engine.connect().client;
  await ownReady(before);
  await before.daemon.stop({});
  const { experiment } = await before.experiments.start(draft('own', 40));
  expect(fake.lives()).toHaveLength(2);
  await reached(before, experiment, ({ calls }) => calls > 5);
  engine.child().kill('SIGKILL');
  await engine.ready(2);
  const after = engine.connect().client;
  const run = await reached(after, experiment, ({ state }) => state === 'finished' || state === 'failed');
  expect(run).toMatchObject({ state: 'finished', done: 40, decided: 40, resumed: 1 });
  expect(fake.lives()).toHaveLength(3);
});
