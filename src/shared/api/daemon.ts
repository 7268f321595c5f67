import { z } from 'zod';

export const daemonStates = ['absent', 'away', 'starting', 'ready', 'restarting', 'stopping', 'failed'] as const;

/** Exports with the ends of their names. `experiment-file`: for `assize run`; `statistics-json`: as `assize stats --json`. */
export const daemonStatusSchema = z.strictObject({
  state: z.enum(daemonStates),
  /** Whether this program started it and will end it. */
  own: z.boolean(),
  url: z.string(),
  version: z.string().nullable(),
  /** Cloud features: `off` is what the server's own status says; null if it does not say. */
  cloud: z.enum(['off', 'on']).nullable(),
  standin: z.boolean(),
  /** How the program was found, without its folder; null where it was not. */
  program: z.enum(['configured', 'path', 'usual-place']).nullable(),
  /** Process number of our own; null for any other. */
  pid: z.int().nullable(),
  /** Unexpected ends of our own since it was started. */
  deaths: z.int(),
  last_end: z.strictObject({ at: z.string(), code: z.int().nullable(), signal: z.string().nullable() }).nullable(),
  /** Milliseconds until the next start; null unless `restarting`. */
  next_start_ms: z.number().nullable(),
  /** What is wrong and how to fix it; null where nothing is. */
  problem: z.string().nullable(),
});
export type DaemonStatus = z.infer<typeof daemonStatusSchema>;

/** The newest lines that our own daemon wrote, the oldest first. */
export interface DaemonLog {
  readonly lines: readonly { readonly at: string; readonly text: string }[];
  /** Older lines that are no longer kept. */
  readonly dropped: number;
}

export type DaemonFrame =
  | { readonly kind: 'status'; readonly status: DaemonStatus }
  | { readonly kind: 'log'; readonly log: DaemonLog };

/** How our own daemon is started; the next start uses it. */
export const daemonSettingsSchema = z.strictObject({
  /** Start our own where nothing answers at the address of the settings and the program is there. */
  startOwn: z.boolean().default(true),
  /** Slots of each model: calls that it answers at once. */
  parallel: z.int().min(1).max(64).default(1),
  /** Models in memory at once; null leaves it to Ollama. */
  maxLoaded: z.int().min(1).max(64).nullable().default(null),
  /** Tokens of context where a request names none; null leaves it to Ollama. */
  contextLength: z.int().min(256).max(1_048_576).nullable().default(null),
  /** One slot, no prompts kept between trials: slower, and the same answers again on the same machine. */
  reproducible: z.boolean().default(false),
});
export type DaemonSettings = z.infer<typeof daemonSettingsSchema>;
