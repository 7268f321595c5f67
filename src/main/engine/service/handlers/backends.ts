import type { BackendChoice, BackendReport } from '../../../../shared/api/engine.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage } from '../../../../shared/model.ts';
import { ollamaModel } from '../../models/ollama.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';

/** Longest time that a screen waits for a server, in milliseconds. */
const patienceMs = 10_000;

/** The dispatcher refuses hosts as bad input; all else that goes wrong is the server's. */
function trouble(error: unknown, url: string): Pick<BackendReport, 'state' | 'problem'> {
  if (error instanceof AssizeError && error.code === 'bad-input') {
    const { hostname } = new URL(url);
    return {
      state: 'refused',
      problem:
        `${hostname} is not this machine, so nothing is sent there. If cases may leave this machine, add ${hostname} to the ` +
        'allowed hosts; otherwise give an address of this machine.',
    };
  }
  if (!(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
  return { state: 'away', problem: `${error.message}. Start Ollama there, or check the address; the stand-in needs no server.` };
}

async function look(service: Service, choice: BackendChoice, signal: AbortSignal | undefined): Promise<BackendReport> {
  const url = await service.network.url(choice);
  const server = ollamaModel(service.network.dispatcher(), { url, timeoutMs: patienceMs, idleMs: patienceMs });
  try {
    const { version, standin } = await server.version(signal);
    const models = await server.models(signal);
    return {
      choice,
      url,
      state: 'ready',
      version,
      standin,
      models: models.filter(({ remote }) => !remote).map(({ name }) => name),
      problem: null,
    };
  } catch (error) {
    return { choice, url, version: null, standin: choice === 'standin', models: [], ...trouble(error, url) };
  }
}

export const backends = {
  look: os.backends.look.handler(async ({ context: { service }, signal }) => {
    const reports = await Promise.all([look(service, 'ollama', signal), look(service, 'standin', signal)]);
    // The counts of connections and refusals are part of the status.
    service.changes.status();
    return reports;
  }),
};
