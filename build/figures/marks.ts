import type { Figure, Paint, Plot, TrialsBehind } from '../../src/renderer/charts/kit/figure.ts';
import { linkedMarks } from '../../src/renderer/charts/kit/linkedMarks.ts';
import { optionOf } from '../../src/renderer/charts/kit/plot.ts';
import { withinSubset } from '../../src/renderer/features/dashboard/filter.ts';
import type { Subset } from '../../src/shared/api/subset.ts';
import type { TrialLine } from '../../src/shared/trialLine.ts';
import type { RecordedStore } from './recorded.ts';

const distinct = (values: readonly string[]) => new Set(values).size;
const pairsOf = (count: number) => (count * (count - 1)) / 2;

/** Whether a list of trials is the one that the mark's number is of; the reason where it is not. */
function problemOf(experiment: string, { counts, trials }: TrialsBehind, lines: readonly TrialLine[]): string | null {
  if (lines.some((line) => line.experiment !== experiment)) return 'lists trials of another experiment';
  if (counts === undefined) return 'does not say what it counts';
  const { n, of } = counts;
  const byCase = [...Map.groupBy(lines, (line) => line.case).values()];
  const listed = {
    trials: lines.length,
    cases: byCase.length,
    // Each trial of the list has one at least.
    speeches: lines.length === 0 || n < lines.length ? lines.length : n,
    sheets: lines.length === 0 || n < lines.length ? lines.length : n,
    pairs: lines.length / 2,
    'pairs of replicates': byCase.reduce((sum, mine) => sum + pairsOf(mine.length), 0),
  }[of];
  if (of === 'pairs' && distinct(lines.map((line) => JSON.stringify([line.case, line.replicate]))) !== listed) {
    return 'lists trials that are in no pair';
  }
  if (trials !== undefined && new Set(trials).size !== trials.length) return 'names a trial twice';
  return listed === n ? null : `counts ${n} ${of}, and its list has ${listed} (${lines.length} trials)`;
}

/** Where the figures are of. */
export interface Followed {
  readonly store: RecordedStore;
  readonly experiment: string;
  readonly paint: Paint;
  readonly subset?: Subset | undefined;
  /** Lists that were asked for, by what was asked: figures lead to the same ones. */
  readonly known: Map<string, readonly TrialLine[]>;
}

/** Marks and rows of a figure that lead to other trials than they count, in words; empty where all are right. */
export async function misleadingMarks(
  figure: Figure,
  data: Plot,
  { store, experiment, paint, subset = {}, known }: Followed,
): Promise<{ problems: string[]; marks: number; rows: number }> {
  const size = { width: 900, height: data.height };
  const marks = linkedMarks(data, optionOf(data, paint, size));
  const rows = data.table.rows.flatMap((_row, index) => {
    const behind = data.table.behind(index);
    return behind === null ? [] : [{ what: `row ${index}`, behind }];
  });
  const listOf = async (behind: TrialsBehind) => {
    const asked = withinSubset(behind, subset);
    const key = JSON.stringify(asked);
    const found =
      known.get(key) ?? (await store.pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 500, ...asked })).lines;
    known.set(key, found);
    return found;
  };
  const problems: string[] = [];
  const all = [...marks.map(({ mark, behind }) => ({ what: `mark ${mark.seriesId} ${mark.dataIndex}`, behind })), ...rows];
  for (const { what, behind } of all) {
    const problem = problemOf(experiment, behind, await listOf(behind));
    if (problem !== null) problems.push(`${figure.id} of ${experiment}, ${what}: ${problem}`);
  }
  return { problems, marks: marks.length, rows: rows.length };
}
