// All checks of `assize doctor`.

import { type DoctorReport, doctorReportSchema } from '../../../shared/doctor.ts';
import { type Machine, openMachine } from '../hardware/machine.ts';
import { ollamaAddress, ollamaHostUrl, usualOllamaUrl } from '../models/daemon/address.ts';
import { findProgram, type Surroundings, surroundings } from '../models/daemon/program.ts';
import { createDispatcher, isOnThisMachine } from '../models/dispatcher.ts';
import { freeForModels } from '../models/library/fits.ts';
import { openPermissions } from '../permissions.ts';
import { elsewhereOf } from '../store/store.ts';
import { adviceOf, type NamedCheck, reported, warning } from './check.ts';
import { checkDisk, checkMachine, checkModelsDisk, checkStore, freeForStore } from './machine.ts';
import { examineOllama } from './ollama.ts';
import { checkBackends, checkServers, settingsBeside } from './servers.ts';

export interface Examination {
  readonly store: string;
  /** The server to examine; with an experiment, in place of the one in its file. */
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Experiment file whose servers are examined. */
  readonly experiment: string | undefined;
  /** In place of this machine's own. */
  readonly machine?: Machine;
  readonly around?: Surroundings;
  /** Bytes free for the store and for the models. */
  readonly free?: { readonly store: number; readonly models: number | null };
}

/** Addresses of this machine at which an Ollama may answer, other than the one that is examined. */
function otherAddresses(examined: string, configured: string | undefined, { env }: Surroundings): string[] {
  const plain = (url: string) => url.replace('//localhost', '//127.0.0.1').replace(/\/+$/, '');
  const all = [usualOllamaUrl, ollamaHostUrl(env), configured].flatMap((url) => (url ? [plain(url)] : []));
  return [...new Set(all)].filter((url) => url !== plain(examined) && isOnThisMachine(url));
}

/** Whoever set the variable wants another server than the usual one. */
function checkVariable(env: Surroundings['env']): NamedCheck[] {
  if ((env.OLLAMA_HOST ?? '').trim() === '' || ollamaHostUrl(env) !== null) return [];
  const found = `its value is no address, so ${usualOllamaUrl} was asked`;
  return [warning('OLLAMA_HOST', found, 'write it like 127.0.0.1:11434, or :11434 for a port of this machine')];
}

/** `assize doctor`: what is there, what is wrong and how to fix it. Throws bad input where the experiment file is at fault. */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const { store, url, allowedHosts, experiment, machine = openMachine(), around = surroundings() } = examination;
  const settings = elsewhereOf(store) === null ? settingsBeside(store) : null;
  const dispatcher = createDispatcher({ allowedHosts });
  // What the user allowed for this store on the screens.
  const toServers = createDispatcher({ allowedHosts: [...allowedHosts, ...openPermissions(store).hosts()] });
  try {
    const { hardware, reading } = await machine.hardware();
    const address = url ?? ollamaAddress(usualOllamaUrl, around.env);
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
    const checks = [...checkMachine(hardware, reading), ...places, ...unread, ...found.checks, ...servers].map(reported);
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
