import type { Fit } from '../../shared/api/models.ts';
import { memorySize } from '../../shared/sizes.ts';
import { keyValueBytes, overheadBytes } from './memory.ts';
import type { ShapeReading } from './modelShape.ts';

/** What is free for a model, in bytes. */
export interface FreeMemory {
  /** Of each GPU; empty where there is none, null if unknown. */
  readonly gpus: readonly number[] | null;
  /** Of main memory; null if unknown. */
  readonly memory: number | null;
  /** The memory of the GPU is main memory: what is on the one is not on the other. */
  readonly unified: boolean;
  /** Why it is unknown, as the end of a sentence: "the server runs on another machine". */
  readonly unknown: string | null;
}

export interface FitQuestion {
  readonly model: string;
  /** Tokens of each slot. */
  readonly context: number;
  readonly slots: number;
  /** Bytes of the weights on disk; null if the server does not report it. */
  readonly weights: number | null;
  readonly shape: ShapeReading;
  readonly free: FreeMemory;
}

/** Shortest context that is worth naming, and the step in which advice is given. */
const contextStep = 256;

const tokens = (count: number): string => count.toLocaleString('en-US');

/**
 * Whether a model will be wholly on the GPU, partly, in main memory alone, or not fit at all: weights as on disk, keys and
 * values of all slots, and an overhead (`memory.ts`), against what is free. It fits wholly where one GPU has room for all,
 * or where several together have, each with its own overhead, as Ollama spreads a model that no single one holds.
 * Nothing is guessed: if something is not reported the verdict is `unknown`, and the reason says what.
 * Limits: weights in memory can be some percent more than on disk, and main memory is counted without the part that the
 * system would swap out.
 */
export function fitModel(question: FitQuestion): Fit {
  const { model, context, slots, weights, shape: reading, free } = question;
  const gpuFree = free.gpus === null ? null : Math.max(0, ...free.gpus);
  /** @param figures what the conclusion rests on, as the beginning of a sentence */
  const unknown = (conclusion: string, known: Partial<Fit> = {}, figures = ''): Fit => ({
    model,
    context,
    slots,
    verdict: 'unknown',
    weights,
    key_values: null,
    overhead: null,
    needed: null,
    gpu_free: gpuFree,
    memory_free: free.memory,
    gpu_room: null,
    gpu_context: null,
    conclusion,
    reason: `${figures}${conclusion}`,
    ...known,
  });
  if (weights === null) return unknown('Unknown: the server does not say how large the model is.');
  if ('missing' in reading) return unknown(`Unknown: ${reading.missing}.`);

  const { shape } = reading;
  const overhead = overheadBytes(shape);
  const neededAt = (length: number): number => weights + overhead + keyValueBytes(shape, length, slots);
  const key_values = keyValueBytes(shape, context, slots);
  const needed = weights + overhead + key_values;
  const known = { key_values, overhead, needed };
  const needs =
    `It needs about ${memorySize(needed)}: weights ${memorySize(weights)}, context ${memorySize(key_values)} ` +
    `(${tokens(context)} tokens${slots === 1 ? '' : ` x ${slots} slots`}), overhead ${memorySize(overhead)}`;
  if (shape.contextLength !== null && context > shape.contextLength) {
    const longest = tokens(shape.contextLength);
    return unknown(`The model was made for ${longest} tokens of context at most, and ${tokens(context)} are asked for.`, known);
  }
  if (free.gpus === null && free.memory === null) {
    return unknown(`How much memory is free is unknown${free.unknown === null ? '' : `: ${free.unknown}`}.`, known, `${needs}. `);
  }

  const gpuRoom = roomOnGpus(free.gpus ?? [], overhead);
  const memory = free.memory ?? 0;
  const verdict = verdictOf(needed, gpuRoom, overhead, free);
  const gpu_context = free.gpus === null ? null : longestContext(neededAt, gpuRoom, shape.contextLength ?? context);
  const result = { ...known, verdict, gpu_room: free.gpus === null ? null : gpuRoom, gpu_context };
  const gpus = free.gpus?.length ?? 0;
  const gpuText =
    gpus === 0
      ? ''
      : `${memorySize(free.gpus?.reduce((sum, each) => sum + each, 0) ?? 0)} ${gpus === 1 ? 'are free on the GPU' : `are free on ${gpus} GPUs`}`;
  const memoryText = free.memory === null ? '' : `${memorySize(memory)} of main memory are free`;
  const room = [gpuText, memoryText].filter((words) => words !== '').join(' and ');
  return unknown(concluded(verdict, gpu_context, { context, gpus: free.gpus }), result, `${needs}; ${room}. `);
}

/** Bytes that one model may take, overhead included, over all GPUs or on the largest. */
function roomOnGpus(gpus: readonly number[], overhead: number): number {
  const largest = Math.max(0, ...gpus);
  // The overhead is counted once in what is needed, and falls on every GPU that takes part.
  const spread = gpus.filter((free) => free > overhead);
  const together = spread.reduce((sum, free) => sum + free - overhead, 0) + (spread.length > 0 ? overhead : 0);
  return Math.max(largest, together);
}

function verdictOf(needed: number, gpuRoom: number, overhead: number, { gpus, memory, unified }: FreeMemory): Fit['verdict'] {
  if (gpuRoom >= needed) return 'gpu';
  const onGpu = gpuRoom > overhead;
  if (memory === null) return 'unknown';
  const together = unified ? Math.max(memory, gpuRoom) : memory + (onGpu ? gpuRoom : 0);
  // Where no GPU is known, there may be one that has the room.
  if (together < needed) return gpus === null ? 'unknown' : 'no';
  return onGpu ? 'partly' : 'memory';
}

/** The longest context in steps of 256 tokens for which there is room; 0 where there is none. */
function longestContext(neededAt: (context: number) => number, room: number, most: number): number {
  let low = 0;
  let high = Math.floor(most / contextStep);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (neededAt(middle * contextStep) <= room) low = middle;
    else high = middle - 1;
  }
  return low * contextStep;
}

function concluded(
  verdict: Fit['verdict'],
  gpuContext: number | null,
  { context, gpus }: { context: number; gpus: readonly number[] | null },
): string {
  const advice =
    gpuContext === null || gpuContext === 0 || gpuContext >= context
      ? ''
      : ` With a context of up to ${tokens(gpuContext)} tokens it would be wholly on the GPU.`;
  switch (verdict) {
    case 'gpu': {
      const more = gpuContext !== null && gpuContext > context ? `, and would be with up to ${tokens(gpuContext)} tokens` : '';
      return `It will be wholly on the GPU${more}.`;
    }
    case 'partly':
      return `It will be partly on the GPU; the rest is computed by the processor, which is much slower.${advice}`;
    case 'memory':
      return gpus === null
        ? 'It fits main memory; what a GPU has free is not known.'
        : 'It will run in main memory alone, on the processor, which is slow.';
    case 'no':
      return `It will not fit; take a smaller model, a shorter context or fewer slots.${advice}`;
    default:
      return 'Whether that is enough is unknown without figures of the GPU.';
  }
}
