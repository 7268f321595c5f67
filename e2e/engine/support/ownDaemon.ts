import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importModel, post } from '../../../build/engine/ollamaModels.ts';
import { tinyModel } from '../../../build/engine/tinyModel.ts';
import { type OwnDaemon, openOwnDaemon } from '../../../src/main/engine/models/daemon/ownDaemon.ts';
import { markedProcesses } from '../../../src/main/engine/models/daemon/processes.ts';
import { createDispatcher, type NetworkDispatcher } from '../../../src/main/engine/models/dispatcher.ts';
import { openDaemonManager } from '../../../src/main/engine/service/daemon.ts';
import { systemClock } from '../../../src/main/engine/service/supervisor.ts';
import { daemonSettingsSchema } from '../../../src/shared/api/daemon.ts';
import { settingsSchema } from '../../../src/shared/api/engine.ts';

const model = 'assize-tiny';

/** Variables of a process; what it was started with. */
const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Real `ollama serve` in the hands of the program. */
export function testOwnDaemon(program: string): void {
  let folder: string;
  let network: NetworkDispatcher;
  let daemon: OwnDaemon;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assize-own-ollama-'));
    network = createDispatcher({ allowedHosts: [] });
    const env = { ...process.env, HOME: folder, OLLAMA_MODELS: join(folder, 'models') };
    daemon = openOwnDaemon({ store: join(folder, 'store.db'), ask: network, env, clock: systemClock });
  });

  afterAll(async () => {
    await daemon.stop();
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = () => daemon.start({ program, settings: daemonSettingsSchema.parse({ reproducible: true }) });
  /** Every process of the daemon that runs now. */
  const family = (): number[] => {
    const { pid } = daemon.status();
    return pid === null ? [] : markedProcesses(environmentOf(pid).ASSIZE_DAEMON ?? '');
  };
  const ask = async (url: string | null) => {
    const options = { num_ctx: 2048, num_predict: 8, num_thread: 1 };
    const asked = { model, messages: [{ role: 'user', content: 'hello' }], stream: false, options };
    return post<{ done: boolean }>(`${url}/api/chat`, asked);
  };

  test('it becomes ready, and says itself that its cloud features are off', async () => {
    await start();
    const status = daemon.status();
    expect(
      status,
      daemon
        .log()
        .lines.map(({ text }) => text)
        .join('\n'),
    ).toMatchObject({
      state: 'ready',
      version: expect.any(String),
      cloud: 'off',
      problem: null,
    });
    const answer = await fetch(`${status.url}/api/status`);
    expect(await answer.json()).toEqual({ cloud: { disabled: true, source: expect.stringMatching(/env/) } });
  });

  test('the engine that it starts for a model is in reproducible mode, and ends with it', async () => {
    const { url } = daemon.status();
    await importModel(url ?? '', model, tinyModel({ pooling: false }));
    expect(await ask(url)).toMatchObject({ done: true });
    const all = family();
    expect(all.length).toBeGreaterThan(1);
    for (const pid of all) expect(environmentOf(pid)).toMatchObject({ LLAMA_ARG_CACHE_RAM: '0', OLLAMA_NUM_PARALLEL: '1' });
    await daemon.stop();
    expect(all.filter((pid) => runs(pid))).toEqual([]);
  });

  test('another part of the program attaches to it, and does not end it', async () => {
    await start();
    const { url } = daemon.status();
    const settings = settingsSchema.parse({ ollamaUrl: url });
    const manager = openDaemonManager({
      store: join(folder, 'other.db'),
      settings: { read: () => settings },
      network,
      around: () => ({ platform: process.platform, env: { ASSIZE_OLLAMA: program }, home: folder, executable: () => true }),
      keepError: (error) => {
        throw error;
      },
    });
    expect(await manager.start()).toMatchObject({ state: 'ready', own: false, url, cloud: 'off', standin: false });
    expect(await manager.stop()).toMatchObject({ state: 'ready', own: false });
    await manager.close();
    expect(daemon.status().state).toBe('ready');
  });

  test('killed with a model in memory, it is started again at its address and leaves no engine behind', async () => {
    const { url, pid } = daemon.status();
    expect(await ask(url)).toMatchObject({ done: true });
    const before = family();
    expect(before.length).toBeGreaterThan(1);
    process.kill(pid ?? 0, 'SIGKILL');
    await expect.poll(() => daemon.status().state === 'ready' && daemon.status().deaths, { timeout: 60_000 }).toBe(1);
    expect(daemon.status().url).toBe(url);
    expect(before.filter((each) => runs(each))).toEqual([]);
    expect(await ask(url)).toMatchObject({ done: true });
  });
}

/** Whether a process runs; one that has ended and was not taken note of does not. */
function runs(pid: number): boolean {
  try {
    return environmentOf(pid).ASSIZE_DAEMON !== undefined;
  } catch {
    return false;
  }
}
