import { type ModelManager, ollamaHostUrl, ownCall, usualOllamaUrl, withModels } from '../../main/engine/engine.ts';
import type { Ensemble, Fit, LoadedModel, Pull } from '../../shared/api/models.ts';
import { modelNameSchema } from '../../shared/api/models.ts';
import type { DeleteReport, EnsemblesReport, FitReport, ModelsReport, PullReport } from '../../shared/commandOutputs.ts';
import { AssizeError, badInput, type ExitCode, exitCode } from '../../shared/errors.ts';
import { byteSize, memorySize } from '../../shared/sizes.ts';
import { allowedHostsIn, type Command, optionHelp, type Surroundings, serverUrl, storeNamed, type Words } from '../command.ts';
import { count, demoBanner, duration, lines, percentage, table } from '../format.ts';
import { places } from '../web/places.ts';

const usage =
  'assize models [list | pull NAME… | pull --ensemble ID | ensembles | delete NAME… | fit [NAME…] [--context N] [--slots N]] [--store FILE] [--ollama URL] [--allow-host HOST]… [--json]';
const mostNames = 100;
const usualContext = 8192;

interface Question {
  readonly words: Words;
  readonly url: string;
  readonly names: readonly string[];
  readonly models: ModelManager;
  readonly surroundings: Surroundings;
}

type Action = (question: Question) => Promise<ExitCode>;

function refuseNames({ names }: Question): void {
  if (names.length > 0) throw badInput(`${JSON.stringify(names[0])} is one word too many. Usage: ${usage}`);
}

const list: Action = async (question) => {
  refuseNames(question);
  const { models, surroundings } = question;
  const view = await models.read(surroundings.signal);
  const report: ModelsReport = { ...view, loaded: await models.loaded(surroundings.signal) };
  surroundings.tell(report, modelsText(report));
  return exitCode.ok;
};

/** The models to fetch: those named, or those of an ensemble that are not there. Throws bad input. */
async function wanted({ words, names, models, surroundings }: Question): Promise<readonly string[]> {
  const id = words.text('ensemble');
  if ((id === undefined) === (names.length === 0)) throw badInput(`name models, or an ensemble with --ensemble. Usage: ${usage}`);
  if (id === undefined) return names;
  const all = await models.ensembles(surroundings.signal);
  // A file that cannot be used is called by its name.
  const found = all.find((ensemble) => ensemble.id === id || (ensemble.problem !== null && ensemble.id === `${id}.json`));
  if (found === undefined) {
    const known = all.map((ensemble) => ensemble.id).join(', ');
    throw badInput(`there is no ensemble ${JSON.stringify(id)}; there are ${known}`, '--ensemble');
  }
  if (found.problem !== null) throw badInput(`${found.id}: ${found.problem}`, '--ensemble');
  const missing = found.models.filter(({ installed }) => !installed);
  for (const { name, note } of missing) if (note !== null) surroundings.say(`Note: ${name}: ${note}`);
  const size = missing.reduce((sum, model) => sum + (model.bytes ?? 0), 0);
  const there = found.models.length - missing.length;
  surroundings.say(
    `${there} of ${found.models.length} ${there === 1 ? 'is' : 'are'} there; ${missing.length === 0 ? 'nothing is left to fetch' : `about ${byteSize(size)} to fetch`}.`,
  );
  const { disk_free } = await models.read(surroundings.signal);
  if (disk_free !== null && size > disk_free) {
    surroundings.say(`WARNING: ${byteSize(disk_free)} are free on the models’ disk, which is not enough.`);
  }
  return missing.map(({ name }) => name);
}

const pull: Action = async (question) => {
  const { models, surroundings, url } = question;
  const { signal, say, progress, tell } = surroundings;
  // A server that is not there is reported at once; one that goes away later is waited for.
  const { standin } = await models.read(signal);
  if (standin) say(demoBanner);
  const names = await wanted(question);
  if (names.length > 0) say(`${url} fetches them from the library of models that it is set up with; nothing of a case is sent.`);
  const shown = new Set<string>();
  const show = () => {
    const pulls = models.pulls.list().toReversed();
    for (const [index, each] of pulls.entries()) {
      const place = pulls.length === 1 ? '' : ` (${index + 1} of ${pulls.length})`;
      const once = (key: string, line: string) => {
        if (!shown.has(key)) say(line);
        shown.add(key);
      };
      if (each.warning !== null) once(`${each.model} warning`, `WARNING: ${each.model}: ${each.warning}`);
      if (each.status.startsWith('interrupted')) once(`${each.model} ${each.resumed}`, `${each.model}: ${each.status}`);
      else if (each.state === 'pulling' || each.state === 'verifying') progress(pullLine(each, place));
      else if (each.state === 'done' || each.state === 'failed') once(`${each.model} end`, pullResult(each));
    }
  };
  const stopWatching = models.watch(show);
  const callOff = () => void models.pulls.close();
  signal.addEventListener('abort', callOff, { once: true });
  try {
    if (signal.aborted) callOff();
    else models.pulls.add(names);
    await models.pulls.idle();
    show();
  } finally {
    stopWatching();
    signal.removeEventListener('abort', callOff);
  }
  if (signal.aborted) throw new AssizeError('interrupted', 'interrupted; what was downloaded is kept, run again to continue');
  const report: PullReport = { url, pulls: models.pulls.list().toReversed() };
  tell(report, `${report.pulls.filter(({ state }) => state === 'done').length} of ${report.pulls.length} fetched.\n`);
  return report.pulls.some(({ state }) => state === 'failed') ? exitCode.noBackend : exitCode.ok;
};

const ensembles: Action = async (question) => {
  refuseNames(question);
  const { models, surroundings, url } = question;
  const away = await models.loaded(surroundings.signal).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AssizeError && error.code === 'no-backend') return error;
      throw error;
    },
  );
  if (away !== null) surroundings.say(`WARNING: ${away.message}. Until then no model counts as there.`);
  const report: EnsemblesReport = { url, ensembles: await models.ensembles(surroundings.signal) };
  surroundings.tell(report, ensemblesText(report.ensembles));
  return away === null ? exitCode.ok : exitCode.noBackend;
};

const remove: Action = async ({ names, models, surroundings, url }) => {
  if (names.length === 0) throw badInput(`name the model to delete. Usage: ${usage}`);
  for (const name of names) {
    await models.delete(name, surroundings.signal);
    // Where a later one is refused, the earlier ones are gone all the same.
    if (names.length > 1) surroundings.say(`${name} is deleted.`);
  }
  const report: DeleteReport = { url, deleted: [...names] };
  surroundings.tell(report, `Deleted: ${names.join(', ')}.\n`);
  return exitCode.ok;
};

const fit: Action = async ({ words, names, models, surroundings, url }) => {
  const context = words.whole('context', 256) ?? usualContext;
  const slots = words.whole('slots', 1) ?? 1;
  const { standin } = await models.read(surroundings.signal);
  if (standin) surroundings.say(demoBanner);
  const asked = { context, slots, ...(names.length === 0 ? {} : { models: names }) };
  const report: FitReport = { url, fits: await models.fits(asked, surroundings.signal) };
  surroundings.tell(report, fitsText(report.fits));
  return exitCode.ok;
};

const actions: Readonly<Record<string, Action>> = { list, pull, ensembles, delete: remove, fit };

const owners = { ensemble: 'pull', context: 'fit', slots: 'fit' } as const;

export const modelsCommand: Command = {
  name: 'models',
  usage,
  summary: 'lists, fetches and deletes the models of an Ollama server, and shows which fit this machine',
  options: [
    ['list', 'what the server has, and what is in its memory; also without a word'],
    ['pull NAME…', 'fetches models; run it again after an interruption and it resumes'],
    ['--ensemble ID', 'with pull: the models of a paper that are not there, such as agenticsim-16'],
    ['ensembles', 'the program’s lists of models and your own'],
    ['delete NAME…', 'removes models from the disk of the server'],
    ['fit [NAME…]', 'whether models will fit the GPU or main memory of this machine'],
    ['--context N', `with fit: tokens of context, ${usualContext} without it`],
    ['--slots N', 'with fit: calls at a time, 1 without it'],
    ['--store FILE', 'the store next to which your own ensembles are'],
    ['--ollama URL', `the server; without it OLLAMA_HOST, else ${usualOllamaUrl}`],
    optionHelp.allowHost,
    optionHelp.json,
  ],
  positionals: () => ['[list]', ...Array.from({ length: mostNames }, () => '[NAME]')],
  async run(words, surroundings) {
    const [name = 'list', ...given] = words.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) {
      throw badInput(`there is no "assize models ${name}"; there are ${Object.keys(actions).join(', ')}`);
    }
    for (const [option, owner] of Object.entries(owners)) {
      if (words.text(option) !== undefined && owner !== name) {
        throw badInput(`--${option} belongs to assize models ${owner}`, `--${option}`);
      }
    }
    const names = given.map((text) => {
      const { data, error } = modelNameSchema.safeParse(text);
      if (data !== undefined) return data;
      throw badInput(`${JSON.stringify(text)}: ${error?.issues[0]?.message}`, 'NAME');
    });
    const named = words.text('ollama');
    const url = serverUrl(named ?? ollamaHostUrl(process.env) ?? undefined) ?? usualOllamaUrl;
    const { resources } = places;
    const store = storeNamed(words.text('store'), surroundings.say);
    const addressField = named === undefined ? undefined : '--ollama';
    return withModels({ url, addressField, allowedHosts: allowedHostsIn(words), resources, store }, (models) =>
      action({ words, url, names, models, surroundings }),
    );
  },
};

const known = (value: string | null) => value ?? '-';
const size = (value: number | null) => (value === null ? '-' : byteSize(value));
const tokens = (value: number | null) => (value === null ? '-' : count(value));

const place = ({ gpu_share }: LoadedModel) =>
  gpu_share === 1 ? 'wholly' : gpu_share === 0 ? 'not at all' : percentage(gpu_share);

export function modelsText({ url, standin, installed, loaded, disk_free }: ModelsReport): string {
  const rows = installed.map(({ name, size: onDisk, parameters, quantization, context, capabilities, refused }) => [
    name,
    size(onDisk),
    known(parameters),
    known(quantization),
    tokens(context),
    refused === null ? capabilities.join(', ') : `refused: ${refused}`,
  ]);
  const inMemory = loaded.map((model) => [
    model.name,
    memorySize(model.size),
    place(model),
    tokens(model.context),
    model.expires_at ?? 'stays until it is unloaded',
  ]);
  return [
    ...(standin ? [demoBanner] : []),
    `Models of ${url}:`,
    rows.length === 0
      ? `none; get one, for example: ${ownCall} models pull llama3.1:8b\n`
      : table(['model', 'size', 'parameters', 'quantisation', 'longest context', 'can'], rows),
    ...(inMemory.length === 0
      ? ['None is in memory.', '']
      : [table(['in memory', 'size', 'on the GPU', 'context', 'until'], inMemory)]),
    ...(disk_free === null ? [] : [`${byteSize(disk_free)} are free on their disk.`, '']),
  ].join('\n');
}

const verdicts: Readonly<Record<Fit['verdict'], string>> = {
  gpu: 'on the GPU',
  partly: 'partly on the GPU',
  memory: 'in main memory',
  no: 'does not fit',
  unknown: 'unknown',
};

export function fitsText(fits: readonly Fit[]): string {
  const [first] = fits;
  if (first === undefined) return 'No model is there.\n';
  const room = (value: number | null) => (value === null ? 'unknown' : memorySize(value));
  const part = (value: number | null) => (value === null ? '-' : memorySize(value));
  const rows = fits.map((fit) => [
    fit.model,
    part(fit.weights),
    part(fit.key_values),
    part(fit.overhead),
    part(fit.needed),
    room(fit.gpu_room),
    room(fit.memory_free),
    verdicts[fit.verdict],
  ]);
  return lines(
    `With ${count(first.context)} tokens of context${first.slots === 1 ? '' : ` in each of ${count(first.slots)} slots`}:`,
    '',
    table(['model', 'weights', 'keys and values', 'overhead', 'sum', 'free on the GPU', 'free in main memory', 'verdict'], rows),
    fits.map(({ model, conclusion }) => `${model}: ${conclusion}`),
  );
}

export function ensemblesText(ensembles: readonly Ensemble[]): string {
  const usable = ensembles.filter(({ problem }) => problem === null);
  const rows = usable.map(({ id, models, own, title }) => {
    const missing = models.filter(({ installed }) => !installed);
    const known = missing.reduce((sum, model) => sum + (model.bytes ?? 0), 0);
    const unknown = missing.some((model) => model.bytes === null);
    const left = missing.length === 0 ? 'nothing' : known === 0 ? 'unknown' : `${byteSize(known)}${unknown ? ' and more' : ''}`;
    return [id, `${models.length - missing.length} of ${models.length}`, left, own ? 'yours' : 'the program', title];
  });
  const broken = ensembles.filter(({ problem }) => problem !== null);
  return [
    table(['ensemble', 'are there', 'to fetch', 'from', 'title'], rows),
    ...broken.map(({ title, problem }) => `${title} cannot be used: ${problem}`),
    ...(broken.length === 0 ? [] : ['']),
  ].join('\n');
}

export function pullLine(pull: Pull, place: string): string {
  const { model, state, status, completed, total, bytes_per_second, seconds_left, silent_seconds } = pull;
  if (silent_seconds !== null) return `${model}${place}: no word from the server for ${silent_seconds} s`;
  if (total === 0 || state === 'verifying') return `${model}${place}: ${status}`;
  const rate = bytes_per_second === null ? '' : `, ${byteSize(bytes_per_second)}/s`;
  const left = seconds_left === null ? '' : `, about ${duration(seconds_left)} left`;
  return `${model}${place}: ${percentage(completed / total)} of ${byteSize(total)} so far known${rate}${left}`;
}

const ended: Readonly<Record<Pull['state'], string>> = {
  waiting: 'not begun',
  pulling: 'not done',
  verifying: 'not done',
  done: 'is there',
  failed: 'failed',
  cancelled: 'cancelled; pull again to continue',
};

export const pullResult = ({ model, state, resumed, problem }: Pull): string => {
  const breaks = resumed === 0 ? '' : ` (interrupted ${resumed === 1 ? 'once' : `${resumed} times`} and resumed)`;
  return problem === null ? `${model}: ${ended[state]}${breaks}.` : `${model}: ${problem}`;
};
