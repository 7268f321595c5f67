// Requests about the machine, its model servers and their models.
import type { DaemonFrame, DaemonLog, DaemonStatus } from '../../../../shared/api/daemon.ts';
import type { BackendChoice, BackendReport, ServerReport, ServerSetting } from '../../../../shared/api/engine.ts';
import type { ModelsFrame, ModelsView } from '../../../../shared/api/models.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import { BackendOutage, type ModelInfo } from '../../../../shared/model.ts';
import { connectBackends } from '../../lab/backends.ts';
import { ProbeOutage } from '../../models/modelServer.ts';
import { ollamaModel } from '../../models/ollama.ts';
import type { LanguageModel } from '../../models/port.ts';
import { withoutFolders } from '../failures.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, newestOf, orNever } from '../streams.ts';

/** Longest time that a screen waits for a server, in milliseconds. */
const patienceMs = 10_000;

const advice = {
  ollama: 'Start Ollama there, or check the address.',
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
  const isOther = error instanceof ProbeOutage && error.isOtherKind;
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

/** What the daemon itself says may name folders of this machine. */
const shown = ({ problem, ...status }: DaemonStatus): DaemonStatus => ({
  ...status,
  problem: problem === null ? null : withoutFolders(problem),
});

/** The log as a screen gets it. Each line is searched once, when first sent. @param tellable a line's text as it may be shown */
export function logTeller(tellable: (text: string) => string): (log: DaemonLog) => DaemonLog {
  const known = new WeakMap<object, DaemonLog['lines'][number]>();
  const tell = (line: DaemonLog['lines'][number]) => {
    const shown = known.get(line) ?? { at: line.at, text: tellable(line.text) };
    known.set(line, shown);
    return shown;
  };
  return ({ lines, dropped }) => ({ lines: lines.map(tell), dropped });
}

const toldLog = logTeller(withoutFolders);

export const daemon = {
  status: os.daemon.status.handler(async ({ context: service, signal }) => shown(await service.daemon.look(signal))),
  watch: os.daemon.watch.handler(({ context: { daemon: manager }, signal }) => {
    const source = newestOf<'status' | 'log', DaemonFrame>(manager.onChange, {
      status: () => ({ kind: 'status', status: shown(manager.status()) }),
      log: () => ({ kind: 'log', log: toldLog(manager.log()) }),
    });
    return follow(source, signal);
  }),
  start: os.daemon.start.handler(async ({ context: service }) => shown(await service.daemon.start())),
  stop: os.daemon.stop.handler(async ({ context: service }) => shown(await service.daemon.stop())),
};

export const hardware = {
  read: os.hardware.read.handler(async ({ context: service }) => {
    const { notes, ...machine } = (await service.hardware.read()).hardware;
    // What a tool says when it fails may name folders of this machine.
    return { ...machine, notes: notes.map(withoutFolders) };
  }),
  watch: os.hardware.watch.handler(({ context: { hardware: manager }, signal }) => {
    const frame = () => {
      const sample = manager.sample();
      return sample === null ? null : { sample, warnings: [...manager.warnings()] };
    };
    return follow(
      newestOf((changed) => manager.watch(() => changed('sample')), { sample: frame }),
      signal,
    );
  }),
};

/** What a screen shows; that the server is away is no failure of the request. */
async function view({ models, network }: Service, signal: AbortSignal): Promise<ModelsView> {
  try {
    return { ...(await models.read(signal)), problem: null };
  } catch (error) {
    if (!(error instanceof AssizeError) || signal.aborted) throw error;
    const problem = `${error.screenAdvice}.`;
    return { url: await network.url('ollama'), problem, standin: false, installed: [], disk_free: null };
  }
}

export const models = {
  read: os.models.read.handler(({ context: service, signal }) => view(service, orNever(signal))),
  watch: os.models.watch.handler(({ context: { models: manager }, signal }) => {
    const source = newestOf<'installed' | 'loaded' | 'pulls', ModelsFrame>(
      manager.watch,
      {
        installed: () => ({ kind: 'installed' }),
        loaded() {
          const loaded = manager.lastLoaded();
          return loaded === null ? null : { kind: 'loaded', loaded: [...loaded] };
        },
        pulls: () => ({ kind: 'pulls', pulls: [...manager.pulls.list()] }),
      },
      ['pulls', 'loaded'],
    );
    return follow(source, signal);
  }),
  pull: os.models.pull.handler(({ context: service, input }) => service.models.pulls.add(input.models)),
  cancel: os.models.cancel.handler(({ context: service, input }) => service.models.pulls.cancel(input.model)),
  dismiss: os.models.dismiss.handler(({ context: service, input }) => service.models.pulls.dismiss(input.model)),
  delete: os.models.delete.handler(({ context: service, input, signal }) => service.models.delete(input.model, orNever(signal))),
  unload: os.models.unload.handler(({ context: service, input, signal }) => service.models.unload(input.model, orNever(signal))),
  fits: os.models.fits.handler(({ context: service, input, signal }) => service.models.fits(input, orNever(signal))),
  ensembles: os.models.ensembles.handler(({ context: service, signal }) => service.models.ensembles(orNever(signal))),
};
