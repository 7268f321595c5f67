import { afterEach, expect, test } from 'vitest';
import { connect, startTestHost, type TestHost, waitForState } from './testing.ts';
import { usualLimits } from './webHost.ts';

const hosts: TestHost[] = [];

async function start(...options: Parameters<typeof startTestHost>): Promise<TestHost> {
  const host = await startTestHost(...options);
  hosts.push(host);
  return host;
}

afterEach(async () => {
  for (const host of hosts.splice(0)) {
    await host.end();
    expect(host.errors).toEqual([]);
  }
});

test('after the token, text and bytes go to the engine and come back unchanged', async () => {
  const host = await start();
  const client = await connect(host.port, { token: host.token });
  expect(JSON.parse(String(await client.next()))).toEqual({ kind: 'connect', connection: 1 });
  client.send('ä text');
  expect(await client.next()).toBe('ä text');
  client.send(new Uint8Array([0, 255, 7]));
  expect(await client.next()).toEqual(Buffer.from([0, 255, 7]));
  const other = await connect(host.port, { token: host.token });
  expect(JSON.parse(String(await other.next()))).toEqual({ kind: 'connect', connection: 2 });
  other.send('to the other alone');
  expect(await other.next()).toBe('to the other alone');
  expect(JSON.parse(String(await client.next()))).toEqual({ kind: 'connect', connection: 2 });
  other.socket.close();
  expect(JSON.parse(String(await client.next()))).toEqual({ kind: 'disconnect', connection: 2 });
});

test('data sent right after the token are not lost', async () => {
  const host = await start();
  const client = await connect(host.port);
  client.send(JSON.stringify({ token: host.token }));
  client.send('at once');
  await client.next();
  expect(await client.next()).toBe('at once');
});

test.for([
  ['a wrong token', (token: string) => JSON.stringify({ token: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` })],
  ['an empty token', () => JSON.stringify({ token: '' })],
  ['a token that is too long', (token: string) => JSON.stringify({ token: `${token}A` })],
  ['a further key', (token: string) => JSON.stringify({ token, more: 1 })],
  ['a token of another kind', (token: string) => JSON.stringify({ token: [token] })],
  ['the bare token', (token: string) => token],
  ['no JSON', () => '{'],
  ['null', () => 'null'],
  ['bytes', (token: string) => Buffer.from(JSON.stringify({ token }))],
] as const)('security 20: %s first closes with 4401', async ([, first]) => {
  const host = await start();
  const client = await connect(host.port);
  client.send(first(host.token));
  client.send(JSON.stringify({ token: host.token }));
  expect(await client.closed).toEqual({ code: 4401, reason: 'This is not the token of this program.' });
});

test('security 20: silence closes with 4401', async () => {
  const host = await start({ sockets: { tokenMs: 20 } });
  const client = await connect(host.port);
  expect(await client.closed).toEqual({ code: 4401, reason: 'No token came.' });
});

test('tokens are of 32 random bytes', async () => {
  const [one, other] = [await start(), await start()];
  expect(Buffer.from(one.token, 'base64url')).toHaveLength(32);
  expect(one.token).not.toBe(other.token);
  expect(one.url).toBe(`http://127.0.0.1:${one.port}/#token=${one.token}`);
  const client = await connect(one.port, { token: other.token });
  expect((await client.closed).code).toBe(4401);
});

test('the number of connections is limited, and silent ones keep no one out', async () => {
  const host = await start({ sockets: { connections: 2 } });
  const pushed = await connect(host.port);
  const waiting = [await connect(host.port), await connect(host.port)];
  expect((await pushed.closed).code).toBe(1006);
  for (const client of waiting) client.send(JSON.stringify({ token: host.token }));
  for (const client of waiting) expect(await client.next()).toContain('connect');
  const extra = await connect(host.port, { token: host.token });
  expect(await extra.closed).toEqual({ code: 4429, reason: 'Too many pages are open. Close one of them.' });
  const [first] = waiting;
  first?.socket.close();
  await first?.closed;
  const next = await connect(host.port, { token: host.token });
  expect(await next.next()).toContain('connect');
});

test('outside of tests the limits are these', () => {
  expect(usualLimits).toEqual({
    sockets: { connections: 16, message: 1_048_576, waiting: 33_554_432, tokenMs: 5_000, pingMs: 30_000 },
    uploads: { bytes: 1_073_741_824, stallMs: 60_000 },
  });
});

test('a message that is too large ends the connection and reaches no engine', async () => {
  const host = await start({ sockets: { message: 1000 } });
  const client = await connect(host.port, { token: host.token });
  await client.next();
  client.send('a'.repeat(1000));
  expect(await client.next()).toBe('a'.repeat(1000));
  client.send('a'.repeat(1001));
  expect((await client.closed).code).toBe(1009);
});

test('a page that answers no ping is let go', async () => {
  const host = await start({ sockets: { pingMs: 250 } });
  const alive = await connect(host.port, { token: host.token });
  await alive.next();
  const dead = await connect(host.port, { token: host.token });
  dead.socket.pause();
  expect(JSON.parse(String(await alive.next()))).toEqual({ kind: 'connect', connection: 2 });
  expect(JSON.parse(String(await alive.next()))).toEqual({ kind: 'disconnect', connection: 2 });
  alive.send('still here');
  expect(await alive.next()).toBe('still here');
  dead.socket.terminate();
});

test('a page that reads too slowly is closed with 4408, and only that', async () => {
  const host = await start({ sockets: { waiting: 1_000_000 } });
  const slow = await connect(host.port, { token: host.token });
  await slow.next();
  const quick = await connect(host.port, { token: host.token });
  await quick.next();
  await slow.next();
  slow.socket.pause();
  slow.send('flood 64 1000000');
  expect(JSON.parse(String(await quick.next()))).toEqual({ kind: 'disconnect', connection: 1 });
  slow.socket.resume();
  expect(await slow.closed).toMatchObject({ code: 4408 });
  quick.send('still here');
  expect(await quick.next()).toBe('still here');
});

test('when the engine dies, pages are closed with 4503, and the next connection reaches its successor', async () => {
  const host = await start();
  const clients = await Promise.all([connect(host.port, { token: host.token }), connect(host.port, { token: host.token })]);
  for (const client of clients) await client.next();
  const back = waitForState(host.supervisor, 'restarting').then(() => waitForState(host.supervisor, 'ready'));
  clients[0].send('die');
  for (const client of clients) expect((await client.closed).code).toBe(4503);
  await back;
  const client = await connect(host.port, { token: host.token });
  await client.next();
  client.send('launch');
  expect(JSON.parse(String(await client.next()))).toMatchObject({ incarnation: 2 });
});

test('while the engine is down, the right token is closed with 4503, a wrong one with 4401', async () => {
  const host = await start({}, 'not-started.db');
  expect((await (await connect(host.port, { token: host.token })).closed).code).toBe(4503);
  expect((await (await connect(host.port, { token: 'x' })).closed).code).toBe(4401);
});

test('an engine that refuses to start is reported with 4500', async () => {
  const host = await start({}, 'refused.db');
  host.supervisor.start();
  await waitForState(host.supervisor, 'refused');
  const client = await connect(host.port, { token: host.token });
  expect(await client.closed).toEqual({ code: 4500, reason: 'the store is too new' });
});

test('security 26: connections, pages and answers carry no paths of this machine', async () => {
  const host = await start();
  const client = await connect(host.port, { token: host.token });
  expect(String(await client.next())).not.toContain(host.folder);
  client.send('die');
  expect((await client.closed).reason).not.toContain('/');
});
