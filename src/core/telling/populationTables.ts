// Measures of another population than the cases as they are: weighted, and at another prevalence.
import { retitled } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { percent, points, wholeRange } from '../figures/shares.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { mcnemarExact } from '../statistics/mcnemarExact.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { pairedShares } from '../statistics/pairedShares.ts';
import { type Column, cautionLines, columnsOf, estimateOf, measureNamed, ofArms, type Piece, rangeInWords } from './cells.ts';

/** Weighted measures in the order of their columns, with what each is over. */
export const weightedColumns = [
  ['weighted_accuracy', 'all', 'accuracy of all'],
  ['weighted_accuracy', 'decided', 'accuracy of decided'],
  ['weighted_selection_rate', 'decided', 'selection rate'],
  ['weighted_true_positive_rate', 'truly-positive', 'true-positive rate'],
  ['weighted_false_positive_rate', 'truly-negative', 'false-positive rate'],
  ['weighted_positive_predictive_value', 'selected', 'predictive value'],
] as const;

export const prevalenceColumns = [
  ['positive_predictive_value', 'positive predictive value'],
  ['negative_predictive_value', 'negative predictive value'],
  ['accuracy', 'accuracy'],
] as const;

export const isWeighted = ({ measures }: Pick<ArmStatistics, 'measures'>): boolean =>
  measures.some(({ name, value }) => name === 'weighted_accuracy' && value !== null);

/** `, probably 60 to 88 of 100`; empty without an interval. */
export const plainRange = (found: Pick<Measure, 'low' | 'high'> | undefined): string =>
  found === undefined || found.low === null || found.high === null
    ? ''
    : `, probably ${wholeRange({ low: found.low, high: found.high })} of 100`;

/** Arms that the sentence on the shares of the positive label names. */
const mostSelecting = 4;

/** `; +36.7 points, 95% interval +12.4 to +55.3`: of the answers less the labels of the same cases. */
function excessText({ tp, fp, fn, tn }: NonNullable<ArmStatistics['counts']>, isPlain: boolean): string {
  const found = pairedShares({ both: tp, first: fp, second: fn, neither: tn });
  if (found === null) return '';
  return `; ${points(found.value)} points, ${isPlain ? 'probably' : `${percent(found.level)} interval`} ${points(found.low)} to ${points(found.high)}`;
}

/**
 * How often the positive of two labels is the true one, and how often each arm gives it in trials whose truth is known:
 * `“GRANT”: by the bank in 27 of 63 cases (42.9%), by court in 71 of 126 trials (56.3%, 95% interval 46.1% to 66.7%).` Null without both.
 * Where each case counts once it has the difference too, and its test.
 * @param isPlain in words that need no statistics
 */
export function selectionText(
  {
    arms,
    labels,
    positive,
    finding: { commonest },
    decided_by: by,
    part,
  }: Pick<StatsReport, 'arms' | 'labels' | 'positive' | 'finding' | 'decided_by' | 'part'>,
  isPlain = false,
): string | null {
  if (positive === null || labels.length !== 2 || commonest === undefined) return null;
  const { cases, of } = commonest;
  const positives = commonest.label === positive ? cases : of - cases;
  const share = percent(positives / of);
  const own = by === undefined ? 'the true label' : `by ${by}`;
  const selecting = plainAmong(arms).flatMap((arm) => {
    const found = measureNamed(arm, 'selection_rate', { over: 'decided', label: positive });
    return found === undefined || arm.counts === null || found.n === 0 ? [] : [{ ...arm, counts: arm.counts, found }];
  });
  if (selecting.length === 0) return null;
  const tests = selecting.map(({ counts: { fp, fn }, found }) =>
    part !== undefined || found.n > found.cases || fp + fn === 0 ? null : mcnemarExact(fp, fn).p,
  );
  const adjusted = holm(tests);
  const title = tests.filter((p) => p !== null).length > 1 ? 'adjusted p' : 'p';
  const said = selecting.slice(0, mostSelecting).map(({ arm, n, decided, counts, found }, place) => {
    const { tp, fp, fn } = counts;
    const what = `${decided < n ? 'decided ' : ''}${found.n > found.cases ? 'trial' : 'case'}`;
    const there = percent((tp + fn) / found.n);
    const elsewhere = there === share ? '' : `; there ${own} in ${there}`;
    const range = isPlain ? plainRange(found) : rangeInWords(found);
    const p = adjusted[place] ?? null;
    const chance = p === null || p > 0.05 ? 'this can be chance' : 'chance does not explain it';
    const lean =
      p === null
        ? ''
        : `${excessText(counts, isPlain)}; only ${arm} in ${count(fp)}, only ${by ?? own} in ${count(fn)}: ${chance}, ${title} ${chanceText(p)}`;
    return `${by === undefined ? 'the verdict of' : 'by'} ${arm} in ${count(tp + fp)} of ${quantity(found.n, what)} (${percent((tp + fp) / found.n)}${range}${elsewhere}${lean})`;
  });
  const more = selecting.length - said.length;
  const untested =
    part === undefined && selecting.some(({ found }) => found.n > found.cases)
      ? ' Shares of trials are not tested against it, since cases were tried several times.'
      : '';
  return `“${positive}”: ${own} in ${count(positives)} of ${quantity(of, 'case')} (${share}), ${said.join(', ')}${more > 0 ? `, and ${quantity(more, 'more arm')}` : ''}.${untested}`;
}

/** How often the answer of the positive label holds, for each arm that gave it: here, and where a prevalence is stated, there. */
export const precisionTexts = ({
  arms,
  positive,
  prevalence,
  decided_by: by,
}: Pick<StatsReport, 'arms' | 'positive' | 'prevalence' | 'decided_by'>): string[] =>
  arms.flatMap(({ arm, counts, measures, at_prevalence: there = [] }) => {
    const precision = measureNamed({ measures }, 'precision', { label: positive });
    if (counts === null || counts.tp + counts.fp === 0 || precision?.value === null) return [];
    const { tp, fp, fn, tn } = counts;
    const [answers, share] = [tp + fp, percent((tp + fn) / (tp + fp + fn + tn))];
    const were = by === undefined ? (tp === 1 ? 'was truly so' : 'were truly so') : `agreed with ${by}`;
    const range = plainRange(precision);
    const holds =
      by === undefined
        ? `where, as here, ${share} of cases are truly “${positive}”; where they are rarer, fewer are.`
        : `where, as here, ${by} decided ${share} of cases as “${positive}”; where that is rarer, fewer agree.`;
    const other = there.find(({ name }) => name === 'positive_predictive_value');
    const elsewhere =
      other?.value == null || prevalence === undefined
        ? ''
        : ` At ${percent(prevalence)} it would be ${percent(other.value)}${plainRange(other)}, if positive and negative cases are each as here.`;
    return [
      `${arm}: of ${quantity(answers, 'answer')} “${positive}”, ${count(tp)} ${were} (precision ${percent(tp / answers)}${range}). This holds ${holds}${elsewhere}`,
    ];
  });

/** A measure at another prevalence with the answers that it is a share of: a predictive value is of the answers of one label. */
export function ofAnswers(measure: Measure, { counts }: Pick<ArmStatistics, 'counts'>): Measure {
  if (counts === null) return measure;
  const { tp, fp, fn, tn } = counts;
  if (measure.name === 'positive_predictive_value') return { ...measure, n: tp + fp };
  return measure.name === 'negative_predictive_value' ? { ...measure, n: fn + tn } : measure;
}

/** Where each row of a table at another prevalence is from. */
export const rowTitle = (arm: string, isBaseline: boolean): string =>
  isBaseline && !arm.endsWith('(baseline)') ? `${arm} (baseline)` : arm;

/** What one answer for all would be worth at a prevalence, and which baselines give it; nothing without a positive label. */
export function constantAnswersAt(
  {
    baselines,
    labels,
    positive,
    decided_by: by,
  }: Pick<StatsReport, 'labels' | 'positive' | 'decided_by'> & {
    readonly baselines: readonly Pick<ArmStatistics, 'arm' | 'counts'>[];
  },
  prevalence: number,
): string[] {
  if (positive === null) return [];
  const others = labels.filter((label) => label !== positive);
  const other = others.length === 1 && others[0] !== undefined ? others[0] : `anything but ${positive}`;
  const agrees = by === undefined ? 'would be right in' : `would agree with ${by} in`;
  // Of more than two labels none is the right one of all other cases.
  const [most, least] = [
    others.length === 1 ? percent(1 - prevalence) : `at most ${percent(1 - prevalence)}`,
    percent(prevalence),
  ];
  const same = baselines.flatMap(({ arm, counts }) => {
    if (counts === null) return [];
    const [yes, no] = [counts.tp + counts.fp, counts.fn + counts.tn];
    return (yes === 0) === (no === 0) ? [] : [`${rowTitle(arm, true)} answers ${yes > 0 ? positive : other} to everybody.`];
  });
  return [
    `From the prevalence itself: answering ${other} to everybody ${agrees} ${most} of cases, answering ${positive} to everybody in ${least}.`,
    ...same,
  ];
}

/** Nothing where nothing is weighted and no prevalence was stated. */
export function populationPieces(report: StatsReport): Piece[] {
  const { arms, baselines, prevalence = 0, decided_by: by } = report;
  const fitted = new Set<ArmStatistics>(baselines);
  const titleOf = (each: ArmStatistics) => rowTitle(each.arm, fitted.has(each));
  const all = [...arms, ...baselines];
  const weighted = all.filter(isWeighted);
  const there = all.flatMap((row) => (row.at_prevalence === undefined ? [] : [{ row, at: row.at_prevalence }]));
  return [
    ...(weighted.length === 0
      ? []
      : [
          '',
          'Weighted by the sampling weights of the cases: of the population that they were sampled from, with the plain numbers above:',
          columnsOf(weighted, [
            ['arm', titleOf],
            ...weightedColumns.map(
              ([name, over, title]): Column<ArmStatistics> => [
                retitled(title, report),
                (each) => estimateOf(measureNamed(each, name, { over })),
              ],
            ),
          ]),
          ...cautionLines(ofArms(all).filter(({ name }) => name.startsWith('weighted_'))),
        ]),
    ...(there.length === 0
      ? []
      : [
          '',
          `As it would be where ${by === undefined ? `${percent(prevalence)} of the cases are truly positive` : `${by} decides ${percent(prevalence)} of the cases as ${report.positive}`}, and positive and negative cases are each as here; over the decided:`,
          columnsOf(there, [
            ['arm', ({ row }) => titleOf(row)],
            ...prevalenceColumns.map(
              ([name, title]): Column<(typeof there)[number]> => [
                retitled(title, report),
                ({ row, at }) => estimateOf(at.map((each) => ofAnswers(each, row)).find((each) => each.name === name)),
              ],
            ),
          ]),
          ...constantAnswersAt(report, prevalence),
          ...cautionLines(ofArms(all.map(({ arm, at_prevalence: at = [] }) => ({ arm, measures: at })))),
        ]),
  ];
}

/** Why an average probability of a label is too high where the verdict is it too seldom, or the other way round; empty elsewhere. */
export function oppositeText(arm: ArmStatistics, label: string): string {
  const [observed, excess] = ['observed_share', 'probability_excess'].map((name) => measureNamed(arm, name, { label }));
  const given = measureNamed(arm, 'selection_rate', { over: 'decided', label });
  if (observed?.value == null || excess?.value == null || given?.value == null || given.n !== observed.n) return '';
  return excess.value * (given.value - observed.value) < 0
    ? ` Yet the verdict is ${label} in ${percent(given.value)}: an average does not show how often a label is the likelier one.`
    : '';
}
