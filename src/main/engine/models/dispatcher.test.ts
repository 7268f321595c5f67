import { type Channel, channel } from 'node:diagnostics_channel';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { kept } from '../testing/kept.ts';
import { startDemoServer } from './demo/demoServer.ts';
import { assizeCause, createDispatcher, type NetworkDispatcher, type Resolve } from './dispatcher.ts';
import { ollamaModel } from './ollama.ts';
import { serve } from './testing/server.ts';

afterEach(() => void vi.unstubAllEnvs());

const serving = async (host?: string) =>
  kept(await serve((_request, response) => response.end('here'), host === undefined ? {} : { host }));
const dispatching = (...options: Parameters<typeof createDispatcher>) => kept(createDispatcher(...options));

/** The program's own name service: nothing is asked outside. */
const names = (table: Readonly<Record<string, string>>) => {
  const asked: string[] = [];
  const resolve: Resolve = (host, _options, callback) => {
    asked.push(host);
    const address = table[host];
    if (address === undefined) callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    else callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return { asked, resolve };
};

/** The result of a request through it: the answer, or the code of the program's own error. */
async function outcome(dispatcher: NetworkDispatcher, url: string): Promise<string> {
  try {
    return await text((await dispatcher.fetch(url)).body);
  } catch (error) {
    return assizeCause(error)?.code ?? `unexpected: ${String(error)}`;
  }
}

const bindable = async (host: string): Promise<boolean> => {
  try {
    await (await serve(() => undefined, { host })).close();
    return true;
  } catch {
    return false;
  }
};
const ipv6 = await bindable('::1');
const wholeLoopback = await bindable('127.1.2.3');

describe('this machine', () => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.1', '2130706433', '0x7f000001'])(
    '%s is let through',
    async (host) => {
      const { port } = await serving();
      expect(await outcome(dispatching({ allowedHosts: [] }), `http://${host}:${port}`)).toBe('here');
    },
  );

  test.skipIf(!wholeLoopback)('all of 127.0.0.0/8 is let through', async () => {
    const { port } = await serving('127.1.2.3');
    expect(await outcome(dispatching({ allowedHosts: [] }), `http://127.1.2.3:${port}`)).toBe('here');
  });

  test.skipIf(!ipv6)('the IPv6 forms are let through', async () => {
    const { url } = await serving('::1');
    expect(await outcome(dispatching({ allowedHosts: [] }), url)).toBe('here');
    const { port } = await serving();
    expect(await outcome(dispatching({ allowedHosts: [] }), `http://[::ffff:127.0.0.1]:${port}`)).toBe('here');
  });

  test.each(['93.184.216.34', '::2'])('localhost that resolves to %s is refused', async (address) => {
    const dispatcher = dispatching({ allowedHosts: [], resolve: names({ localhost: address }).resolve });
    expect(await outcome(dispatcher, 'http://localhost:11434')).toBe('bad-input');
    expect([...dispatcher.connections()]).toEqual([]);
    expect(dispatcher.refused()).toBe(1);
  });
});

describe('any other host', () => {
  test.each([
    '93.184.216.34',
    '10.0.0.1',
    '192.168.1.20',
    '169.254.169.254',
    '0.0.0.0',
    '128.0.0.1',
    '126.255.255.255',
    '[::]',
    '[::2]',
    '[fe80::1]',
    '[::ffff:8.8.8.8]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2606:2800:220:1::1]',
    'example.invalid',
    'localhost.example.invalid',
    'xlocalhost',
    '127.0.0.1.example.invalid',
    'ollama',
    'a.localhost',
  ])('%s is refused before any packet, name service included', async (host) => {
    const { asked, resolve } = names({});
    const sockets = recordSockets();
    const dispatcher = dispatching({ allowedHosts: ['models.example'], resolve });
    expect(await outcome(dispatcher, `http://${host}:11434/`)).toBe('bad-input');
    expect([asked, sockets, [...dispatcher.connections()]]).toEqual([[], [], []]);
    expect([dispatcher.refused(), [...dispatcher.elsewhere()]]).toEqual([1, []]);
  });

  test('the refusal names the host and the way to allow it', async () => {
    const error = await dispatching({ allowedHosts: [] }).fetch('http://Example.invalid.:11434').catch(assizeCause);
    expect(error).toBeInstanceOf(AssizeError);
    expect(error).toMatchObject({
      exitCode: 2,
      advice: expect.stringMatching(/^example\.invalid is not this machine.*--allow-host example\.invalid$/),
    });
  });

  test('is let through when allowed by name, and no other', async () => {
    const { port } = await serving();
    const { asked, resolve } = names({ 'models.example': '127.0.0.1', 'other.example': '127.0.0.1' });
    const dispatcher = dispatching({ allowedHosts: ['Models.Example.'], resolve });
    expect(await outcome(dispatcher, `http://models.example:${port}`)).toBe('here');
    expect(await outcome(dispatcher, `http://other.example:${port}`)).toBe('bad-input');
    expect(await outcome(dispatcher, `http://sub.models.example:${port}`)).toBe('bad-input');
    expect(asked).toEqual(['models.example']);
    expect([...dispatcher.connections()]).toEqual([['models.example', 1]]);
    expect([[...dispatcher.elsewhere()], dispatcher.refused()]).toEqual([[], 2]);
  });

  test.skipIf(!wholeLoopback)('allowed by address works too', async () => {
    // 0.0.0.0 is the one address beyond loopback that can be reached without leaving the machine.
    const { port } = await serving();
    expect(await outcome(dispatching({ allowedHosts: ['0.0.0.0'] }), `http://0.0.0.0:${port}`)).toBe('here');
  });
});

describe('proxy variables', () => {
  test('are ignored', async () => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    kept(proxy);
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
      vi.stubEnv(name, address);
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const server = await serving();
    const dispatcher = dispatching({ allowedHosts: [] });
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await outcome(dispatcher, `http://${host}:${server.port}`)).toBe('here');
    const standin = kept(await startDemoServer());
    await ollamaModel(dispatcher, { url: standin.url, timeoutMs: 60_000, idleMs: 60_000 }).version();
    expect(connections).toBe(0);
  });
});

describe('redirect', () => {
  test('is refused wherever it leads, and the other server is not asked', async () => {
    const other = await serving();
    for (const location of [other.url, 'http://93.184.216.34/', '/elsewhere', '//example.invalid/']) {
      const server = kept(await serve((_request, response) => response.writeHead(307, { location }).end()));
      expect(await outcome(dispatching({ allowedHosts: [] }), server.url)).toBe('no-backend');
      expect(server.requests).toHaveLength(1);
    }
    expect(other.requests).toEqual([]);
  });
});

describe('a process that was stopped', () => {
  const stoppedMs = 8000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('asks on new connections, as its server has closed the idle ones and it has not read that', async () => {
    const server = await serving();
    const dispatcher = dispatching({ allowedHosts: [] });
    expect(await outcome(dispatcher, server.url)).toBe('here');
    await setImmediate();
    expect(await outcome(dispatcher, server.url)).toBe('here');
    await setImmediate();
    expect([...dispatcher.connections()]).toEqual([['127.0.0.1', 1]]);
    vi.setSystemTime(Date.now() + stoppedMs);
    // From here to the call nothing is read, as when the process is stopped in the middle of its work.
    await stat('.');
    server.closeIdle();
    expect(await outcome(dispatcher, server.url)).toBe('here');
    expect([...dispatcher.connections()]).toEqual([['127.0.0.1', 2]]);
    expect(await outcome(dispatcher, 'http://93.184.216.34')).toBe('bad-input');
    expect(dispatcher.refused()).toBe(1);
  });

  test('gets the answers that were in flight, and its end closes their connections', async () => {
    const held: ServerResponse[] = [];
    const server = kept(await serve((_request, response) => void held.push(response)));
    const dispatcher = createDispatcher({ allowedHosts: [] });
    const before = [outcome(dispatcher, server.url), outcome(dispatcher, server.url)];
    await vi.waitUntil(() => held.length === 2);
    vi.setSystemTime(Date.now() + stoppedMs);
    const after = outcome(dispatcher, server.url);
    await vi.waitUntil(() => held.length === 3);
    held[0]?.end('late');
    expect(await Promise.race(before)).toBe('late');
    await dispatcher.close();
    expect(await Promise.all([...before, after])).toEqual(['late', ...Array(2).fill(expect.stringMatching(/^unexpected/))]);
    await vi.waitUntil(() => server.aborted() === 2);
  });
});

/** Sockets that anything in this process opens from now on. */
function recordSockets(): Socket[] {
  const sockets: Socket[] = [];
  const listen = subscribe(channel('net.client.socket'), (message) => sockets.push((message as { socket: Socket }).socket));
  onTestFinished(listen.stop);
  return sockets;
}

function subscribe(to: Channel, listener: (message: unknown) => void): { stop(): void } {
  to.subscribe(listener);
  return { stop: () => void to.unsubscribe(listener) };
}

test('the channels of node and undici see the configured host only', async () => {
  const standin = kept(await startDemoServer());
  const sockets = recordSockets();
  const places = new Set<string>();
  const requests: string[] = [];
  const listeners = [
    subscribe(channel('undici:client:beforeConnect'), (message) => {
      const { connectParams } = message as { connectParams: { host: string } };
      places.add(connectParams.host);
    }),
    subscribe(channel('undici:request:create'), (message) => {
      const { request } = message as { request: { origin: string; path: string } };
      requests.push(`${request.origin}${request.path}`);
    }),
  ];
  onTestFinished(() => {
    for (const { stop } of listeners) stop();
  });
  const dispatcher = dispatching({ allowedHosts: [] });
  const model = ollamaModel(dispatcher, { url: standin.url, timeoutMs: 60_000, idleMs: 60_000 });
  await model.version();
  await model.models();
  const options = { temperature: 0, seed: 1, numCtx: 2048, numPredict: 64 };
  const schema = { type: 'object', properties: {} };
  const call = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }], schema, options };
  await Promise.all(Array.from({ length: 4 }, () => model.complete(call, new AbortController().signal)));
  const { host } = new URL(standin.url);
  expect([...places]).toEqual([host]);
  expect(requests).toHaveLength(6);
  expect(new Set(requests.map((url) => new URL(url).host))).toEqual(new Set([host]));
  expect(sockets).toHaveLength(dispatcher.connections().get('127.0.0.1') ?? 0);
  expect(new Set(sockets.map(({ remoteAddress, remotePort }) => `${remoteAddress}:${remotePort}`))).toEqual(new Set([host]));
});
