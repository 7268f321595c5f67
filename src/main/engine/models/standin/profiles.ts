import { z } from 'zod';

/** Ways to misbehave. */
export const faultKinds = [
  'malformed',
  'prose',
  'http-500',
  'http-503',
  'cut',
  'hang',
  'truncated',
  'declining',
  'wrong-label',
  'garbage',
  'error-line',
  'overflow',
  'empty',
] as const;
export const faultKindSchema = z.enum(faultKinds);
export type FaultKind = z.infer<typeof faultKindSchema>;

export interface Fault {
  readonly kind: FaultKind;
}

const speed = z.number().positive();
const machineSchema = z.strictObject({
  /** Whether work takes time at all; without it every number below only shapes what is reported. */
  timed: z.boolean(),
  /** Bytes of weights read per second when a model is loaded. */
  loadRate: speed,
  /** Tokens per second for a model of 8 billion parameters in 4 bits; larger ones are slower. */
  promptRate: speed,
  decodeRate: speed,
  /** Requests that one model serves at once; others wait. */
  slots: z.int().min(1),
  /** Part of the speed that each further busy slot takes from the others. */
  contention: z.number().min(0).max(1),
  /** Bytes for models and their key-value memory, and how much of it is on the GPU. */
  memory: speed,
  videoMemory: z.number().min(0),
  maxLoaded: z.int().min(1),
  prefixCache: z.boolean(),
  /** Tokens in one streamed line. */
  chunkTokens: z.int().min(1),
  pullRate: speed,
});
export type MachineProfile = z.infer<typeof machineSchema>;

const sharesSchema = z.partialRecord(faultKindSchema, z.number().min(0).max(1));
export type FaultShares = z.infer<typeof sharesSchema>;

export interface Profile {
  readonly machine: MachineProfile;
  readonly faults: FaultShares;
  /** Share of the lines of pulls at which the connection breaks. */
  readonly pullCut: number;
}

const gigabyte = 2 ** 30;
const anyMemory = 2 ** 50;

/** Imitated machines. */
export const machines = {
  instant: {
    timed: false,
    loadRate: 50 * gigabyte,
    promptRate: 200_000,
    decodeRate: 20_000,
    slots: 4096,
    contention: 0,
    memory: anyMemory,
    videoMemory: anyMemory,
    maxLoaded: 1000,
    prefixCache: false,
    chunkTokens: 24,
    pullRate: 50 * gigabyte,
  },
  laptop: {
    timed: true,
    loadRate: 1.5 * gigabyte,
    promptRate: 120,
    decodeRate: 9,
    slots: 1,
    contention: 0.3,
    memory: 11 * gigabyte,
    videoMemory: 0,
    maxLoaded: 3,
    prefixCache: true,
    chunkTokens: 1,
    pullRate: 0.02 * gigabyte,
  },
  workstation: {
    timed: true,
    loadRate: 4 * gigabyte,
    promptRate: 3200,
    decodeRate: 85,
    slots: 4,
    contention: 0.12,
    memory: 24 * gigabyte,
    videoMemory: 24 * gigabyte,
    maxLoaded: 3,
    prefixCache: true,
    chunkTokens: 1,
    pullRate: 0.1 * gigabyte,
  },
} as const satisfies Record<string, MachineProfile>;

/** Named kinds of misbehaviour with the share of requests that they hit. */
export const misbehaviours = {
  malformed: { malformed: 0.35 },
  prose: { prose: 0.5 },
  flaky: { 'http-500': 0.08, 'http-503': 0.08, cut: 0.08 },
  hang: { hang: 1 },
  truncated: { truncated: 1 },
  declining: { declining: 1 },
  'wrong-label': { 'wrong-label': 1 },
  garbage: { garbage: 1 },
  'error-line': { 'error-line': 1 },
  overflow: { overflow: 1 },
  empty: { empty: 1 },
} as const satisfies Record<string, FaultShares>;

/** Breaks the connections of pulls, and of nothing else. */
const cutPulls = 'pull-cut';
const usualPullCut = 0.05;

const overridesSchema = z.strictObject({
  base: z.string().default('instant'),
  machine: machineSchema.partial().default({}),
  faults: sharesSchema.default({}),
  pullCut: z.number().min(0).max(1).optional(),
});
export type ProfileOverrides = z.input<typeof overridesSchema>;

const isKey = <T extends object>(table: T, name: string): name is Extract<keyof T, string> => Object.hasOwn(table, name);

/** Parts joined by `+`: a machine, misbehaviours, each with a share of its own after a colon (`laptop+hang:0.2`). */
function readNames(names: string): Profile {
  let machine: MachineProfile = machines.instant;
  let faults: FaultShares = {};
  let pullCut = 0;
  for (const part of names.split('+')) {
    const [name = '', given] = part.trim().split(':');
    const share = given === undefined ? null : Number(given);
    if (share !== null && !(given?.trim() !== '' && share >= 0 && share <= 1)) {
      throw new Error(`'${given}' is no share of the requests; write a number from 0 to 1, such as ${name}:0.2`);
    }
    if (isKey(machines, name)) {
      machine = machines[name];
    } else if (name === cutPulls) {
      pullCut = share ?? usualPullCut;
    } else if (isKey(misbehaviours, name)) {
      const shares: FaultShares = misbehaviours[name];
      const total = Object.values(shares).reduce((sum, value) => sum + value, 0);
      const factor = share === null ? 1 : share / total;
      faults = { ...faults, ...Object.fromEntries(Object.entries(shares).map(([kind, value]) => [kind, value * factor])) };
    } else {
      throw new Error(
        `unknown stand-in profile '${name}'; known: ${[...Object.keys(machines), ...Object.keys(misbehaviours), cutPulls].join(', ')}`,
      );
    }
  }
  return { machine, faults, pullCut };
}

/** A profile by name, or a named one with changes. Throws on unknown names and values. */
export function readProfile(given: string | ProfileOverrides): Profile {
  if (typeof given === 'string') return readNames(given);
  const { base, machine, faults, pullCut } = overridesSchema.parse(given);
  const named = readNames(base);
  return {
    machine: machineSchema.parse({ ...named.machine, ...machine }),
    faults: { ...named.faults, ...faults },
    pullCut: pullCut ?? named.pullCut,
  };
}
