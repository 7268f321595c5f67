import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import type { contract } from '../../../../shared/api/contract.ts';
import { exportToStream } from '../../engine.ts';
import { queriesHere } from '../../queries/testing/queriesHere.ts';
import type { ExportFormat } from '../../report/export.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { withStore } from '../../store/withStore.ts';
import { openService } from '../openService.ts';
import { newConnection } from '../os.ts';
import { createHandler } from '../router.ts';
import { openSettings } from '../settings.ts';

export const resources = resolve(import.meta.dirname, '../../../../../resources');

export type Client = ContractRouterClient<typeof contract>;

type Inside = ReturnType<typeof inside>;

export interface EngineRoom extends Omit<Inside, 'end'> {
  /** Ends the service; `reopened` starts again with the same store. */
  close(): Promise<void>;
}

/** The engine's service over its own store, asked through a message port as a screen asks it. */
function inside(folder: string, incarnation: number, session = 'room') {
  // Tests need not follow a trial.
  process.env.ASSIZE_STANDIN_PROFILE ??= 'instant';
  // An Ollama of this machine is no part of a test.
  process.env.ASSIZE_OLLAMA ??= '/nonexistent/ollama';
  const kept: unknown[] = [];
  const path = (name: string) => resolve(folder, name);
  const service = openService(
    { store: path('store.db'), resources, incarnation, session },
    (error) => kept.push(error),
    queriesHere,
  );
  const handler = createHandler((error) => kept.push(error));
  const ports: MessagePort[] = [];
  const connect = (): Client => {
    const { port1, port2 } = new MessageChannel();
    handler.upgrade(port1, { context: { connection: newConnection(service) } });
    for (const port of [port1, port2]) port.start();
    ports.push(port1, port2);
    return createORPCClient(new RPCLink({ port: port2 }));
  };
  const client = connect();
  const announce = (file: string, temporary = false) => {
    const upload = randomBytes(32).toString('base64url');
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    service.files.announce(upload, { path: file, fileName: basename(file), bytes, temporary });
    return upload;
  };
  return {
    client,
    connect,
    service,
    path,
    kept,
    /** Announces a file that may be anything. */
    announce: (file: string) => announce(file),
    onRecord: <T>(action: (store: Store) => T | Promise<T>): Promise<T> => withStore(openStoreReadOnly(path('store.db')), action),
    async exported(experiment: string, format: ExportFormat, trial?: string): Promise<string> {
      let text = '';
      await exportToStream(path('store.db'), experiment, { format, trial }, (piece) => {
        text += piece;
      });
      return text;
    },
    /** Writes a file and announces it as a host does. @returns its handle */
    upload(name: string, content: string | Uint8Array, { temporary } = { temporary: false }): string {
      mkdirSync(path('uploads'), { recursive: true });
      const file = path(`uploads/${name}`);
      writeFileSync(file, content);
      return announce(file, temporary);
    },
    async end() {
      for (const port of ports) port.close();
      await service.close();
    },
  };
}

export function openEngineRoom({ name, incarnation = 1 }: { readonly name: string; readonly incarnation?: number }) {
  const folder = mkdtempSync(join(tmpdir(), `assize-${name}-`));
  const first = inside(folder, incarnation);
  const close = async (end: () => Promise<void>) => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    ...first,
    close: () => close(first.end),
    /** Ends the service and begins a new one over the same store. */
    async reopen(next: number): Promise<EngineRoom> {
      await first.end();
      const again = inside(folder, next);
      return { ...again, close: () => close(again.end) };
    },
  };
}

/** The service as a host starts it, which has looked at the record before it answers. */
export interface StartedRoom extends Omit<EngineRoom, 'close'> {
  readonly folder: string;
  readonly store: string;
  end(): Promise<void>;
  /** The service after a kill: it has the store as this one had it on the disk at this moment. */
  killed(): Promise<StartedRoom>;
}

const started: StartedRoom[] = [];

/** Starts the service of a new start of the program, in a new folder or in that of another one. */
export async function startRoom(
  folder = mkdtempSync(join(tmpdir(), 'assize-engine-')),
  incarnation = 1,
  session: string = randomUUID(),
): Promise<StartedRoom> {
  // The same user moved the store, or set the servers from another home.
  openSettings(join(folder, 'store.db')).confirmServers();
  const { end, ...room } = inside(folder, incarnation, session);
  await room.service.recover();
  let ended: Promise<void> | null = null;
  const made: StartedRoom = {
    ...room,
    folder,
    store: room.path('store.db'),
    end() {
      ended ??= end();
      return ended;
    },
    async killed() {
      const left = mkdtempSync(join(tmpdir(), 'assize-engine-'));
      // By another process: closing a file here would drop SQLite's locks on it.
      spawnSync('cp', ['-r', `${folder}/.`, left]);
      await made.end();
      return startRoom(left, incarnation + 1, session);
    },
  };
  started.push(made);
  return made;
}

export async function endRooms(): Promise<void> {
  const rooms = started.splice(0);
  await Promise.all(rooms.map((room) => room.end()));
  for (const { folder } of rooms) rmSync(folder, { recursive: true, force: true });
}

const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  data: z.strictObject({ field: z.string().nullable(), line: z.number().nullable() }),
});

/** Code, sentence and place of the failure that a request ends in; nothing else may cross the port. */
export async function failureOf(request: Promise<unknown>) {
  const outcome = await request.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  if (!(outcome instanceof ORPCError)) throw new Error(`the request did not fail as it should: ${String(outcome)}`);
  const { code, message, data } = failureSchema.parse(outcome.toJSON());
  return { code, message, ...data };
}
