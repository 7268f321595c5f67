/** Ways to misbehave, each with the share of requests that it hits where nothing else is asked for. */
const usualShares = {
  ...{ malformed: 0.35, prose: 0.5, 'http-500': 0.08, 'http-503': 0.08, cut: 0.08, reset: 1, hang: 1, truncated: 1, loop: 1 },
  ...{ declining: 1, 'wrong-label': 1, garbage: 1, 'error-line': 1, overflow: 1, empty: 1 },
} as const;
export type FaultKind = keyof typeof usualShares;
const isFault = (name: string): name is FaultKind => Object.hasOwn(usualShares, name);
export const faultKinds = Object.keys(usualShares).filter(isFault);

export interface Fault {
  readonly kind: FaultKind;
}

/** How fast it is and how many models fit; nothing else of a machine is imitated. */
export interface Pace {
  /** Whether work takes time at all; without it the rates only shape the durations that are reported. */
  readonly timed: boolean;
  /** Bytes of weights per second when a model is loaded. */
  readonly loadRate: number;
  /** Tokens per second, for every model the same. */
  readonly promptRate: number;
  readonly decodeRate: number;
  /** Requests that one model serves at once; others wait. */
  readonly slots: number;
  /** Models in memory at once; absent: all. */
  readonly room?: number;
  /** Bytes per second of a pull. */
  readonly pullRate: number;
}

export interface Profile {
  readonly machine: Pace;
  /** Shares of the requests, 0 to 1. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Share of the lines of pulls at which the connection breaks. */
  readonly pullCut: number;
}

export interface ProfileOverrides {
  readonly base?: string;
  readonly machine?: Partial<Pace>;
}

const instant: Pace = { timed: false, loadRate: 5e10, promptRate: 200_000, decodeRate: 20_000, slots: 4096, pullRate: 5e10 };
const paces = new Map<string, Pace>([
  ['instant', instant],
  ['laptop', { timed: true, loadRate: 1.5e9, promptRate: 120, decodeRate: 9, slots: 1, pullRate: 2e7 }],
  ['workstation', { timed: true, loadRate: 4e9, promptRate: 3200, decodeRate: 85, slots: 4, pullRate: 1e8 }],
]);

/** Faults that have one name together. */
const flaky: readonly FaultKind[] = ['http-500', 'http-503', 'cut'];
/** Breaks the connections of pulls, and of nothing else. */
const pullCut = 'pull-cut';
const misbehaviours = [...faultKinds.filter((kind) => !flaky.includes(kind)), 'flaky', pullCut];

/** Named paces are only speeds and slots. */
export const onlyPace = 'laptop and workstation set speeds and slots; memory, a GPU and prompt caches are not imitated.';

/** What `--profile` takes, in words. */
export const profileHelp =
  'a pace, misbehaviours, or both joined by +, such as laptop+hang:0.2; instant without it\n' +
  `paces: ${[...paces.keys()].join(', ')}; ${onlyPace}\n` +
  `misbehaviours: ${misbehaviours.join(', ')}\n` +
  'a number from 0 to 1 after a colon is the share of requests that are hit';

/** A profile by its name, or a named one with changes. Throws an Error on unknown names and shares. */
export function readProfile(given: string | ProfileOverrides): Profile {
  if (typeof given !== 'string') {
    const named = readProfile(given.base ?? 'instant');
    return { ...named, machine: { ...named.machine, ...given.machine } };
  }
  let profile: Profile = { machine: instant, faults: {}, pullCut: 0 };
  for (const part of given.split('+')) {
    const [name = '', text] = part.trim().split(':');
    const share = text === undefined ? null : text.trim() === '' ? Number.NaN : Number(text);
    if (share !== null && !(share >= 0 && share <= 1)) {
      throw new Error(`'${text}' is no share of the requests; write a number from 0 to 1, such as ${name}:0.2`);
    }
    if (!misbehaviours.includes(name) && !paces.has(name)) {
      throw new Error(`unknown demo model profile '${name}'; known: ${[...paces.keys(), ...misbehaviours].join(', ')}`);
    }
    profile = { ...profile, machine: paces.get(name) ?? profile.machine };
    if (name === pullCut) profile = { ...profile, pullCut: share ?? 0.05 };
    const hit = name === 'flaky' ? flaky : isFault(name) ? [name] : [];
    const faults = hit.map((kind) => [kind, share === null ? usualShares[kind] : share / hit.length]);
    profile = { ...profile, faults: { ...profile.faults, ...Object.fromEntries(faults) } };
  }
  return profile;
}
