import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { answerTo } from './answerBody.ts';

async function asked(listener: RequestListener, signal?: AbortSignal) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent();
  onTestFinished(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return answerTo(agent, { origin, path: '/', method: 'GET' }, signal);
}

function held() {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  return { listener: (_: unknown, response: ServerResponse) => resolve(response), response: promise };
}

test('all bytes come, in order, after what is only announced', async () => {
  const pieces = ['first ', 'sécond ', 'x'.repeat(200_000), ' last'];
  const { status, body } = await asked(async (_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(418);
    for (const piece of pieces) {
      response.write(piece);
      await delay(1);
    }
    response.end();
  });
  expect(status).toBe(418);
  const read = await Array.fromAsync(body);
  expect(Buffer.concat(read).toString()).toBe(pieces.join(''));
});

test('a server waits for a slow reader, and then sends the rest', async () => {
  const [piece, pieces] = [Buffer.alloc(1 << 20, 1), 64];
  let sent = 0;
  const { body } = await asked(async (_, response) => {
    for (; sent < pieces; sent++) if (!response.write(piece)) await once(response, 'drain');
    response.end();
  });
  for (let before = -1; before !== sent; await delay(100)) before = sent;
  expect(sent).toBeLessThan(pieces / 2);
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  expect(bytes).toBe(pieces * piece.length);
});

test.each(['left', 'destroyed'])('an answer that is %s ends its connection', async (way) => {
  const { listener, response } = held();
  const answer = asked(listener);
  const server = await response;
  server.write('begun');
  const { body } = await answer;
  const ended = once(server, 'close');
  if (way === 'destroyed') body.destroy();
  else for await (const _ of body) break;
  await ended;
  expect(server.writableFinished).toBe(false);
});

test('a connection that breaks in mid-answer is an error after what came', async () => {
  const { listener, response } = held();
  const answer = asked(listener);
  const server = await response;
  server.write('begun');
  const { body } = await answer;
  const read: string[] = [];
  const reading = (async () => {
    for await (const chunk of body) {
      read.push(Buffer.from(chunk).toString());
      server.destroy();
    }
  })();
  await expect(reading).rejects.toThrow();
  expect(read).toEqual(['begun']);
});

test('a signal ends the wait for an answer and the reading of one, with its reason', async () => {
  const reason = new Error('the user stopped it');
  await expect(asked(() => undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  for (const begin of [false, true]) {
    const aborting = new AbortController();
    const { listener, response } = held();
    const answer = asked(listener, aborting.signal);
    const server = await response;
    if (begin) server.write('begun');
    const read = begin ? answer.then(({ body }) => Array.fromAsync(body)) : answer;
    if (begin) await answer;
    aborting.abort(reason);
    await expect(read).rejects.toBe(reason);
  }
});
