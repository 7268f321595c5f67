import { z } from 'zod';
import type { Energy } from '../energy.ts';
import { backendSchema, longestName } from '../experiment.ts';
import { daemonSettingsSchema } from './daemon.ts';

/** Where the answers of a run come from: the configured Ollama server, or the demo model inside the program. */
export const backendChoiceSchema = z.enum(['ollama', 'standin']);
export type BackendChoice = z.infer<typeof backendChoiceSchema>;

export const runStates = ['running', 'waiting', 'paused', 'stopping', 'finished', 'stopped', 'failed', 'interrupted'] as const;

/** An arm that a run has trials of. */
interface RunArm {
  readonly name: string;
  /** Trials a minute while any of it is under way; null before the first has ended. */
  readonly per_minute: number | null;
  /** Its share of the time left of its queue; null while that is not known. */
  readonly seconds_left: number | null;
}

/** Trials that ask the same servers. The queues of a run are worked on side by side. */
interface RunQueue {
  readonly servers: readonly { readonly name: string; readonly tokens_per_second: number | null }[];
  /** Models that are asked now, and those that are asked next. */
  readonly models: readonly string[];
  readonly next: readonly string[];
  readonly per_minute: number | null;
  readonly seconds_left: number | null;
}

/**
 * A run of an experiment.
 * `waiting`: the backend is away, the run tries again by itself. `paused`: held by the user, calls under way
 * are finished. `stopped`: ended by the user. `failed`: ended by `error`. `interrupted`: the program ended
 * before the run did.
 */
export interface Run {
  readonly experiment: string;
  readonly state: (typeof runStates)[number];
  readonly backend: BackendChoice;
  readonly concurrency: number;
  readonly planned: number;
  readonly done: number;
  readonly decided: number;
  /** Answers since the run was started or resumed last. */
  readonly calls: number;
  readonly finished_now: number;
  /** Trials a minute over this run, without outages; null before the first. */
  readonly per_minute: number | null;
  /** Tokens that models wrote a second of work in trials, over this run; null before the first answer. */
  readonly tokens_per_second: number | null;
  /** What the GPUs used in all runs of the experiment; null where none of this start has been read. */
  readonly energy: Energy | null;
  /** Null until a trial of each queue has ended. */
  readonly seconds_left: number | null;
  /** 95% interval of `seconds_left`, if the rest is like the trials that have ended; null while those of an arm are few. */
  readonly seconds_left_range: readonly [number, number] | null;
  readonly arms: readonly RunArm[];
  readonly queues: readonly RunQueue[];
  /** Whether it pauses while a trial that was started by hand asks the same server. */
  readonly gives_way: boolean;
  /** Why the run waits; null unless `waiting`. */
  readonly waiting_for: { readonly backend: string; readonly reason: string } | null;
  /** What is wrong in this start and what to do, in sentences. */
  readonly warnings: readonly string[];
  /** When a paused run continues by itself, or an interrupted one was due to, or one under way that began late; null if the user decides. */
  readonly paused_until: string | null;
  /** The hours of every day in which it asks its models, such as `22:00-07:00`, by the clock of the machine; null: all. */
  readonly between: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** How often the run continued by itself after the program or its engine had ended. */
  readonly resumed: number;
  /** Whether the user had closed the program the last time that it ended before the run did. */
  readonly closed: boolean;
}

const statesUnderWay: ReadonlySet<Run['state']> = new Set(['running', 'waiting', 'paused', 'stopping']);

/** Whether calls are being made, or will be as soon as something else ends. */
export const isUnderWay = (run: Pick<Run, 'state'> | null | undefined): boolean =>
  run !== null && run !== undefined && statesUnderWay.has(run.state);

/** When a run starts or continues by itself; null if it is under way, or waits for the user. */
export const plannedFor = (run: Pick<Run, 'state' | 'paused_until'> | null): string | null =>
  run?.state === 'paused' ? run.paused_until : null;

export interface EngineStatus {
  readonly version: string;
  /** 1 for the first engine process of this start of the program, one more after each death. */
  readonly incarnation: number;
  /** File name of the store, without its folder. */
  readonly store: string;
  /** Why the store is from elsewhere and only read; null for the user's own. */
  readonly elsewhere: string | null;
  /** Whether the store is there, and its file or folder does not let this user write. */
  readonly onlyReadable: boolean;
  /** Whether another program is writing to the store, such as a run on the command line. */
  readonly writtenElsewhere: boolean;
  /** Addresses in the settings file next to the store that the user has neither set nor confirmed. They get no requests. */
  readonly unknownServers: readonly string[];
  /** Whether that file continues interrupted runs, and the user has not said so for the place where the store is. */
  readonly unknownContinue: boolean;
  /** Runs of this start of the program, the newest first. */
  readonly runs: readonly Run[];
  /** Connections opened since the engine started, by host. */
  readonly connections: readonly { readonly host: string; readonly count: number; readonly loopback: boolean }[];
  readonly refused: number;
}

export const themes = ['system', 'light', 'dark'] as const;

/** The name under which arms ask the Ollama of `ollamaUrl`; no other server can have it. */
export const ollamaBackend = 'default';

/** A server in addition to the Ollama of `ollamaUrl`. Arms ask it by its name. */
export const serverSchema = z.strictObject({
  name: z
    .string()
    .max(60)
    .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}])?$/u, {
      message: 'a name has letters, digits, spaces, dots, dashes and underscores, and begins and ends with a letter or digit',
    })
    .refine((name) => name !== ollamaBackend, { message: `"${ollamaBackend}" is the Ollama of the settings; take another name` }),
  backend: backendSchema,
});
export type ServerSetting = z.infer<typeof serverSchema>;

const serversSchema = z
  .array(serverSchema)
  .max(50)
  .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, {
    message: 'another server has this name; each needs its own',
  });

/** How screens show an experiment. The record knows nothing of it: there its name stays, on which the ids of its trials rest. */
const shownExperimentSchema = z.strictObject({
  name: z.string().max(longestName),
  /** Empty: its name. */
  title: z.string().max(longestName),
  /** `removed`: in no list but that of what was removed; its record is kept. */
  place: z.enum(['listed', 'archived', 'removed']),
});
export type ShownExperiment = z.infer<typeof shownExperimentSchema>;

export const longestViewName = 80;

/** A filtered list of trials, or a search, under a name of the user's. */
const savedViewSchema = z.strictObject({
  /** Whose trials are listed; null: it is a search of what was said. */
  experiment: z.string().max(longestName).nullable(),
  name: z.string().trim().min(1).max(longestViewName),
  /** The last part of its address. */
  state: z.string().max(20_000),
});
export type SavedView = z.infer<typeof savedViewSchema>;

export const settingsSchema = z.strictObject({
  theme: z.enum(themes).default('system'),
  /** Per cent. */
  textSize: z.int().min(90).max(150).default(100),
  notices: z.boolean().default(false),
  /** Whether runs that were interrupted by the end of the program continue at its next start. */
  continueRuns: z.boolean().default(false),
  /** The user continues without a model: screens do not suggest getting one. */
  standinOnly: z.boolean().default(false),
  ollamaUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .default('http://127.0.0.1:11434'),
  /** Hosts other than this machine that cases may be sent to. Empty: nothing leaves the machine. */
  allowedHosts: z
    .array(
      z
        .string()
        .min(1)
        .max(253)
        .regex(/^[A-Za-z0-9.:[\]-]+$/),
    )
    .max(50)
    .default([]),
  /** Concurrent calls; 0: as many as the server has slots. */
  concurrency: z.int().min(0).max(64).default(0),
  servers: serversSchema.default([]),
  daemon: daemonSettingsSchema.prefault({}),
  /** Those that have their own title or place. */
  experiments: z.array(shownExperimentSchema).max(10_000).default([]),
  views: z.array(savedViewSchema).max(1_000).default([]),
});
export type Settings = z.infer<typeof settingsSchema>;

type Given<T> = T extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner> ? Inner : T;
type Shape = typeof settingsSchema.shape;

/** Any of the settings without their defaults. `daemon` is whole: what it does not say has its default. */
export const settingsChangeSchema = z.strictObject(
  Object.fromEntries(Object.entries(settingsSchema.shape).map(([name, schema]) => [name, schema.unwrap().optional()])) as {
    [Name in keyof Shape]: z.ZodOptional<Given<Shape[Name]>>;
  },
);

export interface BackendReport {
  readonly choice: BackendChoice;
  readonly url: string;
  /** `away`: it does not answer; `refused`: the address is not of this machine and not allowed. */
  readonly state: 'ready' | 'away' | 'refused';
  readonly version: string | null;
  /** The server at the Ollama address is a demo model too. */
  readonly standin: boolean;
  readonly models: readonly string[];
  /** What is wrong and how to fix it; null where nothing is. */
  readonly problem: string | null;
}

/** A server of `servers` as it was found a moment ago. */
export interface ServerReport extends Omit<BackendReport, 'choice' | 'models'> {
  readonly name: string;
  readonly kind: 'ollama' | 'openai';
  /** Calls that it answers at once; null where it does not say. */
  readonly slots: number | null;
  /** `context`: tokens that the server gives a call; null where it does not say. */
  readonly models: readonly { readonly name: string; readonly context: number | null }[];
}
