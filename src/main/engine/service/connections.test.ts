import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { type Connections, openConnections } from './connections.ts';
import { type OpenService, openService } from './openService.ts';
import { createHandler } from './router.ts';
import type { Client } from './testing/engineRoom.ts';

/** Both ends of a channel as Electron's main process has them: events with `data`, and nothing before `start`. */
class FakePort extends EventEmitter {
  other: FakePort | null = null;
  started = false;
  readonly waiting: unknown[] = [];

  postMessage(data: unknown): void {
    const { other } = this;
    queueMicrotask(() => {
      if (other?.started === true) other.emit('message', { data });
      else other?.waiting.push(data);
    });
  }

  start(): void {
    this.started = true;
    for (const data of this.waiting.splice(0)) this.emit('message', { data });
  }

  /** Only the other end hears of it. */
  close(): void {
    this.other?.emit('close');
  }
}

let folder: string;
let service: OpenService;
/** Streams that listen for the status. */
let listening: number;
let standin: DemoServer;
let screen: FakePort;
let connections: Connections;
let client: Client;
const kept = vi.fn();

beforeEach(async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
  vi.stubEnv('ALL_PROXY', 'http://127.0.0.1:9');
  kept.mockReset();
  folder = mkdtempSync(join(tmpdir(), 'assize-connections-'));
  const resources = resolve(import.meta.dirname, '../../../../resources');
  service = openService({ store: join(folder, 'store.db'), resources, incarnation: 1, session: 'one' }, kept);
  listening = 0;
  const { onStatus } = service.changes;
  vi.spyOn(service.changes, 'onStatus').mockImplementation((listener) => {
    listening += 1;
    const end = onStatus(listener);
    return () => {
      listening -= 1;
      end();
    };
  });
  standin = await startDemoServer({ port: 0 });
  screen = new FakePort();
  const engine = new FakePort();
  screen.other = engine;
  engine.other = screen;
  screen.start();
  client = createORPCClient(new RPCLink({ port: screen }));
  const carry = () => expect.unreachable('the port carries the messages itself');
  const opened = () => Promise.resolve();
  connections = openConnections({ handler: createHandler(kept), service, carry, opened });
  connections.open(1, engine);
});

afterEach(async () => {
  await service.close();
  await standin.close();
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
  expect(kept).not.toHaveBeenCalled();
});

const tryDraft = {
  protocol: 'agentic-sim',
  model: 'm:1',
  backend: 'standin' as const,
  question: 'Is it so?',
  facts: 'It may be.',
  labels: ['NO', 'YES'],
};

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2_000 && !holds(); turn++) await new Promise((done) => setTimeout(done, 5));
  expect(holds()).toBe(true);
};

test('security 18: every connection of a run goes to the configured model host, also if proxy variables are set', async () => {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  const onRequest = (message: unknown) => {
    const { request } = message as { request: { origin: string } };
    asked.push(String(request.origin));
  };
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.push(socket);
    socket.once('connect', () => ports.add(socket.remotePort ?? 0));
  };
  subscribe('undici:request:create', onRequest);
  subscribe('net.client.socket', onSocket);
  const ports = new Set<number>();
  try {
    await client.settings.change({ ollamaUrl: standin.url });
    const { experiment } = await client.tries.start({ ...tryDraft, backend: 'ollama' });
    await until(() => service.runs.of(experiment)?.state === 'finished');
  } finally {
    unsubscribe('undici:request:create', onRequest);
    unsubscribe('net.client.socket', onSocket);
  }
  // Thirteen calls, and what the server was asked before them.
  expect(asked.length).toBeGreaterThan(13);
  expect([...new Set(asked)]).toEqual([standin.url]);
  expect(sockets.length).toBeGreaterThan(0);
  expect([...ports]).toEqual([standin.port]);
  const status = await client.engine.status({});
  expect(status.connections).toEqual([{ host: '127.0.0.1', count: sockets.length, loopback: true }]);
});

test('security 18: a host that is not allowed is refused before anything is sent, and counted', async () => {
  await client.settings.change({ ollamaUrl: 'http://models.example.org:11434' });
  const [ollama] = await client.backends.look({});
  expect(ollama?.state).toBe('refused');
  const { refused, connections } = await client.engine.status({});
  expect(refused).toBeGreaterThan(0);
  expect(connections.filter(({ loopback }) => !loopback)).toEqual([]);
});

test('streams end when the connection is closed, and when the screen calls them off', async () => {
  const watching = await client.engine.watch({});
  const first = await watching.next();
  expect(first.value).toMatchObject({ incarnation: 1 });
  expect(listening).toBe(1);
  await watching.return?.();
  await until(() => listening === 0);

  const { experiment, trial } = await client.tries.start(tryDraft);
  void client.trials
    .watch({ trial, after: -1 })
    .then(async (frames) => {
      for await (const _frame of frames);
    })
    .catch(() => undefined);
  void client.experiments
    .watch({ experiment, cursor: null })
    .then(async (frames) => {
      for await (const _frame of frames);
    })
    .catch(() => undefined);
  await until(() => listening === 1 && service.changes.watched(trial));
  screen.close();
  await until(() => listening === 0 && !service.changes.watched(trial));
});

test('a connection over a port ends when the host says so: its streams end and nothing is answered', async () => {
  const watching = await client.engine.watch({});
  await watching.next();
  expect(listening).toBe(1);
  let closed = false;
  screen.on('close', () => {
    closed = true;
  });
  connections.close(1);
  await until(() => listening === 0);
  expect(closed).toBe(true);
});

test('streams about anything that is not on the record are refused', async () => {
  const nothing = { code: 'not-found' };
  const unknown = { trial: '0123456789abcdef', after: -1 };
  await expect(client.trials.watch(unknown)).rejects.toMatchObject(nothing);
  await client.tries.start(tryDraft);
  await expect(client.trials.watch(unknown)).rejects.toMatchObject(nothing);
  await expect(client.experiments.watch({ experiment: 'none', cursor: null })).rejects.toMatchObject(nothing);
  expect(listening).toBe(0);
});
