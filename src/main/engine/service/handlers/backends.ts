import type { BackendChoice, BackendReport, ServerReport, ServerSetting } from '../../../../shared/api/engine.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, type ModelInfo } from '../../../../shared/model.ts';
import { connectBackends } from '../../lab/backends.ts';
import { ollamaModel } from '../../models/ollama.ts';
import type { LanguageModel } from '../../models/port.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';

/** Longest time that a screen waits for a server, in milliseconds. */
const patienceMs = 10_000;

const advice = {
  ollama: 'Start Ollama there, or check the address; the demo model needs no server.',
  openai: 'Start the server there, or check the address.',
} as const;

/** Something answers, and knows nothing of what is asked. */
const otherInterface = 'Another kind of server answers there: choose the other interface, or check the address.';

/** The dispatcher refuses hosts as bad input that names no server; all else that goes wrong is the server's, or its key's. */
function trouble(error: unknown, { url, kind }: LanguageModel): Pick<BackendReport, 'state' | 'problem'> {
  if (error instanceof AssizeError && error.code === 'bad-input') {
    if (error.place.field !== 'backends') return { state: 'away', problem: `${error.screenAdvice}.` };
    const { hostname } = new URL(url);
    return {
      state: 'refused',
      problem:
        `${hostname} is not this machine, so nothing is sent there. If cases may leave this machine, add ${hostname} to the ` +
        'allowed hosts; otherwise give an address of this machine.',
    };
  }
  if (!(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
  const isOther = /HTTP 404\b/.test(error.message);
  return { state: 'away', problem: `${error.message}. ${isOther ? otherInterface : advice[kind]}` };
}

type Found = Pick<ServerReport, 'state' | 'version' | 'standin' | 'slots' | 'problem'> & {
  readonly models: readonly ModelInfo[];
};

async function found(server: LanguageModel, signal: AbortSignal | undefined): Promise<Found> {
  try {
    const { version, standin, slots = null } = await server.version(signal);
    const models = await server.models(signal);
    return { state: 'ready', version, standin, slots, models: models.filter(({ remote }) => !remote), problem: null };
  } catch (error) {
    return { version: null, standin: false, slots: null, models: [], ...trouble(error, server) };
  }
}

async function look(service: Service, choice: BackendChoice, signal: AbortSignal | undefined): Promise<BackendReport> {
  const url = await service.network.url(choice);
  const server = ollamaModel(service.network.dispatcher(), { url, timeoutMs: patienceMs, idleMs: patienceMs });
  const { models, standin, slots: _slots, ...rest } = await found(server, signal);
  return { choice, url, ...rest, standin: standin || choice === 'standin', models: models.map(({ name }) => name) };
}

async function ask(service: Service, { name, backend }: ServerSetting, signal: AbortSignal | undefined): Promise<ServerReport> {
  const { kind, url } = backend;
  const limits = { timeoutSeconds: patienceMs / 1000, idleSeconds: patienceMs / 1000 };
  const server = connectBackends(service.network.dispatcher(), { [name]: backend }, limits).get(name);
  if (server === undefined) throw new AssizeError('internal', 'a server was not connected');
  const { models, ...rest } = await found(server, signal);
  return {
    name,
    kind,
    url,
    ...rest,
    models: models.map(({ name: model, contextLength }) => ({ name: model, context: contextLength ?? null })),
  };
}

export const backends = {
  look: os.backends.look.handler(async ({ context: service, signal }) => {
    const reports = await Promise.all([look(service, 'ollama', signal), look(service, 'standin', signal)]);
    // The counts of connections and refusals are part of the status.
    service.changes.status();
    return reports;
  }),
  servers: os.backends.servers.handler(async ({ context: service, signal }) => {
    const { servers } = service.settings.read();
    const reports = await Promise.all(servers.map((server) => ask(service, server, signal)));
    service.changes.status();
    return reports;
  }),
  ask: os.backends.ask.handler(async ({ context: service, input, signal }) => {
    const report = await ask(service, input, signal);
    service.changes.status();
    return report;
  }),
};
