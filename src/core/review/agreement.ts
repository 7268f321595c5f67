// Results of reviews: how far people agree with the court, with each other and with themselves, and who is right.
import type { LabelErrors, ReviewEstimate, Reviewer, ReviewLine, ReviewReport } from '../../shared/reviews.ts';
import { cohenKappa } from '../statistics/agreementScores.ts';
import { bootstrap } from '../statistics/bootstrap.ts';
import { type Confusion, confusionOfCells } from '../statistics/confusion.ts';
import { gwetAgreement } from '../statistics/gwetAgreement.ts';
import { alphaSums, krippendorffAlpha } from '../statistics/krippendorffAlpha.ts';
import { fromBootstrap, missingEstimate } from '../statistics/measures/estimates.ts';
import { sumsStatistic } from '../statistics/sumsStatistic.ts';
import { wilson } from '../statistics/wilson.ts';
import { allLabels, type LabelledCase } from './allLabels.ts';

export interface AgreementSettings {
  /** Labels of the data set, in its order. */
  readonly labels: readonly string[];
  /** Cases of the experiment with a label and a verdict. */
  readonly cases: readonly LabelledCase[];
  /** Of the resamples of cases. */
  readonly seed: number;
  /** Labels that adjudicators gave, by trial. */
  readonly settled: ReadonlyMap<string, string>;
}

const resamples = 2000;
const level = 0.95;

interface Sums {
  readonly width: number;
  /** What a line adds to them; null where it counts for nothing. */
  readonly of: (line: ReviewLine) => readonly number[] | null;
  readonly value: (sums: ArrayLike<number>) => number | null;
}

function estimate(lines: readonly ReviewLine[], seed: number, { width, of, value }: Sums): ReviewEstimate {
  const cases = new Map<string, number[]>();
  let n = 0;
  for (const line of lines) {
    const added = of(line);
    if (added === null) continue;
    n += 1;
    const sums = cases.get(line.case) ?? new Array<number>(width).fill(0);
    cases.set(
      line.case,
      sums.map((sum, place) => sum + (added[place] ?? 0)),
    );
  }
  return overCases([...cases.values()], n, seed, width, value);
}

function overCases(
  rows: readonly (readonly number[])[],
  n: number,
  seed: number,
  width: number,
  value: Sums['value'],
): ReviewEstimate {
  if (rows.length === 0) return { ...missingEstimate(level, 'there are no such reviews'), n };
  const found = bootstrap(sumsStatistic(Float64Array.from(rows.flat()), width, value), { resamples, seed, level });
  return { ...fromBootstrap(found), n };
}

const shareOf = (sums: ArrayLike<number>, place = 0): number | null => {
  const of = sums[place + 1] ?? 0;
  return of === 0 ? null : (sums[place] ?? 0) / of;
};

const share = (counts: (line: ReviewLine) => boolean | null): Sums => ({
  width: 2,
  of: (line) => {
    const counted = counts(line);
    return counted === null ? null : [Number(counted), 1];
  },
  value: shareOf,
});

const isJudged = ({ label, prediction, current }: ReviewLine) => label !== null && prediction !== null && current;
const agrees = (line: ReviewLine) => (isJudged(line) ? line.label === line.prediction : null);
const hasTruth = (line: ReviewLine) => isJudged(line) && line.truth !== null;

const ofTable = (labels: readonly string[], coefficient: (table: Confusion) => number | null): Sums => ({
  width: labels.length ** 2,
  of: (line) => {
    if (!isJudged(line)) return null;
    const [row, column] = [labels.indexOf(line.prediction ?? ''), labels.indexOf(line.label ?? '')];
    // A record from elsewhere can name a label that the data set does not have.
    if (row < 0 || column < 0) return null;
    const cells = new Array<number>(labels.length ** 2).fill(0);
    cells[row * labels.length + column] = 1;
    return cells;
  },
  value: (sums) => coefficient(confusionOfCells(labels, sums)),
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Trials that were judged twice with a label: whether the label was the same. */
function repeats(lines: readonly ReviewLine[]): ReviewLine[] {
  const first = new Map<string, ReviewLine>();
  return lines.flatMap((line) => {
    if (line.label === null) return [];
    const before = first.get(line.trial);
    first.set(line.trial, line);
    // One's own earlier label replaces the court's.
    return before === undefined ? [] : [{ ...line, prediction: before.label, current: true }];
  });
}

function reviewerOf(reviewer: string, lines: readonly ReviewLine[], { labels, seed }: AgreementSettings): Reviewer {
  const of = (judgement: ReviewLine['judgement']) => lines.filter((line) => line.judgement === judgement).length;
  const once = lines.filter(({ repeated }) => !repeated);
  const over = (sums: Sums, from: readonly ReviewLine[] = once) => estimate(from, seed, sums);
  return {
    reviewer,
    reviews: lines.length,
    labels: of('label'),
    unsure: of('unsure'),
    flags: of('flag'),
    seconds: median(lines.map(({ seconds }) => seconds)),
    agreement: over(share(agrees)),
    kappa: over(ofTable(labels, cohenKappa)),
    ac1: over(ofTable(labels, gwetAgreement)),
    self: over(share(agrees), repeats(lines)),
    accuracy: over(share((line) => (hasTruth(line) ? line.label === line.truth : null))),
    court_accuracy: over(share((line) => (hasTruth(line) ? line.prediction === line.truth : null))),
    agreed_accuracy: over(share((line) => (hasTruth(line) && agrees(line) === true ? line.label === line.truth : null))),
  };
}

/** Alpha over trials: each reviewer's first label of a trial is one rating of it. */
function between(lines: readonly ReviewLine[], { labels, seed }: AgreementSettings): ReviewEstimate {
  const trials = new Map<string, { readonly case: string; readonly counts: number[] }>();
  for (const { trial, case: kase, label, repeated, current } of lines) {
    if (label === null || repeated || !current) continue;
    const unit = trials.get(trial) ?? { case: kase, counts: labels.map(() => 0) };
    const place = labels.indexOf(label);
    unit.counts[place] = (unit.counts[place] ?? 0) + 1;
    trials.set(trial, unit);
  }
  const cases = new Map<string, number[]>();
  let n = 0;
  for (const { case: kase, counts: ratings } of trials.values()) {
    const { counts, disagreed } = alphaSums(ratings);
    if (counts.every((count) => count === 0)) continue;
    n += ratings.reduce((sum, count) => sum + count, 0);
    const before = cases.get(kase);
    cases.set(
      kase,
      [...counts, disagreed].map((value, place) => value + (before?.[place] ?? 0)),
    );
  }
  return overCases([...cases.values()], n, seed, labels.length + 1, (sums) => {
    const all = Array.from(sums);
    return krippendorffAlpha({ counts: all.slice(0, -1), disagreed: all.at(-1) ?? 0 });
  });
}

/** The results of an experiment's reviews. Intervals are over cases, at 95%. */
export function reviewAgreement(
  lines: readonly ReviewLine[],
  settings: AgreementSettings,
): Omit<ReviewReport, 'experiment' | 'reviews' | 'comments' | 'adjudications' | 'sign_offs' | 'disagreements' | 'settled'> {
  const names = [...new Set(lines.map(({ reviewer }) => reviewer))];
  const once = lines.filter(({ repeated }) => !repeated);
  const where = (isBlind: boolean) => share((line) => (line.blind === isBlind ? agrees(line) : null));
  const openLessBlind: Sums = {
    width: 4,
    of: (line) => {
      const agreed = agrees(line);
      if (agreed === null) return null;
      return line.blind ? [0, 0, Number(agreed), 1] : [Number(agreed), 1, 0, 0];
    },
    value: (sums) => {
      const [open, blind] = [shareOf(sums), shareOf(sums, 2)];
      return open === null || blind === null ? null : open - blind;
    },
  };
  return {
    reviewers: names.map((name) =>
      reviewerOf(
        name,
        lines.filter(({ reviewer }) => reviewer === name),
        settings,
      ),
    ),
    cases: new Set(lines.map((line) => line.case)).size,
    between: between(lines, settings),
    outdated: lines.filter(({ current }) => !current).length,
    blind_agreement: estimate(once, settings.seed, where(true)),
    open_agreement: estimate(once, settings.seed, where(false)),
    open_less_blind: estimate(once, settings.seed, openLessBlind),
    label_errors: labelErrors(lines, settings, level, (rows, n, width, value) => overCases(rows, n, settings.seed, width, value)),
  };
}

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
function labelErrors(
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
