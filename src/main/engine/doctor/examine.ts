// All checks of `assize doctor`.

import { readFileSync } from 'node:fs';
import { release, version } from 'node:os';
import { join } from 'node:path';
import { type Settings, settingsSchema } from '../../../shared/api/engine.ts';
import { type Gpu, type Hardware, paceWithoutGpu } from '../../../shared/api/hardware.ts';
import { type DoctorCheck, type DoctorReport, doctorReportSchema } from '../../../shared/commandOutputs.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { byteSize, memorySize } from '../../../shared/sizes.ts';
import { attempt } from '../attempt.ts';
import { commandText, ownCall } from '../commandText.ts';
import { type Machine, type MachineReading, openMachine } from '../hardware/machine.ts';
import { connectBackends, isSpared, overrideUrl, type ProbedBackend, probeBackend } from '../lab/backends.ts';
import { fileChecks, sendingChecks } from '../lab/checks.ts';
import { askedOf, readExperiment } from '../lab/experimentFile.ts';
import { listedNames } from '../lab/frozen.ts';
import { poolsIn } from '../lab/lanes.ts';
import { ollamaAddress, ollamaHostUrl, usualOllamaUrl } from '../models/daemon/answer.ts';
import { findProgram, type Surroundings, surroundings } from '../models/daemon/program.ts';
import { createDispatcher, isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { freeForModels } from '../models/library/fits.ts';
import { openPermissions } from '../permissions.ts';
import { keptFaults } from '../service/knownFaults.ts';
import { largestCheckedOnOpening } from '../store/connection.ts';
import { isThere } from '../store/firstBytes.ts';
import { besideStore, freeForStore, isOnlyReadable, isWritable, nearestFolder } from '../store/location.ts';
import { elsewhereOf, openStoreReadOnly } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { adviceOf, demo, examineOllama, named, ok, problem, warning } from './ollama.ts';

function asError(error: unknown): AssizeError {
  if (error instanceof AssizeError) return error;
  throw error;
}

/** @param spared whether other servers take its calls */
function backendCheck(name: string, { backend, missing, error }: ProbedBackend, spared: boolean): DoctorCheck {
  const check = `backend ${name}`;
  const { model, version, standin, away, needed } = backend;
  if (away !== undefined) {
    if (spared) return warning(check, away, 'a run does without it until it answers; start it, or take `joins` out');
    if (error !== undefined) return refusedCheck(name, error);
    return problem(check, away, missing.map(({ remedy }) => remedy).join('; '));
  }
  if (standin) return demo(check, model.url, 'name a server with real models');
  return ok(check, `${model.kind} at ${model.url}, version ${version}, has ${[...needed.keys()].join(', ')}`);
}

const refusedCheck = (name: string, { advice }: AssizeError): DoctorCheck =>
  problem(`backend ${name}`, advice, 'fix that, or change `backends` in the experiment file');

/** The servers that an experiment asks, and what its file says. Throws bad input where its file is at fault. */
async function checkBackends(path: string, url: string | undefined, dispatcher: NetworkDispatcher): Promise<DoctorCheck[]> {
  const prepared = readExperiment(path);
  const { backends, runtime } = prepared.experiment;
  const asked = overrideUrl(backends, url);
  const models = connectBackends(dispatcher, asked, runtime);
  const { needed, played } = askedOf(prepared);
  const probed = new Map<string, ProbedBackend | AssizeError>();
  const probing = [...needed].map(async ([name, wanted]) => {
    const model = models.get(name);
    if (model === undefined) return;
    probed.set(name, await probeBackend(name, model, wanted).catch(asError));
  });
  await Promise.all(probing);
  const isThere = (name: string) => {
    const each = probed.get(name);
    return each !== undefined && 'backend' in each && each.backend.away === undefined;
  };
  const checks = [...models.keys()].flatMap((name) => {
    const each = probed.get(name);
    if (each === undefined) return [];
    return 'backend' in each ? backendCheck(name, each, isSpared(name, poolsIn(played), isThere)) : refusedCheck(name, each);
  });
  return [
    ...sendingChecks(asked, needed).map(({ title, check }) => named(title, check)),
    ...checks,
    ...fileChecks(prepared).map((check) => named('experiment', check)),
  ];
}

/** The settings next to a store; null where none can be read. Never writes. */
function settingsBeside(store: string): Settings | null {
  // Without them everything has its default, and the engine says so where they were spoilt.
  const found: unknown = attempt(() => JSON.parse(readFileSync(besideStore(store, '.settings.json'), 'utf8')), null);
  const settings = settingsSchema.loose().safeParse(found).data;
  return settings === undefined ? null : openPermissions(store).withoutUnknown(settings);
}

/** The servers that the settings list, whether or not an experiment asks them. */
function checkServers({ servers }: Settings, dispatcher: NetworkDispatcher): Promise<DoctorCheck[]> {
  const limits = { timeoutSeconds: 10, idleSeconds: 10 };
  return Promise.all(
    [...connectBackends(dispatcher, Object.fromEntries(servers.map(({ name, backend }) => [name, backend])), limits)].map(
      async ([name, model]): Promise<DoctorCheck> => {
        const check = `server ${name}`;
        try {
          const { version, standin } = await model.version();
          const models = (await model.models()).filter(({ remote }) => !remote);
          if (standin) return demo(check, model.url, 'give a server with models');
          const count = `${models.length} model${models.length === 1 ? '' : 's'}`;
          return ok(check, `${model.kind} at ${model.url}, version ${version}, ${count}`);
        } catch (error) {
          if (!(error instanceof AssizeError || error instanceof BackendOutage)) throw error;
          return warning(check, error.message, 'start it, correct its address in the settings, or take it off there');
        }
      },
    ),
  );
}

export interface Examination {
  readonly store: string;
  /** The server to examine; with an experiment, in place of the one in its file. */
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly experiment: string | undefined;
  readonly program: string;
  /** In place of this machine's own. */
  readonly machine?: Machine;
  readonly around?: Surroundings;
  readonly free?: { readonly store: number; readonly models: number | null };
}

/** Addresses of this machine at which an Ollama may answer, other than the one that is examined. */
function otherAddresses(examined: string, configured: string | undefined, { env }: Surroundings): string[] {
  const plain = (url: string) => url.replace('//localhost', '//127.0.0.1').replace(/\/+$/, '');
  const all = [usualOllamaUrl, ollamaHostUrl(env), configured].flatMap((url) => (url ? [plain(url)] : []));
  return [...new Set(all)].filter((url) => url !== plain(examined) && isOnThisMachine(url));
}

/** A user who set the variable wants another server than the usual one. */
function checkVariable(env: Surroundings['env']): DoctorCheck[] {
  if ((env.OLLAMA_HOST ?? '').trim() === '' || ollamaHostUrl(env) !== null) return [];
  const found = `its value is no address, so ${usualOllamaUrl} was asked`;
  return [warning('OLLAMA_HOST', found, 'write it like 127.0.0.1:11434, or :11434 for a port of this machine')];
}

/** `assize doctor`: what is there, what is wrong and how to fix it. Throws bad input where the experiment file is at fault. */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const { store, url, allowedHosts, experiment, program, machine = openMachine(), around = surroundings() } = examination;
  const settings = elsewhereOf(store) === null ? settingsBeside(store) : null;
  const dispatcher = createDispatcher({ allowedHosts });
  // What the user allowed for this store on the screens.
  const toServers = createDispatcher({ allowedHosts: [...allowedHosts, ...openPermissions(store).hosts()] });
  try {
    const { hardware, reading } = await machine.hardware();
    const address = url ?? ollamaAddress(settings?.ollamaUrl ?? usualOllamaUrl, around.env);
    const free = examination.free ?? { store: freeForStore(store), models: await freeForModels() };
    const unread = url === undefined && experiment === undefined ? checkVariable(around.env) : [];
    const places = [checkStore(store), checkDisk(free.store), ...checkModelsDisk(free.models)];
    const found =
      experiment === undefined
        ? await examineOllama(dispatcher, address, {
            program: findProgram(around)?.how ?? null,
            gpus: hardware.gpus,
            others: otherAddresses(address, settings?.ollamaUrl, around),
          })
        : { checks: await checkBackends(experiment, url, dispatcher), ollama: null };
    const servers = experiment === undefined && settings !== null ? await checkServers(settings, toServers) : [];
    const checks = [...checkMachine(hardware, reading), checkWindow(program), ...places, ...unread, ...found.checks, ...servers];
    return doctorReportSchema.parse({
      ok: checks.every(({ state }) => state !== 'problem'),
      checks,
      advice: adviceOf(checks),
      hardware,
      ollama: found.ollama,
    });
  } finally {
    await Promise.all([dispatcher.close(), toServers.close()]);
  }
}

function gpuText({ name, memory_total, memory_used, driver, unified, utilisation, temperature, source }: Gpu): string {
  const shared = unified ? ' shared with the machine' : '';
  const used = memory_used === null ? [] : [`${memorySize(memory_used)} of it in use`];
  return [
    name,
    ...(memory_total === null ? ['memory not known'] : [`${memorySize(memory_total)} memory${shared}`, ...used]),
    ...(utilisation === null ? [] : [`${Math.round(utilisation * 100)}% busy`]),
    ...(temperature === null ? [] : [`${Math.round(temperature)} °C`]),
    ...(driver === null ? [] : [`driver ${driver}`]),
    `reported by ${source}`,
  ].join(', ');
}

function checkGpus({ gpus, notes, driverTrouble }: MachineReading): DoctorCheck[] {
  const known = gpus.map((gpu, index) => ok(gpus.length === 1 ? 'gpu' : `gpu ${index}`, gpuText(gpu)));
  if (driverTrouble) {
    return [...known, warning('gpu driver', 'there is a GPU that cannot be used', notes.join(' '))];
  }
  const unread = notes.map((note) => warning('gpu reading', note, 'run the tool by hand to see what it says'));
  if (known.length > 0 || unread.length > 0) return [...known, ...unread];
  return [
    ok(
      'gpu',
      `none: models are computed by the processor, and ${paceWithoutGpu}; ${ownCall} run FILE --plan --measure measures it here`,
    ),
  ];
}

function checkMachine(hardware: Hardware, reading: MachineReading): DoctorCheck[] {
  const { platform, architecture, processor, cores } = hardware;
  const { total, free, limited } = reading.memory;
  return [
    ok('assize', programVersion),
    ok('node', `${process.versions.node} on ${process.platform} ${process.arch}`),
    ok('system', `${platform} ${architecture}, ${release()} (${version()})`),
    ok('processor', `${processor}, ${cores} core${cores === 1 ? '' : 's'}`),
    ok('memory', `${memorySize(total)}${limited ? ' (the limit of this container)' : ''}, ${memorySize(free)} free`),
    ...checkGpus(reading),
  ];
}

/** Whether a window opens without a network. @param program folder of the program */
export function checkWindow(program: string): DoctorCheck {
  const runtime = attempt(() => readFileSync(join(program, 'node_modules/electron/dist/version'), 'utf8').trim(), null);
  return ok(
    'window',
    runtime === null
      ? 'Electron is not there: npm start downloads it, or opens the browser where it cannot; npx --no install-electron only downloads it'
      : `Electron ${runtime.replace(/^v/, '')} is there: npm start downloads nothing`,
  );
}

const leastFreeBytes = 1024 ** 3;
/** A model of 8 billion parameters in four bits takes about half of it. */
const leastForModels = 10 * 1024 ** 3;

/** @param writable in place of asking the system */
export function checkStore(path: string, writable = isWritable): DoctorCheck {
  try {
    if (!isThere(path)) {
      if (writable(nearestFolder(path))) return ok('store', `${path} (not there yet; the first run makes it)`);
      const remedy = `make ${nearestFolder(path)} writable, or use --store or ASSIZE_STORE`;
      return problem('store', `${path} cannot be made`, remedy);
    }
    const store = openStoreReadOnly(path);
    const names = store.experiments.names();
    const arePagesRead = store.bytes() <= largestCheckedOnOpening;
    try {
      if (arePagesRead) store.checkPages();
    } finally {
      store.close();
    }
    const held = `${path} (${names.length} experiment${names.length === 1 ? '' : 's'}${names.length === 0 ? '' : `: ${listedNames(names)}`})`;
    const fault = keptFaults(path)
      .read()
      .faults.find(({ by }) => by !== 'replay');
    if (fault !== undefined)
      return problem(
        'store',
        `${held} was found damaged on ${fault.at.slice(0, 10)}: ${fault.problem}`,
        '“A damaged record” in docs/usage.md says what to do; “Check it now” on the screens takes this back if it finds the record intact',
      );
    const unread = arePagesRead ? 'its pages are sound, its contents are not checked' : 'not checked for damage';
    const found = names.length === 0 ? held : `${held}; ${unread}: ${commandText('verify', path)} does that`;
    if (!isOnlyReadable(path, writable)) return ok('store', found);
    return warning(
      'store',
      `${found}. It can be read and not written: no run can use it`,
      'reading needs nothing more: show, verify, replay, stats and export take it as it is; to run in it, make the file and its folder writable for this user',
    );
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return problem('store', error.describe(), 'do as it says, or use another --store');
  }
}

function checkDisk(free: number): DoctorCheck {
  const found = `${byteSize(free)} free`;
  return free >= leastFreeBytes
    ? ok('disk', found)
    : warning('disk', found, 'free some space: a long run writes about 30 kB for each courtroom trial');
}

/** @param free bytes; null where the folder of the models is not known */
function checkModelsDisk(free: number | null): DoctorCheck[] {
  if (free === null) return [];
  const found = `${byteSize(free)} free where Ollama keeps its models`;
  const remedy = 'remove models that are not needed (ollama rm), or move them to another disk (OLLAMA_MODELS)';
  return [free >= leastForModels ? ok('disk of the models', found) : warning('disk of the models', found, remedy)];
}
