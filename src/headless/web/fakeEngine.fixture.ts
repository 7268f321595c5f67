import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FromEngine, launchSchema, toEngineSchema } from '../../shared/api/control.ts';

/**
 * A process that speaks an engine's side of the control messages and does what the texts of a connection say:
 * `die`, `flood COUNT BYTES`; everything else comes back. Every control message but data is told to all.
 */
const launch = launchSchema.parse(JSON.parse(process.argv[2] ?? ''));
const connections = new Set<number>();
const exports = new Map<string, string>();

function tell(message: FromEngine): void {
  process.send?.(message);
}

function tellAll(value: unknown): void {
  for (const connection of connections) tell({ kind: 'data', connection, data: JSON.stringify(value) });
}

function obey(connection: number, data: string | Uint8Array): void {
  const [word, ...rest] = typeof data === 'string' ? data.split(' ') : [];
  if (word === 'die') process.kill(process.pid, 'SIGKILL');
  else if (word === 'flood') {
    const [count = 0, bytes = 0] = rest.map(Number);
    for (let round = 0; round < count; round++) tell({ kind: 'data', connection, data: new Uint8Array(bytes) });
  } else if (word === 'export') {
    const [handle = '', fileName = '', ...words] = rest;
    const path = join(launch.store, '..', `export-${handle}`);
    writeFileSync(path, words.join(' '));
    exports.set(handle, JSON.stringify({ path, fileName: decodeURIComponent(fileName) }));
    tell({ kind: 'data', connection, data: 'exported' });
  } else if (word === 'launch') tell({ kind: 'data', connection, data: JSON.stringify(launch) });
  else tell({ kind: 'data', connection, data: typeof data === 'string' ? data : new Uint8Array(data) });
}

process.on('message', (raw) => {
  const message = toEngineSchema.parse(raw);
  if (message.kind === 'data') obey(message.connection, message.data);
  else if (message.kind === 'stop') process.exit(0);
  else if (message.kind === 'take') {
    const file = exports.get(message.file);
    exports.delete(message.file);
    tell({ kind: 'taken', request: message.request, file: file === undefined ? null : JSON.parse(file) });
  } else {
    if (message.kind === 'connect') connections.add(message.connection);
    if (message.kind === 'disconnect') connections.delete(message.connection);
    tellAll(message);
  }
});
process.on('disconnect', () => process.exit(0));

if (launch.store.endsWith('refused.db')) tell({ kind: 'refuse', code: 'store-newer', message: 'the store is too new' });
else if (launch.store.endsWith('dying.db')) process.exit(9);
else tell({ kind: 'ready' });
