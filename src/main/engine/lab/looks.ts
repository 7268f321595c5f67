// How often results of an unfinished primary comparison were shown.
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Store } from '../store/store.ts';

const detailSchema = z.object({ cases: z.int() });

/** Numbers of finished cases at which results were shown before the end, each once, ascending. */
export function looksAt(store: Store, experiment: string): number[] {
  const seen = store.runLog
    .of(experiment)
    .flatMap(({ event, detail }) =>
      event === 'result-look' ? (detailSchema.safeParse(JSON.parse(detail)).data?.cases ?? []) : [],
    );
  return [...new Set(seen)].toSorted((one, other) => one - other);
}

/**
 * Counts a look at an unfinished run, once for each number of finished cases. Not where the store takes nothing: it is read-only,
 * from elsewhere, or another program writes to it. So the count says how many looks there were at least.
 * @param write opens the store for writing
 * @returns the report, with why its look could not be counted
 */
export async function noteLook<Report extends Pick<StatsReport, 'experiment' | 'primary' | 'arms'>>(
  report: Report,
  write: (action: (store: Store) => void) => Promise<void>,
): Promise<Report> {
  const { experiment, primary, arms } = report;
  // One of the two can have results before any case has ended in both.
  if (primary === null || primary === undefined || primary.final || arms.every(({ n }) => n === 0)) return report;
  const { cases } = primary;
  if (primary.looks?.includes(cases) === true) return report;
  try {
    await write((store) => {
      if (looksAt(store, experiment).includes(cases)) return;
      store.write(() => store.runLog.add(experiment, 'result-look', { cases }));
    });
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    const why = error.code === 'store-in-use' ? 'another program is writing to the record' : error.message;
    return { ...report, primary: { ...primary, look_uncounted: why } };
  }
  return report;
}
