// How often results of an unfinished primary comparison were shown.
import { z } from 'zod';
import { uncountedText } from '../../../core/statistics/measures/primaryText.ts';
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

/** How the primary comparison of all trials is now. */
export type PrimaryNow = Pick<StatsReport, 'primary' | 'arms'>;
type Write = (action: (store: Store) => void) => Promise<void>;

/**
 * Counts a look at an unfinished run, once for each number of finished cases. Not where the store takes nothing: it is read-only,
 * from elsewhere, or another program writes to it. So the count says how many looks there were at least.
 * @param ask null where no comparison was decided beforehand
 * @param write opens the store for writing
 * @returns why the look could not be counted; null where it was, and where it is none
 */
export async function countLook(
  experiment: string,
  ask: () => PrimaryNow | null | Promise<PrimaryNow | null>,
  write: Write,
): Promise<string | null> {
  try {
    const { primary, arms = [] } = (await ask()) ?? {};
    if (primary === null || primary === undefined || primary.final) return null;
    const { cases, looks, a, b } = primary;
    // One of the two can have results before any case has ended in both.
    if (a === null && b === null && arms.every(({ n }) => n === 0)) return null;
    if (looks?.includes(cases) === true) return null;
    await write((store) => {
      if (looksAt(store, experiment).includes(cases)) return;
      store.write(() => store.runLog.add(experiment, 'result-look', { cases }));
    });
    return null;
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return error.code === 'store-in-use' ? 'another program is writing to the record' : error.message;
  }
}

/** The report, with why its look could not be counted. */
export function withUncounted<Report extends Pick<StatsReport, 'primary' | 'notes'>>(report: Report, why: string | null): Report {
  const { primary, notes } = report;
  if (why === null) return report;
  // A part has no primary comparison that could say it.
  if (primary === null || primary === undefined) return { ...report, notes: [...notes, uncountedText(why)] };
  return { ...report, primary: { ...primary, look_uncounted: why } };
}

/** Counts the look that a report gives, also one over a part of the trials. @param ask as for `countLook`; asked where the report does not say */
export async function noteLook<Report extends PrimaryNow & Pick<StatsReport, 'experiment' | 'notes'>>(
  report: Report,
  ask: () => PrimaryNow | null | Promise<PrimaryNow | null>,
  write: Write,
): Promise<Report> {
  const asked = () => (report.primary === undefined ? ask() : report);
  return withUncounted(report, await countLook(report.experiment, asked, write));
}
