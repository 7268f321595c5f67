// What is measured: every protocol with its variants, over cases of several kinds.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../repository.ts';
import { contextOfSlot, embedder, type ModelName, type ModelServer } from './servers.ts';

interface Variant {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Whether precedents are looked up, with the embedding model. */
  readonly precedents?: boolean;
}

/** Of one protocol over one kind of cases. */
export interface Experiment {
  readonly name: string;
  readonly protocol: string;
  readonly data: string;
}

const short = { subtopics: 2, maxRounds: 1 } as const;

const variants: Readonly<Record<string, Readonly<Record<string, Variant>>>> = {
  standard: {
    system1: { params: { style: 'system1' } },
    cot: { params: { style: 'cot' } },
    'cot-nshot': { params: { style: 'cot-nshot', shots: 4 } },
    'few-shot': { params: { style: 'few-shot', shots: 4 } },
    'cot-4-step': { params: { style: 'cot-4-step' } },
    reflexion: { params: { style: 'reflexion' } },
  },
  'agentic-sim': { live: {}, retrospective: { params: { beliefUpdates: 'retrospective' } } },
  courtroom: {
    sequential: { params: { shots: 0 } },
    parallel: { params: { deliberation: 'parallel' }, precedents: true },
  },
  single: { alone: {}, precedents: { params: { shots: 1 }, precedents: true } },
  vote: { alone: {}, precedents: { params: { shots: 1 }, precedents: true } },
  'debate-feedback': {
    'two debaters': {},
    rated: { params: { assistant: 'model' } },
    'three debaters': { params: { debaters: 3, memory: 'transcript' } },
  },
  evince: {
    debate: { params: { maxRounds: 3 } },
    mixture: { params: { modulation: 'mixture' } },
    gated: { params: { modulation: 'metric', maxRounds: 3, gate: 0.5, retrieveAbove: 0.6 }, precedents: true },
  },
  socrasynth: {
    debate: { params: short },
    words: { params: { ...short, style: 'words', opening: 'sequential', panelReads: 'all' } },
  },
};

/** Variants that only such cases allow. */
const variantsOfData: Readonly<Record<string, Readonly<Record<string, Variant>>>> = {
  'socrasynth questions': { compared: { params: { ...short, compareWithAnswer: true } } },
  'socrasynth deposits': {
    assigned: { params: { ...short, stances: 'assigned' } },
    'second study': { params: { maxRounds: 2, critSides: 'both', feedback: true, compareWithAnswer: true } },
  },
};

/** Protocol -> the cases that it tries; those of `further` do not come with the program. */
const dataOf: Readonly<Record<string, readonly string[]>> = {
  standard: ['nlsy97', 'deposits', 'symptoms', 'notices', 'rte', 'emotion', 'symptoms41'],
  'agentic-sim': ['nlsy97', 'deposits', 'rte'],
  courtroom: ['nlsy97', 'deposits', 'symptoms', 'rte', 'emotion', 'symptoms41'],
  single: ['nlsy97', 'deposits', 'symptoms', 'rte', 'emotion', 'symptoms41'],
  vote: ['nlsy97', 'deposits', 'symptoms', 'emotion'],
  'debate-feedback': ['nlsy97', 'symptoms', 'rte'],
  evince: ['nlsy97', 'symptoms', 'deposits', 'symptoms41', 'emotion'],
  socrasynth: ['questions', 'deposits'],
};

export const protocolNames = Object.keys(variants);

/** Data sets whose terms do not let them come with the program: file and definition. */
const further: Readonly<Record<string, { file: string; definition: Readonly<Record<string, unknown>> }>> = {
  rte: {
    file: 'rte.jsonl',
    definition: {
      kind: 'pair',
      id: 'id',
      label: { column: 'label' },
      labels: ['entailment', 'not_entailment'],
      positive: 'entailment',
      question: 'Does the hypothesis follow from the premise?',
    },
  },
  emotion: {
    file: 'emotion.jsonl',
    definition: {
      kind: 'text',
      id: 'id',
      label: { column: 'label' },
      labels: ['sadness', 'joy', 'love', 'anger', 'fear', 'surprise'],
      question: 'Which emotion does the writer feel?',
    },
  },
  symptoms41: {
    file: 'symptoms.csv',
    definition: {
      kind: 'tabular',
      id: 'id',
      label: { column: 'Disease' },
      question: 'Which disease explains these symptoms best?',
      exclude: ['n_symptoms', 'source_count', 'fixed30'],
    },
  },
};

const sampleSchema = z.looseObject({ file: z.string(), definition: z.record(z.string(), z.unknown()) });

/** The definition of a data set in an experiment file, without its sample. */
function datasetOf(data: string, folder: string | null): Record<string, unknown> {
  const foreign = further[data];
  if (foreign !== undefined)
    return { ...foreign.definition, path: join(folder ?? '', foreign.file), split: { test: 0.5, train: 0.5 } };
  const place = join(root, 'resources/samples', data);
  const { file, definition } = sampleSchema.parse(JSON.parse(readFileSync(join(place, 'sample.json'), 'utf8')));
  const labelled = definition.kind !== 'open';
  return { ...definition, path: join(place, file), ...(labelled ? { split: { test: 0.5, train: 0.5 } } : {}) };
}

/**
 * Each protocol's first data set before anybody's second: a run that ends early has seen every protocol.
 *
 * @param folder where the data sets lie that do not come with the program; null for none
 */
export function experimentsOf(protocols: readonly string[], folder: string | null): Experiment[] {
  const isThere = (data: string) => {
    const foreign = further[data];
    return foreign === undefined || (folder !== null && existsSync(join(folder, foreign.file)));
  };
  return protocols
    .flatMap((protocol) =>
      (dataOf[protocol] ?? []).filter(isThere).map((data, turn) => ({ name: `${protocol} ${data}`, protocol, data, turn })),
    )
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ name, protocol, data }) => ({ name, protocol, data }));
}

/** What somebody sets for models this small, which else say one thing over and over: the servers' default is 1, no penalty. */
const repeatPenalty = 1.1;

/** The experiment file, an arm for each variant. */
export function experimentFile(
  { name, protocol, data }: Experiment,
  {
    cases,
    tokens,
    folder,
    model,
    server,
  }: { cases: number; tokens: number; folder: string | null; model: ModelName; server: ModelServer },
) {
  const arms = Object.entries({ ...variants[protocol], ...variantsOfData[name] });
  const open = data === 'questions';
  return {
    version: 1,
    name,
    dataset: { ...datasetOf(data, folder), sample: { ...(open ? {} : { from: 'test' }), n: cases } },
    backends: { default: server.talking, vectors: server.embedding },
    // A slow machine is no fault of a model: 41 labels take one core minutes to read, four calls at a time.
    runtime: { numCtx: contextOfSlot, numPredict: tokens, waitMinutes: 1, timeoutSeconds: 1800, idleSeconds: 900 },
    arms: arms.map(([variant, { params = {}, precedents = false }]) => ({
      name: variant,
      protocol,
      params,
      cast: {
        '*': { model, options: { repeatPenalty } },
        ...(precedents ? { retriever: { model: embedder, backend: 'vectors', options: { numCtx: 512 } } } : {}),
      },
    })),
  };
}
