// Starts the engine as a separate process.
import { launchSchema, type ToEngine, toEngineSchema } from '../../../shared/api/control.ts';
import { AssizeError, exitCode } from '../../../shared/errors.ts';
import { type HostChannel, hostChannel } from './channel.ts';
import { openConnections } from './connections.ts';
import { keepError } from './errorLog.ts';
import { screenMessage } from './failures.ts';
import { type OpenService, openService } from './openService.ts';
import { createHandler } from './router.ts';

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
