import { z } from 'zod';
import { changeSchema } from './changes.ts';
import { caseKindSchema, splitNameSchema } from './domain.ts';
import { namesKinds } from './errors.ts';
import { primarySchema, stopSchema } from './primary.ts';
import { swapSchema } from './swaps.ts';

/** Characters of the name of an experiment or an arm. */
export const longestName = 200;
const name = z.string().min(1).max(longestName);
const columnName = z.string().min(1);

export const dataFormats = ['csv', 'tsv', 'jsonl', 'parquet', 'xlsx'] as const;
export const dataFormatSchema = z.enum(dataFormats);
export type DataFormat = z.infer<typeof dataFormatSchema>;

export const delimiters = [',', ';', '\t', '|'] as const;
export const delimiterSchema = z.enum(delimiters);
export type Delimiter = z.infer<typeof delimiterSchema>;

export const encodings = ['utf-8', 'windows-1252'] as const;
export const encodingSchema = z.enum(encodings);
export type Encoding = z.infer<typeof encodingSchema>;

export const sheetSchema = z.string().min(1).max(200);

export const columnsSchema = z.strictObject({
  text: columnName.optional(),
  premise: columnName.optional(),
  hypothesis: columnName.optional(),
  question: columnName.optional(),
  passage: columnName.optional(),
});

/** Characters of the name of who decided. */
export const longestDecider = 60;
export const decidedBySchema = z
  .string()
  .trim()
  .min(1)
  .max(longestDecider)
  .regex(/^\P{C}*$/u, { message: 'the name of who decided contains an invisible or control character' });

export const labelColumnSchema = z.strictObject({
  column: columnName,
  /** Source value -> label. Without a map the source values are the labels. */
  map: z.record(z.string(), z.string()).optional(),
  /** Separator of a multi-label cell, `"json"` for a JSON array, null for single-label cases. */
  multiple: z.string().min(1).nullable().default(null),
  /** Who made the decisions that the labels are, such as `the bank`. Absent: the labels are what happened or what is right. */
  decidedBy: decidedBySchema.optional(),
});

export const splitSchema = z
  .strictObject({
    test: z.number().min(0).max(1).default(0),
    train: z.number().min(0).max(1).default(0),
    validation: z.number().min(0).max(1).default(0),
    /** A column of dates or numbers: the earliest cases are train, the next validation, the latest test. Absent: dealt by the seed. */
    by: columnName.optional(),
  })
  .refine((split) => Math.abs(split.test + split.train + split.validation - 1) < 1e-9, {
    message: 'test, train and validation must sum to 1',
  });
export type Split = z.infer<typeof splitSchema>;

export const sampleSchema = z.strictObject({
  from: z.union([splitNameSchema, z.literal('all')]).default('test'),
  /** Number of cases; absent: all of them. */
  n: z.int().min(1).optional(),
  /** The label column or a group column, whose values the sample has in proportion. */
  by: columnName.optional(),
  /** With `by`: most cases of each value. */
  each: z.int().min(1).optional(),
  /** Whether cases with the same content are taken only once. */
  distinct: z.boolean().default(false),
  /** These cases alone, in this order, from any split. */
  ids: z.array(z.string().min(1)).min(1).max(100_000).optional(),
});

/** No object can have a value under this name, so that no distribution could have one for the label. */
export const impossibleLabel = '__proto__';

const firstRepeated = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) !== index);

const labelsSchema = z
  .array(
    z
      .string()
      .min(1)
      .refine((label) => label !== impossibleLabel, { message: `"${impossibleLabel}" cannot be a label; rename it` }),
  )
  .min(2)
  .max(1000)
  .refine((labels) => firstRepeated(labels) === undefined, {
    error: ({ input }) =>
      `${JSON.stringify(firstRepeated(z.array(z.string()).parse(input)))} is named twice; name each label once`,
  });

export const datasetSchema = z.strictObject({
  path: z.string().min(1),
  /** If absent, recognised by the file's name and first bytes. */
  format: dataFormatSchema.optional(),
  /** What separates the cells of a CSV file; a comma if absent. */
  delimiter: delimiterSchema.optional(),
  /** UTF-8 where absent. */
  encoding: encodingSchema.optional(),
  /** The sheet of an Excel workbook; may be absent where only one has anything in it. */
  sheet: sheetSchema.optional(),
  kind: caseKindSchema.default('tabular'),
  id: columnName.optional(),
  label: labelColumnSchema.optional(),
  labels: labelsSchema.optional(),
  positive: z.string().optional(),
  question: z.string().min(1).max(4000).optional(),
  columns: columnsSchema.prefault({}),
  /** For kind `sections`: the columns, in this order. */
  sections: z.array(columnName).min(1).optional(),
  exclude: z.array(columnName).default([]),
  groups: z.array(columnName).default([]),
  /** Column -> its name for people. */
  names: z.record(columnName, z.string().trim().min(1).max(longestName)).optional(),
  /** Column -> the unit of its values. */
  units: z.record(columnName, z.string().trim().min(1).max(50)).optional(),
  /** Whether models read these names and units too; absent: they read the columns' own names. */
  namesInPrompts: z.literal(true).optional(),
  /** The column of the sampling weights, which is no fact. */
  weight: columnName.optional(),
  split: splitSchema.prefault({ test: 1 }),
  sample: sampleSchema.prefault({}),
});
export type DatasetDefinition = z.infer<typeof datasetSchema>;

/** Concurrent calls at a server, and concurrent trials of the arms that ask it. */
const concurrency = z.int().min(1).max(256).optional();

/** Name of the backend whose calls this server shares, since it has the same models; absent: it shares none. */
const joins = name.optional();

export const backendSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('ollama'), url: z.url({ protocol: /^https?$/ }), concurrency, joins }),
    z.strictObject({
      /** A server that speaks OpenAI's chat completions: vLLM, llama.cpp, LM Studio. */
      kind: z.literal('openai'),
      url: z.url({ protocol: /^https?$/ }).refine((url) => !/[?#@]/.test(url), {
        message: 'the address contains a query or password; give the address alone, such as http://127.0.0.1:8000/v1',
      }),
      /** Environment variable with the key that the server wants; the key itself has no place in a file or a record. */
      apiKeyVariable: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'this is no name of an environment variable; never write the key itself' })
        .optional(),
      concurrency,
      joins,
    }),
  ],
  namesKinds,
);
export type BackendDefinition = z.infer<typeof backendSchema>;

/** Sampling options a cast may set; they override the protocol's parameters. */
export const modelOptionsSchema = z.strictObject({
  temperature: z.number().min(0).max(5).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(0).optional(),
  minP: z.number().min(0).max(1).optional(),
  repeatPenalty: z.number().min(0).optional(),
  numCtx: z.int().min(256).optional(),
  numPredict: z.int().min(1).optional(),
});

export const castMemberSchema = z.strictObject({
  model: name,
  backend: name.default('default'),
  options: modelOptionsSchema.prefault({}),
});
export type CastMember = z.infer<typeof castMemberSchema>;

export const castSchema = z.record(z.string(), castMemberSchema);
/** Role -> model and options; `*` covers every role that is not named. */
export type Cast = z.infer<typeof castSchema>;

/** Where a belief comes from: the model's own words, its token probabilities, or k further answers. */
export const beliefChoiceSchema = z.union([z.enum(['verbal', 'logprobs']), z.strictObject({ sampled: z.int().min(1).max(100) })]);
export type BeliefChoice = z.infer<typeof beliefChoiceSchema>;

export const armSchema = z.strictObject({
  name,
  protocol: name,
  /** Checked against the protocol's own parameters. */
  params: z.record(z.string(), z.unknown()).default({}),
  belief: beliefChoiceSchema.default('verbal'),
  /** A variant of the protocol's prompts: its name, or the path of its file. Absent: the shipped words. */
  prompts: z.string().min(1).max(1000).optional(),
  cast: castSchema,
  /** `names`: column names or proper names of the facts are replaced by neutral ones; absent: the facts as they are. */
  mask: z.literal('names').optional(),
  /** The one thing in which it differs from another arm; absent: it is an arm by itself. */
  change: changeSchema.optional(),
  /** What is exchanged in further arms of the same cases and seeds, one each; absent: there are none. */
  counterbalance: z
    .array(swapSchema)
    .refine((named) => new Set(named).size === named.length, { message: 'a swap is named twice; name each once' })
    .optional(),
});
export type ArmDefinition = z.infer<typeof armSchema>;

/** A day: a timer set beyond 24 days would fire at once. */
const longestSeconds = 86_400;

export const runtimeSchema = z.strictObject({
  numCtx: z.int().min(256).default(8192),
  numPredict: z.int().min(1).default(1024),
  /** Limit of one call, from sending to the last token. */
  timeoutSeconds: z.number().positive().max(longestSeconds).default(300),
  /** Longest silence inside an answer that has begun. */
  idleSeconds: z.number().positive().max(longestSeconds).default(120),
  /** Further attempts after a failed one. */
  retries: z.int().min(0).max(20).default(2),
  reproducible: z.boolean().default(false),
  /** How long a run waits for a backend that went away, in minutes. */
  waitMinutes: z.number().min(0).default(10),
  durability: z.enum(['normal', 'full']).default('normal'),
  /** A request that another arm has made already takes its answer. Absent: every request is made. */
  reuseAnswers: z.boolean().optional(),
  /** Arm by arm, each through its replicates and the cases of the sample. Absent: so that few models are loaded twice. */
  order: z.enum(['as-written']).optional(),
});
export type Runtime = z.infer<typeof runtimeSchema>;

/** How answers are read: one whole JSON object and nothing else, or by the four methods of the AgenticSimLaw paper. */
export const readingModeSchema = z.enum(['strict', 'paper']);
export type ReadingMode = z.infer<typeof readingModeSchema>;

/** Instructions of one answer of a model that suggests some. */
export const mostSuggestions = 16;

/** Instructions that `assize optimise` asks a model for; an experiment that is run has no use for it. */
export const suggestionsSchema = z.strictObject({
  atMost: z.int().min(1).max(mostSuggestions),
  by: castMemberSchema,
});

/** Seed of an experiment where none is given, by which screens deal the cases before there is an experiment. */
export const usualSeed = 42;

export const experimentSchema = z.strictObject({
  version: z.literal(1),
  name,
  seed: z.int().min(0).default(usualSeed),
  replicates: z.int().min(1).max(100_000).default(1),
  dataset: datasetSchema,
  backends: z.record(z.string(), backendSchema).default({ default: { kind: 'ollama', url: 'http://127.0.0.1:11434' } }),
  runtime: runtimeSchema.prefault({}),
  reading: readingModeSchema.default('strict'),
  arms: z.array(armSchema).min(1),
  /** The comparison that is decided beforehand; absent: all comparisons are exploratory. */
  primary: primarySchema.optional(),
  stop: stopSchema.optional(),
  suggestions: suggestionsSchema.optional(),
  /** The trial that this experiment tries again, and which replicate it is, counted from 0; absent: none. */
  retrial: z
    .strictObject({ experiment: name, trial: z.string().regex(/^[0-9a-f]{16}$/), replicate: z.int().min(1).optional() })
    .optional(),
});

/** The same arms over several data sets: what an experiment file says once, and a data set by name for each experiment. */
export const studySchema = experimentSchema.omit({ name: true, dataset: true, suggestions: true }).extend({
  study: name,
  datasets: z.array(z.strictObject({ name, ...datasetSchema.shape })).min(1),
});

/** The replicate, from 0, whose seeds the first trials of an experiment have: a trial is tried again with its own. */
export const firstReplicate = ({ retrial }: Pick<Experiment, 'retrial'>): number => retrial?.replicate ?? 0;

/** An experiment as the record holds it: one that was made from imported predictions has no arm to run. */
export const recordedExperimentSchema = experimentSchema.extend({ arms: z.array(armSchema) });

/** An experiment file after validation, with every default filled in. */
export type Experiment = z.infer<typeof experimentSchema>;
