import { inspect } from 'node:util';
import { openPermissions, withRecord } from '../../main/engine/engine.ts';
import { type Supervisor, superviseEngine } from '../../main/engine/service/supervisor.ts';
import { AssizeError, badInput, errorCodes } from '../../shared/errors.ts';
import { type Command, fired, optionHelp, portFault, storeNamed } from '../command.ts';
import { readScreens } from '../web/answers.ts';
import { forkEngine, openBrowser, places } from '../web/places.ts';
import { startWebHost } from '../web/webHost.ts';

/** How long runs have to end in order before the engine is ended. */
const stopTimeoutMs = 20_000;

/** Resolves when the engine is ready or the signal fires. Throws what the engine refuses to start with. */
async function ready(supervisor: Supervisor, signal: AbortSignal): Promise<void> {
  const stops: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      stops.push(
        supervisor.onMessage((message) => {
          if (message.kind !== 'refuse') return;
          const code = errorCodes.find((each) => each === message.code) ?? 'internal';
          reject(new AssizeError(code, message.message));
        }),
        supervisor.onState((state, { reason }) => {
          if (state === 'ready') resolve();
          if (state === 'given-up') reject(new AssizeError('internal', reason ?? 'the engine does not start'));
        }),
      );
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
      else supervisor.start();
    });
  } finally {
    for (const stop of stops) stop();
  }
}

export const webCommand: Command = {
  name: 'web',
  usage: 'assize web [--store FILE] [--port N] [--no-open]',
  summary: 'serves the screens to a browser on this machine, or at the other end of an SSH tunnel',
  options: [
    optionHelp.store,
    ['--port N', 'the port; without it, or with 0, any that is free'],
    ['--no-open', 'prints the address and opens no browser'],
  ],
  async run(words, { signal, out, say }) {
    const port = words.whole('port', 0) ?? 0;
    const named = storeNamed(words.text('store'), say);
    const screens = readScreens(places.screens);
    if (screens === null) throw badInput('the screens are not built yet; "npm run web" builds them and starts this');
    await withRecord(named, async (store) => {
      const supervisor = superviseEngine({
        spawn: (incarnation, session) => forkEngine(places.engine, { store, resources: places.resources, incarnation, session }),
      });
      const onError = (error: unknown) => say(`assize: ${inspect(error)}`);
      const host = await startWebHost({ supervisor, screens, port, onError }).catch((error: unknown) => {
        throw portFault(error, port);
      });
      try {
        await ready(supervisor, signal);
        const givenUp = new Promise<never>((_resolve, reject) => {
          supervisor.onState((state, { reason }) => {
            // A host without its engine would only keep the port.
            if (state === 'given-up') reject(new AssizeError('internal', reason ?? 'the engine ended too often'));
            else if (reason !== null) say(`assize: ${reason}`);
          });
        });
        givenUp.catch(() => undefined);
        if (!signal.aborted) {
          out(`${host.url}\n`);
          const hosts = openPermissions(store).hosts();
          const leaving = hosts.length === 0 ? 'nothing leaves it' : `you allowed it to ask ${hosts.join(', ')}`;
          say(`This is Assize in a browser of this machine; ${leaving}. The address opens it, so keep it to yourself.`);
          say(`From another machine: ssh -L ${host.port}:127.0.0.1:${host.port} this-machine, then open the same address there.`);
          say('Stop it with Ctrl+C.');
          if (!words.flag('no-open')) openBrowser(host.url);
          await Promise.race([fired(signal), givenUp]);
        }
      } finally {
        await host.close();
        await supervisor.stop(stopTimeoutMs);
        if (signal.aborted) say('Stopped; every answer is kept. Runs that were under way or planned wait for the next start.');
      }
    });
  },
};
