// How many labels of the data set people find wrong, and what the court's accuracy is with their answers in the labels' place.
import type { LabelErrors, ReviewEstimate, ReviewLine } from '../../shared/reviews.ts';
import { wilson } from '../statistics/wilson.ts';
import { allLabels, type LabelledCase } from './allLabels.ts';

interface ReviewedCase {
  readonly case: string;
  readonly truth: string;
  /** Null where no answer has more reviewers than every other. */
  readonly people: string | null;
  readonly isAdjudicated: boolean;
  readonly court: readonly string[];
}

type OverCases = (
  rows: readonly (readonly number[])[],
  n: number,
  width: number,
  value: (sums: ArrayLike<number>) => number | null,
) => ReviewEstimate;

function answerOfMost(answers: readonly string[]): string | null {
  const counted = [...Map.groupBy(answers, (answer) => answer)].map(([answer, { length }]) => ({ answer, length }));
  const most = Math.max(...counted.map(({ length }) => length));
  const [first, ...tied] = counted.filter(({ length }) => length === most);
  return first === undefined || tied.length > 0 ? null : first.answer;
}

/** Each reviewer counts once for a case, with the first label; each trial once, with its verdict. A case that was changed is another one. */
function casesIn(lines: readonly ReviewLine[], settled: ReadonlyMap<string, string>): ReviewedCase[] {
  const judged = lines.filter(
    ({ label, truth, prediction, current, varied }) =>
      label !== null && truth !== null && prediction !== null && current && !varied,
  );
  return [...Map.groupBy(judged, (line) => line.case).values()].map((mine) => {
    const first = new Map(mine.toReversed().map(({ reviewer, label }) => [reviewer, label ?? '']));
    const court = new Map(mine.map(({ trial, prediction }) => [trial, prediction ?? '']));
    const adjudicated = [...new Set(mine.map(({ trial }) => trial))].flatMap((trial) => settled.get(trial) ?? []);
    const isAdjudicated = adjudicated.length > 0;
    return {
      case: mine[0]?.case ?? '',
      truth: mine[0]?.truth ?? '',
      people: answerOfMost(isAdjudicated ? adjudicated : [...first.values()]),
      isAdjudicated,
      court: [...court.values()],
    };
  });
}

/**
 * Over the cases that people gave a label: the share whose label in the data set is another one than most reviewers give, with a
 * Wilson interval, and the court's accuracy by the labels and by the reviewers. Only `all` says anything of cases that were not
 * reviewed: a reviewer who takes doubtful labels first finds more wrong ones than the average. Where reviewers differ, an
 * adjudicator's label is the answer.
 * @param cases every case of the experiment with a label
 * @param settled labels that adjudicators gave, by trial
 * @param overCases estimates a value of sums over cases, one row each
 */
export function labelErrors(
  lines: readonly ReviewLine[],
  { cases: tried, settled }: { readonly cases: readonly LabelledCase[]; readonly settled: ReadonlyMap<string, string> },
  level: number,
  overCases: OverCases,
): LabelErrors {
  const all = casesIn(lines, settled);
  const cases = all.flatMap(({ people, ...rest }) => (people === null ? [] : [{ ...rest, people }]));
  const wrong = cases.filter(({ truth, people }) => truth !== people).length;
  const right = (court: readonly string[], answer: string) => court.filter((each) => each === answer).length;
  const rows = cases.map(({ truth, people, court }) => [right(court, truth), right(court, people), court.length]);
  const verdicts = rows.reduce((sum, row) => sum + (row[2] ?? 0), 0);
  const accuracy = (value: (byLabel: number, byPeople: number) => number) =>
    overCases(rows, verdicts, 3, (sums) => {
      const of = sums[2] ?? 0;
      return of === 0 ? null : value(sums[0] ?? 0, sums[1] ?? 0) / of;
    });
  const share = overCases(
    cases.map(({ truth, people }) => [Number(truth !== people), 1]),
    cases.length,
    2,
    (sums) => (sums[1] ? (sums[0] ?? 0) / sums[1] : null),
  );
  const ends = wilson(wrong, cases.length, level);
  return {
    disputed: all.length - cases.length,
    adjudicated: cases.filter(({ isAdjudicated }) => isAdjudicated).length,
    wrong_labels:
      ends === null
        ? share
        : {
            ...{ ...share, low: ends.low, high: ends.high, interval_method: 'wilson', why_null: null },
            ...{ resamples: null, undefined_resamples: null, seed: null },
          },
    accuracy_by_label: accuracy((byLabel) => byLabel),
    accuracy_by_people: accuracy((_byLabel, byPeople) => byPeople),
    accuracy_change: accuracy((byLabel, byPeople) => byPeople - byLabel),
    all: allLabels(tried, new Map(cases.map((each) => [each.case, each.people])), level),
  };
}
