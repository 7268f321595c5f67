import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AssizeError } from '../../shared/errors.ts';
import { BackendOutage } from '../../shared/model.ts';
import type { DoctorCheck, DoctorReport } from '../../shared/outputs.ts';
import { isReadable, type KeyedServer, keyedServers } from './lab/apiKeys.ts';
import { connectBackends, type NeededModels, neededModels, overrideUrl, probeBackends } from './lab/backends.ts';
import { playedArms, readExperiment } from './lab/experimentFile.ts';
import { createDispatcher, type NetworkDispatcher } from './models/dispatcher.ts';
import { ollamaModel } from './models/ollama.ts';
import type { LanguageModel } from './models/port.ts';
import { openStoreReadOnly } from './store/store.ts';
import { programVersion } from './version.ts';

const ok = (name: string, found: string): DoctorCheck => ({ name, state: 'ok', found, mend: null });
const leastFreeBytes = 1024 ** 3;
const probe = { timeoutMs: 10_000, idleMs: 10_000 };

function nearestFolder(path: string): string {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function checkStore(path: string): DoctorCheck {
  if (!existsSync(path)) {
    try {
      accessSync(nearestFolder(path), constants.W_OK);
      return ok('store', `${path} (not there yet; the first run makes it)`);
    } catch {
      return {
        name: 'store',
        state: 'problem',
        found: `${path} cannot be made`,
        mend: `make ${nearestFolder(path)} writable, or use --store or ASSIZE_STORE`,
      };
    }
  }
  try {
    const store = openStoreReadOnly(path);
    const count = store.experiments.names().length;
    store.close();
    return ok('store', `${path} (${count} experiment${count === 1 ? '' : 's'})`);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return {
      name: 'store',
      state: 'problem',
      found: error.describe(),
      mend: 'use another --store, or restore this one from a copy',
    };
  }
}

function checkDisk(path: string): DoctorCheck {
  const { bavail, bsize } = statfsSync(nearestFolder(path));
  const free = bavail * bsize;
  const found = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return free >= leastFreeBytes
    ? ok('disk', found)
    : { name: 'disk', state: 'warning', found, mend: 'free some space: a long run writes about 30 KB for each courtroom trial' };
}

async function checkOllama(url: string, dispatcher: NetworkDispatcher): Promise<DoctorCheck[]> {
  try {
    const model = ollamaModel(dispatcher, { url, ...probe });
    const { version, standin } = await model.version();
    const models = await model.models();
    const server = standin
      ? {
          name: 'ollama',
          state: 'warning' as const,
          found: `${url} is the STAND-IN: its answers are made up`,
          mend: 'start Ollama for answers of real models',
        }
      : ok('ollama', `${url}, version ${version}`);
    const installed =
      models.length > 0
        ? ok('models', models.map(({ name }) => name).join(', '))
        : { name: 'models', state: 'problem' as const, found: 'none', mend: 'get one, for example: ollama pull llama3.1:8b' };
    return [server, installed];
  } catch (error) {
    if (error instanceof BackendOutage) {
      return [
        {
          name: 'ollama',
          state: 'problem',
          found: error.message,
          mend: 'install Ollama and start it (ollama serve), or try the stand-in: assize standin',
        },
      ];
    }
    if (error instanceof AssizeError)
      return [{ name: 'ollama', state: 'problem', found: error.describe(), mend: 'use a server on this machine' }];
    throw error;
  }
}

/** A server of an experiment, with the models that are asked there. */
async function checkBackend(name: string, model: LanguageModel, needed: NeededModels): Promise<DoctorCheck> {
  const check = { name: `backend ${name}` };
  try {
    const { ready, missing } = await probeBackends(new Map([[name, model]]), new Map([[name, needed]]));
    if (missing.length > 0) {
      const found = `${model.url} does not have ${missing.map((each) => each.model).join(', ')}`;
      return { ...check, state: 'problem', found, mend: missing.map(({ mend }) => mend).join('; ') };
    }
    const { version, standin } = ready.get(name) ?? { version: 'unknown', standin: false };
    if (standin) {
      const found = `${model.url} is the STAND-IN: its answers are made up`;
      return { ...check, state: 'warning', found, mend: 'name a server with real models' };
    }
    return ok(check.name, `${model.kind} at ${model.url}, version ${version}, has ${[...needed.keys()].join(', ')}`);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return {
      ...check,
      state: 'problem',
      found: error.message,
      mend: 'mend that, or change `backends` in the experiment file',
    };
  }
}

/** Which secret goes where: the file may be somebody else's. */
function tellKey(server: KeyedServer): DoctorCheck {
  const check = { name: `key of ${server.name}`, found: `the one in ${server.variable} is sent to ${new URL(server.url).host}` };
  if (!isReadable(server)) return { ...check, state: 'ok', mend: null };
  const found = `${check.found} over plain http, so that it can be read on the way`;
  return { ...check, found, state: 'warning', mend: 'use an https address, or an SSH tunnel to 127.0.0.1' };
}

async function checkBackends(path: string, url: string | undefined, dispatcher: NetworkDispatcher): Promise<DoctorCheck[]> {
  const prepared = readExperiment(path);
  const { backends, runtime } = prepared.experiment;
  const asked = overrideUrl(backends, url);
  const models = connectBackends(dispatcher, asked, runtime);
  const needed = [...neededModels(playedArms(prepared))];
  const checks = await Promise.all(
    needed.flatMap(([name, wanted]) => {
      const model = models.get(name);
      return model === undefined ? [] : [checkBackend(name, model, wanted)];
    }),
  );
  return [...keyedServers(asked).map(tellKey), ...checks];
}

export interface Examination {
  readonly store: string;
  /** The server to examine; with an experiment, in place of the one in its file. */
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Experiment file whose servers are examined. */
  readonly experiment: string | undefined;
}

const usualUrl = 'http://127.0.0.1:11434';

/** `assize doctor`: what is there, what is wrong and how to mend it. Throws bad input where the experiment file is at fault. */
export async function examine({ store, url, allowedHosts, experiment }: Examination): Promise<DoctorReport> {
  const dispatcher = createDispatcher({ allowedHosts });
  try {
    const checks = [
      ok('assize', programVersion),
      ok('node', `${process.versions.node} on ${process.platform} ${process.arch}`),
      checkStore(store),
      checkDisk(store),
      ...(await (experiment === undefined
        ? checkOllama(url ?? usualUrl, dispatcher)
        : checkBackends(experiment, url, dispatcher))),
    ];
    return { ok: checks.every(({ state }) => state !== 'problem'), checks };
  } finally {
    await dispatcher.close();
  }
}
