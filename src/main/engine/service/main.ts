// Starts the engine as a separate process.
import { type FromEngine, launchSchema, type ToEngine, toEngineSchema } from '../../../shared/api/control.ts';
import { AssizeError, exitCode } from '../../../shared/errors.ts';
import { openConnections } from './connections.ts';
import { keepError } from './errorLog.ts';
import { screenMessage } from './failures.ts';
import { type OpenService, openService } from './openService.ts';
import { createHandler } from './router.ts';

/** The engine process's line to its host. */
interface HostChannel {
  send(message: FromEngine): void;
  /** Messages come unparsed, with the ports that were sent along. */
  onMessage(listener: (message: unknown, ports: readonly unknown[]) => void): void;
  onGone(listener: () => void): void;
}

/** What Electron puts into a utility process. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown; ports: readonly unknown[] }) => void): void;
  on(event: 'close', listener: () => void): void;
}

function parentPort(): ParentPort | undefined {
  const port: unknown = Reflect.get(process, 'parentPort');
  // Electron vouches for its form.
  return typeof port === 'object' && port !== null ? (port as ParentPort) : undefined;
}

/** The line to whichever host started this process; null where none did. */
function hostChannel(): HostChannel | null {
  const port = parentPort();
  if (port !== undefined) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', ({ data, ports }) => listener(data, ports)),
      onGone: (listener) => port.on('close', listener),
    };
  }
  if (process.send === undefined) return null;
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => process.on('message', (message) => listener(message, [])),
    onGone: (listener) => process.on('disconnect', listener),
  };
}

function fail(error: unknown): never {
  keepError(error);
  process.exit(exitCode.internal);
}

function main(channel: HostChannel): void {
  const launch = launchSchema.parse(JSON.parse(process.argv.at(-1) ?? ''));
  const service: OpenService = openService(launch, keepError);
  const handler = createHandler(keepError);
  const connections = openConnections({
    handler,
    service,
    carry: (connection, data) => channel.send({ kind: 'data', connection, data }),
    opened,
  });
  let stopping = false;
  let opening: Promise<void> | null = null;

  /** Opens the store at the first call; resolves once pages can be answered, and never where the engine refuses to start. */
  function opened(): Promise<void> {
    if (opening === null && launch.awaitPage) channel.send({ kind: 'heard' });
    opening ??= service.recover().catch((error: unknown) => {
      if (!(error instanceof AssizeError)) fail(error);
      channel.send({ kind: 'refuse', code: error.code, message: screenMessage(error) });
      service.close().then(() => process.exit(error.exitCode), fail);
      return new Promise(() => undefined);
    });
    return opening;
  }

  const stop = () => {
    if (stopping) return;
    stopping = true;
    connections.closeAll();
    service.close().then(() => process.exit(exitCode.ok), fail);
  };

  const handle = (message: ToEngine, ports: readonly unknown[]) => {
    switch (message.kind) {
      case 'connect':
        return connections.open(message.connection, ports[0]);
      case 'data':
        return connections.receive(message.connection, message.data);
      case 'disconnect':
        return connections.close(message.connection);
      case 'upload': {
        const { upload, path, fileName, bytes, temporary } = message;
        return service.files.announce(upload, { path, fileName, bytes, temporary });
      }
      case 'take': {
        const { request, file } = message;
        const known = service.files.take(file);
        const taken = known === null ? null : { path: known.path, fileName: known.fileName };
        return channel.send({ kind: 'taken', request, file: taken });
      }
      case 'stop':
        return stop();
    }
  };

  channel.onMessage((message, ports) => {
    if (!stopping) handle(toEngineSchema.parse(message), ports);
  });
  // Without its host nothing would ever end this process.
  channel.onGone(stop);
  process.on('SIGTERM', stop);
  // A terminal sends it to its whole group: the host gets it too, and says what to do.
  process.on('SIGINT', () => undefined);

  const ready = () => channel.send({ kind: 'ready' });
  if (launch.awaitPage) ready();
  else void opened().then(ready);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const channel = hostChannel();
if (channel === null) {
  process.stderr.write(
    'assize: this is the engine, which a host starts; use `assize web`, `assize run` or the desktop program.\n',
  );
  process.exitCode = exitCode.badInput;
} else main(channel);
