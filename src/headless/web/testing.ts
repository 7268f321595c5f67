import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import { type EngineProcess, type Supervisor, superviseEngine } from '../../main/engine/service/supervisor.ts';
import type { contract } from '../../shared/api/contract.ts';
import { type FromEngine, type Launch, type ToEngine, toEngineSchema } from '../../shared/api/control.ts';
import { readScreens } from './answers.ts';
import { startWebHost, usualLimits, type WebLimits } from './webHost.ts';

export type TestHost = Awaited<ReturnType<typeof startTestHost>>;

/** A page of two files and, next to them, what must not be served. */
export function makeScreens(folder: string): string {
  const screens = join(folder, 'renderer');
  mkdirSync(join(screens, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'renderer-secret'));
  writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Assize</title>');
  writeFileSync(join(screens, 'assets/main-abc.js'), 'export {};');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  writeFileSync(join(folder, 'renderer-secret/secret.js'), 'secret');
  symlinkSync(join(folder, 'secret.js'), join(screens, 'link.js'));
  return screens;
}

export function waitForState(supervisor: Supervisor, wanted: ReturnType<Supervisor['state']>): Promise<void> {
  return new Promise((resolve) => {
    if (supervisor.state() === wanted) return resolve();
    const stop = supervisor.onState((state) => {
      if (state !== wanted) return;
      stop();
      resolve();
    });
  });
}

/**
 * Plays an engine's side of the control messages and does what the texts of a connection say: `die`,
 * `flood COUNT BYTES`, `export HANDLE NAME TEXT`, `launch`; everything else is echoed. Every other control message goes to all.
 */
function fakeEngine(launch: Launch): EngineProcess {
  const connections = new Set<number>();
  const exports = new Map<string, { path: string; fileName: string }>();
  let hear: (message: unknown) => void = () => undefined;
  let end: (code: number | null) => void = () => undefined;
  // Nothing arrives before its sender has continued, and everything as a copy, as between processes.
  const tell = (message: FromEngine) => void setImmediate((copy) => hear(copy), structuredClone(message));
  const answer = (connection: number, data: string | Uint8Array<ArrayBuffer>) => tell({ kind: 'data', connection, data });
  const obey = (connection: number, data: string | Uint8Array<ArrayBuffer>) => {
    const [word, ...rest] = typeof data === 'string' ? data.split(' ') : [];
    if (word === 'die') end(null);
    else if (word === 'flood') {
      const [count = 0, bytes = 0] = rest.map(Number);
      for (let round = 0; round < count; round++) answer(connection, new Uint8Array(bytes));
    } else if (word === 'export') {
      const [handle = '', fileName = '', ...words] = rest;
      const path = join(launch.store, '..', `export-${handle}`);
      writeFileSync(path, words.join(' '));
      exports.set(handle, { path, fileName: decodeURIComponent(fileName) });
      answer(connection, 'exported');
    } else answer(connection, word === 'launch' ? JSON.stringify(launch) : data);
  };
  const handle = (message: ToEngine) => {
    if (message.kind === 'data') return obey(message.connection, message.data);
    if (message.kind === 'stop') return end(0);
    if (message.kind === 'take') {
      const { request, file } = message;
      tell({ kind: 'taken', request, file: exports.get(file) ?? null });
      return exports.delete(file);
    }
    if (message.kind === 'connect') connections.add(message.connection);
    if (message.kind === 'disconnect') connections.delete(message.connection);
    for (const connection of connections) answer(connection, JSON.stringify(message));
  };
  if (launch.store.endsWith('refused.db')) tell({ kind: 'refuse', code: 'store-newer', message: 'the store is too new' });
  else tell({ kind: 'ready' });
  return {
    send: (message) => void setImmediate((copy) => handle(toEngineSchema.parse(copy)), structuredClone(message)),
    onMessage(listener) {
      hear = listener;
    },
    onExit(listener) {
      end = listener;
    },
    kill: () => end(null),
  };
}

/** The host with a fake engine; `store` decides what that does at its start. */
export async function startTestHost(
  limits: { sockets?: Partial<WebLimits['sockets']>; uploads?: Partial<WebLimits['uploads']> } = {},
  store = 'store.db',
) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-web-'));
  const screens = readScreens(makeScreens(folder));
  if (screens === null) throw new Error('the screens cannot be read');
  const errors: unknown[] = [];
  const supervisor = superviseEngine({
    spawn: (incarnation, session) => fakeEngine({ store: join(folder, store), resources: folder, incarnation, session }),
  });
  const host = await startWebHost({
    supervisor,
    screens,
    port: 0,
    onError: (error) => errors.push(error),
    limits: {
      sockets: { ...usualLimits.sockets, ...limits.sockets },
      uploads: { ...usualLimits.uploads, ...limits.uploads },
    },
  });
  if (store === 'store.db') {
    supervisor.start();
    await waitForState(supervisor, 'ready');
  }
  return {
    ...host,
    token: tokenOf(new URL(host.url)),
    supervisor,
    folder,
    errors,
    async end() {
      await host.close();
      await supervisor.stop(5_000);
      rmSync(folder, { recursive: true });
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks with headers and paths that `fetch` would not send. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

export interface Client {
  readonly socket: WebSocket;
  send(data: string | Uint8Array): void;
  /** The next message that has not been taken yet. */
  next(): Promise<string | Buffer>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Opens a WebSocket to the engine as the page does. Rejects with the status of a refused handshake. */
export function connect(
  port: number,
  { token, headers = {}, path = '/engine' }: { token?: string; headers?: Record<string, string>; path?: string } = {},
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      headers: { origin: `http://127.0.0.1:${port}`, ...headers },
      perMessageDeflate: false,
    });
    const received: (string | Buffer)[] = [];
    const takers: ((message: string | Buffer) => void)[] = [];
    socket.on('message', (data: Buffer, isBinary) => {
      const message = isBinary ? data : data.toString('utf8');
      const taker = takers.shift();
      if (taker === undefined) received.push(message);
      else taker(message);
    });
    const closed = new Promise<{ code: number; reason: string }>((done) => {
      socket.on('close', (code, reason) => done({ code, reason: reason.toString('utf8') }));
    });
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      reject(new Error(`refused with ${response.statusCode}`));
      response.destroy();
    });
    socket.on('open', () => {
      if (token !== undefined) socket.send(JSON.stringify({ token }));
      resolve({
        socket,
        send: (data) => socket.send(data),
        next: () => {
          const message = received.shift();
          return message === undefined ? new Promise((taken) => takers.push(taken)) : Promise.resolve(message);
        },
        closed,
      });
    });
  });
}

/** The token of the address that a host has printed. */
export function tokenOf(url: URL): string {
  return url.hash.slice('#token='.length);
}

/** The requests of the page over a connection. */
export function apiOf({ socket }: Client): ContractRouterClient<typeof contract> {
  const port = {
    postMessage: (data: string | Uint8Array) => socket.send(data),
    on: (event: string, listener: (event?: { data: unknown }) => void) => {
      if (event === 'close') socket.on('close', () => listener());
      else
        socket.on('message', (data: Buffer, isBinary) =>
          listener({ data: isBinary ? new Uint8Array(data) : data.toString('utf8') }),
        );
    },
  };
  return createORPCClient(new RPCLink({ port: port as never }));
}
