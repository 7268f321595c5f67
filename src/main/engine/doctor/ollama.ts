// What checks of the doctor are, and those of Ollama.
import type { Gpu } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import type { Check } from '../../../shared/checks.ts';
import type { DoctorCheck, DoctorReport } from '../../../shared/commandOutputs.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { byteSize, memorySize } from '../../../shared/sizes.ts';
import { ownCall } from '../commandText.ts';
import { type Answer, whoAnswers } from '../models/daemon/answer.ts';
import type { FoundProgram } from '../models/daemon/program.ts';
import { isOnThisMachine, type NetworkDispatcher } from '../models/dispatcher.ts';
import { type ListedModel, ollamaLibrary } from '../models/library/client.ts';

type Ready = Extract<Answer, { kind: 'ollama' }>;
type Program = FoundProgram['how'] | null;

const places: Readonly<Record<FoundProgram['how'], string>> = {
  configured: 'its program was named by ASSIZE_OLLAMA',
  path: 'its program was found in the path',
  'usual-place': 'its program was found where its installer puts it',
};
const programText = (program: Program) => (program === null ? 'its program was not found on this machine' : places[program]);

function checkAway(answer: Exclude<Answer, Ready>, url: string, program: Program): DoctorCheck {
  if (answer.kind === 'refused') {
    const { hostname } = new URL(url);
    const remedy = `use a server on this machine, or allow it by name if cases may be sent there: --allow-host ${hostname}`;
    return problem('ollama', `${hostname} is not this machine, so nothing was sent there`, remedy);
  }
  if (answer.kind === 'other') {
    const remedy = 'if it is Ollama, start it again; if not, end it or give the address of Ollama with --ollama';
    return problem('ollama', `what is at ${url} does not answer as Ollama does (${answer.reason})`, remedy);
  }
  if (!isOnThisMachine(url)) {
    const remedy = `check the address, and that Ollama runs on ${new URL(url).hostname} and can be reached from here`;
    return problem('ollama', `nothing answers at ${url} (${answer.reason})`, remedy);
  }
  const found = `nothing answers at ${url} (${answer.reason}); ${programText(program)}`;
  const start =
    program === null
      ? 'install Ollama (https://ollama.com/download) and start it (ollama serve)'
      : `start it (ollama serve), or let \`${ownCall} run --start-ollama\` do so`;
  return problem('ollama', found, `${start}; or try the demo model: ${ownCall} standin`);
}

function checkCloud(cloud: Ready['cloud'], version: string | null): DoctorCheck {
  if (cloud === 'off') return ok('cloud', 'off: the server itself says so (/api/status)');
  const how = predatesCloudSwitch(version)
    ? `update Ollama to ${cloudSwitchSince} or newer and set OLLAMA_NO_CLOUD=1 in its environment: older ones cannot turn them off`
    : 'set OLLAMA_NO_CLOUD=1 in the environment of Ollama and start it again, or let Assize start its own';
  const on = 'the cloud features of this server are on';
  const found = cloud === 'on' ? on : 'the server does not say whether its cloud features are off (/api/status)';
  return warning('cloud', found, `${how}; cloud models are refused in any case`);
}

function checkInstalled(installed: readonly ListedModel[] | null, standin: boolean): DoctorCheck[] {
  if (installed === null) return [problem('models', 'the server does not list them', 'look at the log of the server')];
  const usable = installed.filter(({ refused }) => refused === null);
  const remote = installed.filter(({ refused }) => refused !== null);
  if (standin)
    return [ok('models', `only names, under which the demo model answers: ${usable.map(({ name }) => name).join(', ')}`)];
  const words = usable.map(({ name, size }) => (size === null ? name : `${name} (${byteSize(size)})`)).join(', ');
  const elsewhere = `${remote.map(({ name }) => name).join(', ')}: they run elsewhere and are refused`;
  return [
    usable.length > 0 ? ok('models', words) : problem('models', 'none', 'get one, for example: ollama pull llama3.1:8b'),
    ...(remote.length === 0 ? [] : [ok('remote models', elsewhere)]),
  ];
}

const percent = (share: number) => `${Math.round(share * 100)}%`;
/** As the server counts: parts of a model that are on no GPU in any case are less. */
const whole = 0.98;

/** Where a loaded model lies. @param gpus of this machine; null where the server is another's */
function checkLoadedModel({ name, size, gpu_share, context }: LoadedModel, gpus: readonly Gpu[] | null): DoctorCheck {
  const check = `loaded ${name}`;
  const place =
    gpus?.length === 0 && gpu_share > 0
      ? `${percent(gpu_share)} on a GPU as the server says, though none was found here`
      : `${percent(gpu_share)} on the GPU`;
  const found = `${memorySize(size)}, ${place}${context === null ? '' : `, a context of ${context} tokens`}`;
  if (gpu_share >= whole || gpus?.length === 0) return ok(check, found);
  if (gpu_share >= 1 - whole) {
    const remedy = 'free the memory of the GPU, or take a smaller model or a shorter context: what is not on the GPU is slow';
    return warning(check, found, remedy);
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
  const remedy = 'end what else uses the GPU (nvidia-smi lists it), or models will be computed by the processor';
  const taken = (gpus ?? []).flatMap(({ name, memory_used: used, memory_total: total, unified }) =>
    unified || used === null || total === null || used <= total / 2
      ? []
      : [warning('gpu memory', `${memorySize(used)} of ${name} is taken, and not by a model of this server`, remedy)],
  );
  return [ok('loaded models', 'none; whether Ollama uses the GPU shows when one is loaded'), ...taken];
}

const contextText =
  'runs ask for their own (runtime.numCtx); where a request names none, Ollama takes one by the memory of the GPU, 4096 below about 23 GiB';

async function checkOther(dispatcher: NetworkDispatcher, url: string): Promise<DoctorCheck[]> {
  const answer = await whoAnswers(dispatcher, url);
  if (answer.kind !== 'ollama' || answer.standin) return [];
  const version = answer.version === null ? '' : `, version ${answer.version}`;
  const found = `another Ollama answers at ${url}${version}: both load models into the same memory`;
  return [warning('other ollama', found, 'end one of them, or unload its models while the other works')];
}

/** One part of the server's own account: one that fails must not cost the others. */
async function quiet<T>(asking: Promise<T>): Promise<T | null> {
  return asking.catch((error: unknown) => {
    if (error instanceof BackendOutage || error instanceof AssizeError) return null;
    throw error;
  });
}

/** The Ollama at an address, its models, and others on this machine. @param options.others addresses at which one may answer */
export async function examineOllama(
  dispatcher: NetworkDispatcher,
  url: string,
  { program, gpus, others }: { program: Program; gpus: readonly Gpu[]; others: readonly string[] },
): Promise<Required<Pick<DoctorReport, 'checks' | 'ollama'>>> {
  const answer = await whoAnswers(dispatcher, url);
  if (answer.kind !== 'ollama') {
    const nothing = { version: null, cloud: null, standin: false, installed: [], loaded: [] };
    const state = answer.kind === 'nothing' ? 'away' : answer.kind;
    return { checks: [checkAway(answer, url, program)], ollama: { url, program, state, ...nothing } };
  }
  const library = ollamaLibrary(dispatcher, { url });
  const [installed, loaded] = await Promise.all([quiet(library.installed()), quiet(library.loaded())]);
  const { version, cloud, standin } = answer;
  const server = standin
    ? demo('ollama', url, 'start Ollama for answers of real models')
    : ok('ollama', `${url}, version ${version ?? 'unknown'}, attached to; ${programText(program)}`);
  const listed = (installed ?? []).map(({ name, size, parameters, quantization, refused }) => {
    return { name, size, parameters, quantization, refused };
  });
  return {
    checks: [
      server,
      ...(standin ? [] : [checkVersion(version), checkCloud(cloud, version)]),
      ...checkInstalled(installed, standin),
      ...checkLoaded(loaded, isOnThisMachine(url) && !standin ? gpus : null),
      ...(standin ? [] : [ok('context', contextText)]),
      ...(await Promise.all(others.map((other) => checkOther(dispatcher, other)))).flat(),
    ],
    ollama: { url, program, state: 'ready', version, cloud, standin, installed: listed, loaded: loaded ?? [] },
  };
}

type Version = readonly [number, number, number];

/** The first release with schemas, without which most calls fail. */
const withSchemas: Version = [0, 5, 0];
/** The first release with all that runs use: capabilities (0.6.4), `think` (0.9.0), token probabilities and `truncate: false`. */
const withAll: Version = [0, 12, 11];
/** The first whose cloud features can be turned off by `OLLAMA_NO_CLOUD`. */
const withCloudSwitch: Version = [0, 16, 2];

/** Numbers of a version; null where it is written in another way, or that of a build from source. */
function parse(text: string): Version | null {
  const [major = 0, minor = 0, patch = 0] = (/^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  return major + minor + patch === 0 ? null : [major, minor, patch];
}

const isBelow = (one: Version, other: Version): boolean => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
};

export const cloudSwitchSince = withCloudSwitch.join('.');

/** Whether the server is an older release whose cloud features cannot be turned off. */
export function predatesCloudSwitch(version: string | null): boolean {
  const numbers = version === null ? null : parse(version);
  return numbers !== null && isBelow(numbers, withCloudSwitch);
}

/** Whether the server's version can do what runs ask of it. One that is not known, or newer than any, is never wrong. */
export function checkVersion(version: string | null): DoctorCheck {
  const name = 'ollama version';
  const update = `update Ollama to ${withAll.join('.')} or newer`;
  if (version === null) return warning(name, 'it does not report its version', update);
  const numbers = parse(version);
  if (numbers === null) return ok(name, `${version} (unknown release; its features are unknown)`);
  if (isBelow(numbers, withSchemas)) return problem(name, `${version}: it knows no schemas and refuses most calls`, update);
  if (!isBelow(numbers, withAll)) return ok(name, version);
  const found = `${version}: older releases give no token probabilities and may silently cut long prompts`;
  return warning(name, found, `${update}; until then avoid "belief": "logprobs" and keep numCtx well above the longest prompt`);
}

export const ok = (name: string, found: string): DoctorCheck => ({ name, state: 'ok', found, mend: null });
export const warning = (name: string, found: string, mend: string): DoctorCheck => ({ name, state: 'warning', found, mend });
export const problem = (name: string, found: string, mend: string): DoctorCheck => ({ name, state: 'problem', found, mend });

/** A server that is no model. */
export const demo = (name: string, url: string, mend: string): DoctorCheck =>
  warning(name, `${url} is the DEMO MODEL: its answers are made up`, mend);

export const named = (name: string, { text, severity, remedy }: Check): DoctorCheck => ({
  name,
  state: severity === 'note' ? 'ok' : severity,
  found: text,
  mend: remedy,
});

/** What stops every run first, then what makes runs wrong, then what makes them slow. */
const importance =
  'store|disk|ollama|ollama version|backend .*|models|cloud|remote models|key of .*|gpu driver|loaded .*|other ollama|gpu.*|disk of the models|server .*|experiment'
    .split('|')
    .map((name) => new RegExp(`^${name}$`));

const rank = ({ name }: DoctorCheck): number => {
  const found = importance.findIndex((pattern) => pattern.test(name));
  return found < 0 ? importance.length : found;
};

/** What to fix: problems before warnings, each in the order of importance. */
export function adviceOf(checks: readonly DoctorCheck[]): DoctorReport['advice'] {
  return checks
    .toSorted((left, right) => Number(right.state === 'problem') - Number(left.state === 'problem') || rank(left) - rank(right))
    .flatMap(({ name, state, mend }) => (state === 'ok' || mend === null ? [] : [{ name, state, mend }]));
}
