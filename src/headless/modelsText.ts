import { ownCall } from '../main/engine/engine.ts';
import type { Ensemble, Fit, LoadedModel, Pull } from '../shared/api/models.ts';
import type { ModelsReport } from '../shared/modelOutputs.ts';
import { byteSize, memorySize } from '../shared/sizes.ts';
import { count, demoBanner, duration, percentage, table } from './format.ts';

const known = (value: string | null) => value ?? '-';
const size = (value: number | null) => (value === null ? '-' : byteSize(value));
const tokens = (value: number | null) => (value === null ? '-' : count(value));

const place = ({ gpu_share }: LoadedModel) =>
  gpu_share === 1 ? 'wholly' : gpu_share === 0 ? 'not at all' : percentage(gpu_share);

/** What `assize models` prints. */
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

/** What `assize models fit` prints. */
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
  return [
    `With ${count(first.context)} tokens of context${first.slots === 1 ? '' : ` in each of ${count(first.slots)} slots`}:`,
    '',
    table(['model', 'weights', 'keys and values', 'overhead', 'sum', 'free on the GPU', 'free in main memory', 'verdict'], rows),
    ...fits.map(({ model, conclusion }) => `${model}: ${conclusion}`),
    '',
  ].join('\n');
}

/** What `assize models ensembles` prints. */
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
