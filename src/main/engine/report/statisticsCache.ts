// Statistics that were computed before, and the keys of what is computed from a record.
import { isAbsolute, join } from 'node:path';
import { subsetKey } from '../../../core/figures/subset.ts';
import { hashParts, rootHash, toHex } from '../../../core/record/hash.ts';
import { erasureChain, experimentChain } from '../../../core/record/identity.ts';
import { statisticsVersion } from '../../../core/statistics/measures/statisticsReport.ts';
import { computation } from '../../../core/trajectory/trajectory.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { type StatsReport, statsReportSchema } from '../../../shared/outputs.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { type Surroundings, surroundings } from '../store/location.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { cachedOr } from './resultCache.ts';

type Kept = Omit<StatsReport, 'store'>;

/** A folder of the user's cache of this system, which may be emptied at any time. Null where it is not known. */
function cacheFolder(name: string, { platform, env, home }: Surroundings = surroundings()): string | null {
  const own = (base: string) => join(base, platform === 'linux' ? 'assize' : 'Assize', name);
  if (home === null) return null;
  if (platform === 'darwin') return own(join(home, 'Library', 'Caches'));
  if (platform === 'win32') return own(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'));
  // Relative ones are to be ignored, says the XDG base directory specification.
  const named = env.XDG_CACHE_HOME ?? '';
  return own(isAbsolute(named) ? named : join(home, '.cache'));
}

export const wholeCache = (): string | null => cacheFolder('');
export const statisticsFolder = (around?: Surroundings): string | null => cacheFolder('statistics', around);
export const searchFolder = (): string | null => cacheFolder('search');
export const soundFolder = (): string | null => cacheFolder('sound');
export const knownFaultsFolder = (): string | null => cacheFolder('known-faults');
export const queueFolder = (): string | null => cacheFolder('queues');

/** One hash over an experiment's own chain, the heads of all its finished trials, and erasures: what a report is a function of. */
export function experimentRoot(store: Store, experiment: string): string {
  const own = experimentChain(experiment);
  const trials = store.trials.heads(experiment).map(({ trial, status, head_hash }) => ({
    chain: trial,
    head: status === 'done' ? (head_hash ?? '') : '',
  }));
  const others = [own, erasureChain].map((chain) => ({ chain, head: store.events.head(chain) ?? '' }));
  return rootHash([...others, ...trials]);
}

/** The key of what is computed from an experiment's record. @param options all else that it is a function of */
function analysisKey(store: Store, name: string, experiment: string, options: unknown): string {
  const root = experimentRoot(store, experiment);
  return toHex(hashParts([`assize/${name}`, String(computation), programVersion, root, JSON.stringify(options)]));
}

export const figuresKey = (store: Store, name: string, experiment: string, subset: Subset | undefined): string =>
  analysisKey(store, name, experiment, subsetKey(subset));

export interface CacheQuestion {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly arms: readonly string[];
  readonly resampling: Resampling;
  /** What `subsetKey` says; null for all trials. */
  readonly subset: string | null;
  readonly prevalence: number | undefined;
  /** Null: neither look nor keep. */
  readonly folder: string | null;
}

const keyOf = ({ store, frozen, arms, resampling, subset, prevalence }: CacheQuestion): string =>
  analysisKey(store, 'statistics', frozen.name, [statisticsVersion, arms, resampling, subset, prevalence]);

const keptSchema = statsReportSchema.omit({ store: true });

/** The folder of what was computed before; none for a store from elsewhere, whose results are always computed again. */
export const cacheFor = ({ elsewhere }: Store, folder: string | null): string | null => (elsewhere === null ? folder : null);

/** A report that was made of the same record with the same options by the same program, or else a new one. @param isKept whether the new one may be used again */
export function cachedStatistics(question: CacheQuestion, make: () => Kept, isKept: () => boolean): Kept {
  return cachedOr({ folder: question.folder, keyOf: () => keyOf(question), schema: keptSchema }, make, isKept);
}
