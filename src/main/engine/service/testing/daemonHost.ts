import { join } from 'node:path';
import { vi } from 'vitest';
import { type FakeBehaviour, type FakeOllama, fakeOllama } from '../../models/daemon/testing/fakeOllama.ts';
import { lastingPort } from '../../models/testing/server.ts';
import { openSettings } from '../settings.ts';
import { type EngineHost, startEngineHost } from './engineHost.ts';
import { type Client, type StartedRoom, startRoom } from './engineRoom.ts';
import { until } from './runs.ts';

export interface DaemonHost<Engine> {
  readonly fake: FakeOllama;
  readonly engine: Engine;
  /** The address of the settings, where no server answers. */
  readonly url: string;
  end(): Promise<void>;
}

async function open<Engine>(
  behaviour: FakeBehaviour,
  start: (folder: string, env: Record<string, string>) => Engine | Promise<Engine>,
  stop: (engine: Engine) => Promise<void>,
): Promise<DaemonHost<Engine>> {
  const fake = fakeOllama(behaviour);
  const url = `http://127.0.0.1:${await lastingPort()}`;
  openSettings(join(fake.folder, 'store.db')).change({ ollamaUrl: url, concurrency: 4 });
  const engine = await start(fake.folder, { ASSIZE_OLLAMA: fake.program, ...fake.env });
  return {
    fake,
    engine,
    url,
    async end() {
      await stop(engine);
      await fake.gone();
      fake.remove();
    },
  };
}

/** An engine whose settings name an address where no server answers, and whose Ollama is the fake. */
export const openDaemonHost = (behaviour: FakeBehaviour): Promise<DaemonHost<EngineHost>> =>
  open(
    behaviour,
    async (folder, env) => {
      const host = startEngineHost({ folder, env });
      await host.ready();
      return host;
    },
    (host) => host.stop(),
  );

/** The same in the process of the test. */
export const openDaemonRoom = (behaviour: FakeBehaviour): Promise<DaemonHost<StartedRoom>> =>
  open(
    behaviour,
    (folder, env) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      return startRoom(folder);
    },
    async (room) => {
      await room.end();
      vi.unstubAllEnvs();
    },
  );

/** The state of the engine's own Ollama when it is ready. */
export const ownReady = (client: Client) =>
  until(async () => {
    const status = await client.daemon.status({});
    return status.state === 'ready' && status.own && status;
  });
