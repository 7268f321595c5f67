import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDispatcher } from './dispatcher.ts';
import { wholeText } from './modelServer.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeEach(async () => {
  server = await openServer();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server in this process, so that what it does to a connection is done before the client's next step. */
async function openServer() {
  const connections = new Set<Socket>();
  const bodies: string[] = [];
  let broken = 0;
  const listening = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => undefined).on('close', () => connections.delete(connection));
    connection.setEncoding('utf8').on('data', (text: string) => {
      bodies.push(text.slice(-1));
      if (broken-- > 0) connection.destroy();
      else connection.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const dispatcher = createDispatcher({ allowedHosts: [] });
  onTestFinished(async () => {
    await dispatcher.close();
    for (const connection of connections) connection.destroy();
    listening.close();
  });
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return {
    connections,
    /** What has arrived, in order: the last letter of each body. */
    bodies,
    /** Breaks the connection of so many requests that come next, when it has read them. */
    breakNext: (count: number) => (broken = count),
    opened: () => dispatcher.connections().get('127.0.0.1'),
    ask: async (letter: string) => wholeText((await dispatcher.fetch(url, { method: 'POST', body: letter })).body),
  };
}

/** Leaves the client with two connections that are idle and look good. */
async function keepTwo(): Promise<void> {
  await Promise.all([server.ask('1'), server.ask('2')]);
  await new Promise(setImmediate);
  server.bodies.splice(0);
}

test('connections that end while the program is stopped in the middle of a turn cost no request', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await keepTwo();
  // The next request goes out in the same turn as this answer comes, and only the turn after it would show that all have ended.
  const next = server.ask('a').then(() => {
    vi.setSystemTime(Date.now() + 8000);
    for (const connection of server.connections) connection.destroy();
    return Promise.all([server.ask('b'), server.ask('c')]);
  });
  expect(await next).toEqual(['ok', 'ok']);
  expect(server.bodies.toSorted(), 'nothing is sent twice').toEqual(['a', 'b', 'c']);
});

test('a connection that was idle for a short time is used again, and one that was for a long time is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await keepTwo();
  vi.setSystemTime(Date.now() + 3000);
  expect(await server.ask('a')).toBe('ok');
  expect(server.opened()).toBe(2);
  await new Promise(setImmediate);
  vi.setSystemTime(Date.now() + 5000);
  expect(await server.ask('b')).toBe('ok');
  expect(server.opened()).toBeGreaterThan(2);
  expect(server.bodies).toEqual(['a', 'b']);
});

test('a server that breaks a kept connection when it has read a request has broken the call', async () => {
  await keepTwo();
  server.breakNext(1);
  await expect(server.ask('a')).rejects.toThrow();
  expect(server.bodies, 'nothing that was sent is sent again').toEqual(['a']);
});
