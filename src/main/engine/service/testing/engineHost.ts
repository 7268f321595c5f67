import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { type EngineProcess, engineNodeOptions, superviseEngine } from '../supervisor.ts';
import type { Client } from './engineRoom.ts';

export interface Connection {
  readonly client: Client;
  /** Sends text that the RPC library did not make; resolves with the answer to the id in it. */
  raw(id: string, text: string): Promise<{ s?: number; b?: { json: unknown } }>;
  close(): void;
}

const program = resolve(import.meta.dirname, '../../../../../out/headless/engine.js');
const resources = resolve(import.meta.dirname, '../../../../../resources');

function processOf(child: ChildProcess): EngineProcess {
  return {
    send: (message) => void child.send(message, () => undefined),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
    kill: () => child.kill('SIGKILL'),
  };
}

/** The engine in its own process under its supervisor, as the loopback host has it. */
export type EngineHost = ReturnType<typeof startEngineHost>;

/** Starts an engine on a store in a new folder, or in the folder of another one. */
export function startEngineHost(options: { env?: Record<string, string>; folder?: string; awaitPage?: boolean } = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'assize-engine-'));
  const store = join(folder, 'store.db');
  // An Ollama of this machine is no part of a test.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ASSIZE_LOG_DIR: folder,
    ASSIZE_OLLAMA: '/nonexistent/ollama',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...options.env,
  };
  let current: ChildProcess | null = null;
  let connections = 0;
  const supervisor = superviseEngine({
    spawn(incarnation, session) {
      const launch = JSON.stringify({ store, resources, incarnation, session, awaitPage: options.awaitPage ?? false });
      current = fork(program, [launch], { serialization: 'advanced', execArgv: [...engineNodeOptions], env });
      return processOf(current);
    },
  });
  supervisor.start();

  const ready = async (incarnation = 1): Promise<void> => {
    const { promise, resolve: done, reject } = Promise.withResolvers<void>();
    const forget = supervisor.onState((state, detail) => {
      if (state === 'ready' && detail.incarnation >= incarnation) done();
      if (state === 'given-up' || state === 'refused') reject(new Error(`${state}: ${detail.reason}`));
    });
    if (supervisor.state() === 'ready' && incarnation === 1) done();
    await promise.finally(forget);
  };

  const connect = (): Connection => {
    connections += 1;
    const connection = connections;
    const onData = new Set<(data: unknown) => void>();
    const onClose = new Set<() => void>();
    supervisor.send({ kind: 'connect', connection });
    const forgetMessages = supervisor.onMessage((message) => {
      if (message.kind !== 'data' || message.connection !== connection) return;
      for (const listener of onData) listener(message.data);
    });
    const forgetState = supervisor.onState((state) => {
      if (state !== 'ready') close();
    });
    const close = () => {
      forgetMessages();
      forgetState();
      supervisor.send({ kind: 'disconnect', connection });
      for (const listener of onClose) listener();
    };
    const send = (data: string | Uint8Array<ArrayBuffer>) => void supervisor.send({ kind: 'data', connection, data });
    const port = {
      postMessage: send,
      onMessage: { addListener: (listener: (data: unknown) => void) => void onData.add(listener) },
      onDisconnect: { addListener: (listener: () => void) => void onClose.add(listener) },
    };
    return {
      client: createORPCClient(new RPCLink({ port })),
      raw: (id, text) =>
        new Promise((answered) => {
          const listener = (data: unknown) => {
            const message = JSON.parse(String(data));
            if (message.i !== id) return;
            onData.delete(listener);
            answered(message.p);
          };
          onData.add(listener);
          send(text);
        }),
      close,
    };
  };

  const stop = () => supervisor.stop(10_000);
  return {
    folder,
    store,
    supervisor,
    child() {
      if (current === null) throw new Error('no engine was started');
      return current;
    },
    connect,
    ready,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
