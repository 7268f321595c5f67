import type { Gpu } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import type { DoctorCheck, DoctorReport } from '../../../shared/outputs.ts';
import { byteSize, memorySize } from '../../../shared/sizes.ts';
import { type Answer, whoAnswers } from '../models/daemon/answer.ts';
import type { FoundProgram } from '../models/daemon/program.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { ollamaLibrary } from '../models/library/client.ts';
import type { ListedModel } from '../models/library/listed.ts';
import { ok, problem, warning } from './check.ts';
import { checkVersion, cloudSwitchSince, predatesCloudSwitch } from './version.ts';

type FoundOllama = NonNullable<DoctorReport['ollama']>;
type Ready = Extract<Answer, { kind: 'ollama' }>;

export interface OllamaFindings {
  readonly checks: readonly DoctorCheck[];
  readonly ollama: FoundOllama;
}

const places: Readonly<Record<FoundProgram['how'], string>> = {
  configured: 'named by ASSIZE_OLLAMA',
  path: 'found in the path',
  'usual-place': 'found where its installer puts it',
};

const programWords = (program: FoundProgram['how'] | null) =>
  program === null ? 'its program was not found on this machine' : `its program was ${places[program]}`;

/** Why it is not asked, and what to do. */
function checkAway(answer: Exclude<Answer, Ready>, url: string, program: FoundProgram['how'] | null): DoctorCheck {
  switch (answer.kind) {
    case 'refused': {
      const { hostname } = new URL(url);
      const mend = `use a server on this machine, or allow it by name if cases may be sent there: --allow-host ${hostname}`;
      return problem('ollama', `${hostname} is not this machine, so nothing was sent there`, mend);
    }
    case 'other':
      return problem(
        'ollama',
        `what answers at ${url} is not Ollama (${answer.reason})`,
        'end what is there, or give the address of Ollama with --ollama',
      );
    case 'nothing':
      return problem(
        'ollama',
        `nothing answers at ${url} (${answer.reason}); ${programWords(program)}`,
        program === null
          ? 'install Ollama (https://ollama.com/download) and start it (ollama serve), or try the stand-in: assize standin'
          : 'start it (ollama serve), or let `assize run --start-ollama` do so; or try the stand-in: assize standin',
      );
  }
}

function checkCloud(cloud: Ready['cloud'], version: string | null): DoctorCheck {
  const mend = predatesCloudSwitch(version)
    ? `update Ollama to ${cloudSwitchSince} or newer and set OLLAMA_NO_CLOUD=1 in its environment: older ones cannot turn them off; cloud models are refused in any case`
    : 'set OLLAMA_NO_CLOUD=1 in the environment of Ollama and start it again, or let Assize start its own; cloud models are refused in any case';
  if (cloud === 'off') return ok('cloud', 'off: the server itself says so (/api/status)');
  if (cloud === 'on') return warning('cloud', 'the cloud features of this server are on', mend);
  return warning('cloud', 'the server does not say whether its cloud features are off (/api/status)', mend);
}

function checkInstalled(installed: readonly ListedModel[]): DoctorCheck[] {
  const usable = installed.filter(({ refused }) => refused === null);
  const remote = installed.filter(({ refused }) => refused !== null);
  const words = usable.map(({ name, size }) => (size === null ? name : `${name} (${byteSize(size)})`));
  return [
    usable.length > 0
      ? ok('models', words.join(', '))
      : problem('models', 'none', 'get one, for example: ollama pull llama3.1:8b'),
    ...(remote.length === 0
      ? []
      : [ok('remote models', `${remote.map(({ name }) => name).join(', ')}: they run elsewhere and are refused`)]),
  ];
}

const percent = (share: number) => `${Math.round(share * 100)}%`;
/** As the server counts: parts of a model that are on no GPU in any case are less. */
const whole = 0.98;

/** Where a loaded model lies. @param gpus of this machine; null where the server is another's */
function checkLoadedModel({ name, size, gpu_share, context }: LoadedModel, gpus: readonly Gpu[] | null): DoctorCheck {
  const check = `loaded ${name}`;
  const found = `${memorySize(size)}, ${percent(gpu_share)} on the GPU${context === null ? '' : `, a context of ${context} tokens`}`;
  if (gpu_share >= whole || (gpus !== null && gpus.length === 0)) return ok(check, found);
  if (gpu_share >= 1 - whole) {
    const mend = 'free the memory of the GPU, or take a smaller model or a shorter context: what is not on the GPU is slow';
    return warning(check, found, mend);
  }
  if (gpus === null) return ok(check, found);
  return warning(
    check,
    `${found}: it is computed by the processor although there is a GPU (${gpus.map((gpu) => gpu.name).join(', ')})`,
    'free the memory of the GPU and restart Ollama; if it stays so, its log says why it does not take the GPU (driver, or a build without support for it)',
  );
}

function checkLoaded(loaded: readonly LoadedModel[] | null, gpus: readonly Gpu[] | null): DoctorCheck[] {
  if (loaded === null) return [warning('loaded models', 'the server does not tell', 'update Ollama: it knows no /api/ps')];
  if (loaded.length > 0) return loaded.map((model) => checkLoadedModel(model, gpus));
  const none = ok('loaded models', 'none; whether Ollama uses the GPU shows when one is loaded');
  const taken = (gpus ?? []).filter(
    ({ memory_used: used, memory_total: total, unified }) => !unified && used !== null && total !== null && used > total / 2,
  );
  return [
    none,
    ...taken.map(({ name, memory_used }) =>
      warning(
        'gpu memory',
        `${memorySize(memory_used ?? 0)} of ${name} is taken, and not by a model of this server`,
        'end what else uses the GPU (nvidia-smi lists it), or models will be computed by the processor',
      ),
    ),
  ];
}

const contextWords =
  'runs ask for their own (runtime.numCtx); where a request names none, Ollama takes one by the memory of the GPU, 4096 below about 23 GiB';

/** Other servers of this machine that answer as Ollama does. */
async function checkOthers(dispatcher: NetworkDispatcher, urls: readonly string[]): Promise<DoctorCheck[]> {
  const answers = await Promise.all(urls.map(async (url) => ({ url, answer: await whoAnswers(dispatcher, url) })));
  return answers.flatMap(({ url, answer }) =>
    answer.kind === 'ollama' && !answer.standin
      ? [
          warning(
            'other ollama',
            `another Ollama answers at ${url}${answer.version === null ? '' : `, version ${answer.version}`}: both load models into the same memory`,
            'end one of them, or unload its models while the other works',
          ),
        ]
      : [],
  );
}

/** The parts of the server's own account, each alone: one that fails must not cost the others. */
async function askAll(dispatcher: NetworkDispatcher, url: string) {
  const library = ollamaLibrary(dispatcher, { url });
  const quiet = async <T>(asking: Promise<T>): Promise<T | null> => {
    try {
      return await asking;
    } catch (error) {
      if (error instanceof BackendOutage || error instanceof AssizeError) return null;
      throw error;
    }
  };
  const [installed, loaded] = await Promise.all([quiet(library.installed()), quiet(library.loaded())]);
  return { installed, loaded };
}

/**
 * The Ollama at an address, its models, and what else is of its kind on this machine.
 * @param options.others further addresses at which one may answer
 */
export async function examineOllama(
  dispatcher: NetworkDispatcher,
  url: string,
  { program, gpus, others }: { program: FoundProgram['how'] | null; gpus: readonly Gpu[]; others: readonly string[] },
): Promise<OllamaFindings> {
  const answer = await whoAnswers(dispatcher, url);
  const nothing = { url, program, version: null, cloud: null, standin: false, installed: [], loaded: [] };
  if (answer.kind !== 'ollama') {
    return {
      checks: [checkAway(answer, url, program)],
      ollama: { ...nothing, state: answer.kind === 'nothing' ? 'away' : answer.kind },
    };
  }
  const { installed, loaded } = await askAll(dispatcher, url);
  const { version, cloud, standin } = answer;
  const here = isOnThisMachine(url) && !standin;
  const server = standin
    ? warning('ollama', `${url} is the STAND-IN: its answers are made up`, 'start Ollama for answers of real models')
    : ok('ollama', `${url}, version ${version ?? 'unknown'}, attached to; ${programWords(program)}`);
  const checks = [
    server,
    ...(standin ? [] : [checkVersion(version), checkCloud(cloud, version)]),
    ...(installed === null
      ? [problem('models', 'the server does not list them', 'look at the log of the server')]
      : checkInstalled(installed)),
    ...checkLoaded(loaded, here ? gpus : null),
    ...(standin ? [] : [ok('context', contextWords)]),
    ...(await checkOthers(dispatcher, others)),
  ];
  return {
    checks,
    ollama: {
      url,
      state: 'ready',
      program,
      version,
      cloud,
      standin,
      installed: (installed ?? []).map(({ name, size, parameters, quantization, refused }) => ({
        name,
        size,
        parameters,
        quantization,
        refused,
      })),
      loaded: loaded ?? [],
    },
  };
}
