import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { hashParts, rootHash, toHex } from '../../../core/record/hash.ts';
import { experimentChain } from '../../../core/record/identity.ts';
import { type StatsReport, statsReportSchema } from '../../../shared/outputs.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { writeWholeFile } from '../wholeFile.ts';

/** Raised by any change after which the same record gives another figure, sentence or field. */
const computation = 5;
/** Reports that are kept; those that were not asked for longest go first. */
const mostKept = 64;
const suffix = '.json';

type Kept = Omit<StatsReport, 'store'>;

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where reports are kept: in the user's cache of this system, which may be emptied at any time. */
export function statisticsFolder(
  { platform, env, home }: Surroundings = { platform: process.platform, env: process.env, home: homedir() },
): string {
  const own = (base: string) => join(base, platform === 'linux' ? 'assize' : 'Assize', 'statistics');
  if (platform === 'darwin') return own(join(home, 'Library', 'Caches'));
  if (platform === 'win32') return own(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'));
  // Relative ones are to be ignored, says the XDG base directory specification.
  const named = env.XDG_CACHE_HOME ?? '';
  return own(isAbsolute(named) ? named : join(home, '.cache'));
}

/** One hash over an experiment's own chain and the heads of all its finished trials: what a report is a function of. */
export function experimentRoot(store: Store, experiment: string): string {
  const own = experimentChain(experiment);
  const trials = store.trials.ofExperiment(experiment).map(({ trial, status, head_hash }) => ({
    chain: trial,
    head: status === 'done' ? (head_hash ?? '') : '',
  }));
  return rootHash([{ chain: own, head: store.events.head(own) ?? '' }, ...trials]);
}

export interface CacheQuestion {
  readonly store: Store;
  readonly frozen: FrozenExperiment;
  readonly arms: readonly string[];
  readonly resampling: Resampling;
  /** What `subsetKey` says; null for all trials. */
  readonly subset: string | null;
  /** Null: neither look nor keep. */
  readonly folder: string | null;
}

function keyOf({ store, frozen, arms, resampling, subset }: CacheQuestion): string {
  const root = experimentRoot(store, frozen.name);
  const parts = [
    'assize/statistics',
    String(computation),
    programVersion,
    root,
    JSON.stringify([arms, resampling, ...(subset === null ? [] : [subset])]),
  ];
  return toHex(hashParts(parts));
}

const fileSchema = z.strictObject({ key: z.string(), hash: z.string(), report: z.string() });
const keptSchema = statsReportSchema.omit({ store: true });

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What was kept under a key; null where there is nothing, or something that is not what was written. */
function kept(path: string, key: string): Kept | null {
  try {
    const { key: own, hash, report } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    if (own !== key || hashOf(report) !== hash) return null;
    const found = keptSchema.parse(JSON.parse(report));
    const now = new Date();
    utimesSync(path, now, now);
    return found;
  } catch {
    return null;
  }
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { path } of files.slice(mostKept)) rmSync(path, { force: true });
}

function keep(folder: string, path: string, key: string, report: Kept): void {
  try {
    const text = JSON.stringify(report);
    writeWholeFile(path, JSON.stringify({ key, hash: hashOf(text), report: text }));
    dropOldest(folder);
  } catch {
    // A full disk or a folder without permission costs the time to compute again, and nothing else.
  }
}

/** A report that was made of the same record with the same options by the same program, or else a new one. */
export function cachedStatistics(question: CacheQuestion, make: () => Kept): Kept {
  const { folder } = question;
  // Parsed when it is new too, so that a kept report is the same to the byte.
  const made = () => keptSchema.parse(make());
  if (folder === null) return made();
  const key = keyOf(question);
  const path = join(folder, `${key}${suffix}`);
  const found = kept(path, key);
  if (found !== null) return found;
  const report = made();
  keep(folder, path, key, report);
  return report;
}
