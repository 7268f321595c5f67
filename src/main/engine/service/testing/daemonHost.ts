import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsSchema } from '../../../../shared/api/engine.ts';
import { freePort } from '../../models/daemon/daemonProcess.ts';
import { type FakeBehaviour, type FakeOllama, fakeOllama } from '../../models/daemon/testing/fakeOllama.ts';
import { type Client, type EngineHost, startEngineHost } from './engineHost.ts';
import { until } from './runs.ts';

export interface DaemonHost {
  readonly fake: FakeOllama;
  readonly host: EngineHost;
  /** The address of the settings, where nobody answers. */
  readonly url: string;
  end(): Promise<void>;
}

/** An engine whose settings name an address where nobody answers, and whose Ollama is the fake. */
export async function openDaemonHost(behaviour: FakeBehaviour): Promise<DaemonHost> {
  const fake = fakeOllama(behaviour);
  const url = `http://127.0.0.1:${await freePort()}`;
  writeFileSync(
    join(fake.folder, 'store.settings.json'),
    JSON.stringify(settingsSchema.parse({ ollamaUrl: url, concurrency: 4 })),
  );
  const host = startEngineHost({ folder: fake.folder, env: { ASSIZE_OLLAMA: fake.program, ...fake.env } });
  return {
    fake,
    host,
    url,
    async end() {
      await host.stop();
      await fake.gone();
      fake.remove();
    },
  };
}

/** The state of the engine's own Ollama when it is ready. */
export const ownReady = (client: Client) =>
  until(async () => {
    const status = await client.daemon.status({});
    return status.state === 'ready' && status.own && status;
  });
