import { percent } from '../../../core/figures/shares.ts';
import { accuracyAtName, coverages } from '../../../core/statistics/riskCoverage.ts';
import { meanProbabilityIn, surenessWay } from '../../../core/telling/calibrationTables.ts';
import { rightShare } from '../../../core/telling/confidenceBins.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Declining } from '../../../shared/statistics.ts';
import { cornerAxis, listedNames, shareAxis, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import { estimates } from '../kit/dotRows.ts';
import type { FigureSources, TrialsBehind } from '../kit/figure.ts';
import { armPanels, inPanels, mostPanels, panelText } from '../kit/layout.ts';
import { line } from '../kit/marks.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { countedTrials, endColumns, endsText, estimate, intervalName, type Point, plainArms, pointOf } from '../kit/points.ts';

/** A bin as a mark: its Wilson interval takes the trials in it as independent. */
interface Bin extends Point {
  readonly arm: string;
  readonly from: number;
  readonly to: number;
  /** Mean of the bin. */
  readonly confidence: number;
}

type Arm = Readonly<ReturnType<typeof armOf>>;

/** Of the confidence in verdicts, or of the probability of one of two labels. */
function armOf(arm: ArmStatistics, { arms, interval: { level } }: StatsReport, label: string | null) {
  const found = label === null ? arm.reliability : (arm.label_reliability?.bins ?? []);
  const measureOf = (name: string) => arm.measures.find((each) => each.name === name && each.label === label);
  const error = measureOf('expected_calibration_error');
  const bins = found.map((bin, index): Bin => {
    const { from, to, n, confidence } = bin;
    const { value, low, high } = rightShare(bin, level);
    const next = found[index + 1];
    // A list of trials takes confidences below its upper end, which is where the next bin begins; but 1 itself where 1 is the end.
    const end = next === undefined ? 1 : next.from < 1 ? next.from : (to + 1) / 2;
    const range = { from, to: end };
    const behind =
      label === null
        ? { ...countedTrials('stated', arm.arm, { n }), confidence: range }
        : {
            ...countedTrials('believed', arm.arm, { n }),
            subset: { known: ['truth' as const, 'belief' as const], beliefs: { [label]: range } },
          };
    return { arm: arm.arm, from, to, n, cases: n, confidence, value, low: low ?? 0, high: high ?? 1, method: 'wilson', behind };
  });
  return {
    arm: arm.arm,
    bins,
    way: label === null ? surenessWay(arm, arms) : (meanProbabilityIn(arm, label, { arms })?.way ?? null),
    error: error?.value ?? null,
    debiased: measureOf('debiased_calibration_error')?.value ?? null,
    stated: error?.n ?? 0,
    cases: error?.cases ?? 0,
  };
}

/** What one of the two figures calls its numbers. */
interface Words {
  readonly stated: string;
  readonly met: string;
  /** With which the sentence begins. */
  readonly subject: string;
  /** Of the share that was met: `is right`. */
  readonly against: string;
  readonly rule: string;
  /** Before the mean that was stated, and before the share that was met. */
  readonly means: readonly [string, string];
}

const wordsFor = (label: string | null, report: Pick<StatsReport, 'decided_by'>): Words =>
  label === null
    ? {
        ...{ stated: 'confidence', met: retitled('right', report), subject: 'Confidence in the verdict' },
        against: rightWords(report).is,
        means: ['says', rightWords(report).right],
        rule: 'As the Overview says it: an arm is named where its mean confidence in its verdicts lies outside of the 95% interval of the share that is right, and the p of the difference',
      }
    : {
        ...{ stated: `probability of ${shownName(label)}`, met: `share ${shownName(label)}` },
        subject: `The probability of ${shownName(label)}`,
        against: `has ${shownName(label)}`,
        means: ['says', 'found'],
        rule: 'As the Overview says it: an arm is named where the interval of the difference, mean probability less the share that has the label, leaves out 0, and the p of the intercept alone',
      };
const corrected = 'is at most 0.05 after Holm’s correction over all arms.';

function findingOf(arms: readonly Arm[], { subject, rule }: Words, report: Pick<StatsReport, 'decided_by'>) {
  const said = (word: string, way: -1 | 1) => {
    const names = arms.filter((arm) => arm.way === way).map(({ arm }) => arm);
    return names.length === 0 ? [] : [`too ${word}: ${listedNames(names)}`];
  };
  const ways = [...said('high', 1), ...said('low', -1)];
  return ways.length === 0
    ? null
    : { sentence: `${subject} is ${ways.join('; ')}.`, rule: `${retitled(rule, report)} ${corrected}` };
}

/** Panels that are about as high as wide. */
const square = { around: { left: 46, right: 18, top: 24, bottom: 48 }, head: 8, high: 250 };
/** The same with a line under each title. */
const lined = { ...square, around: { ...square.around, top: 40 }, high: 266 };

/** Mean of a number of the bins over their trials. */
const overTrials = (bins: readonly Bin[], of: (bin: Bin) => number): number =>
  bins.reduce((sum, bin) => sum + bin.n * of(bin), 0) / bins.reduce((sum, { n }) => sum + n, 0);

/** Where the scale of all panels begins: at the tenth below the lowest mark, which is not cut so. */
const startOf = (bins: readonly Bin[]): number =>
  Math.max(0, Math.min(0.9, ...bins.map(({ confidence }) => (Math.ceil(confidence * 10 - 1e-9) - 1) / 10)));

function plotOf({ report }: FigureSources, label: string | null) {
  const { level } = report.interval;
  const words = wordsFor(label, report);
  const all = plainArms(report);
  const arms = all.map((arm) => armOf(arm, report, label)).filter(({ bins }) => bins.length > 0);
  if (arms.length === 0) return null;
  const silent = all.filter(({ arm, decided }) => decided > 0 && !arms.some((each) => each.arm === arm));
  const shown = arms.slice(0, mostPanels);
  const start = startOf(shown.flatMap(({ bins }) => bins));
  const panels = armPanels({
    titles: shown.map(({ arm }) => arm),
    under: shown.map(
      ({ bins }) =>
        `${words.means[0]} ${percent(overTrials(bins, ({ confidence }) => confidence))}, ${words.means[1]} ${percent(overTrials(bins, ({ value }) => value))}`,
    ),
    ...lined,
  });
  const most = Math.max(...shown.flatMap(({ bins }) => bins.map(({ n }) => n)));
  const counts = countsAsText(arms, ({ stated }) => stated, {
    noun: 'decided trial',
    about: label === null ? 'with a stated confidence' : `with a ${words.stated}`,
  });
  const replicates = arms.some(({ stated, cases }) => stated !== cases)
    ? ' Trials of the same case count as independent in a bin, so its interval is too narrow.'
    : '';
  return {
    caption: `Each dot is a group of trials with about the same ${words.stated}: to the right what was stated, upwards the share that ${words.against}. On the dotted line both are equal; below it, what was stated is too high. ${counts}; a larger dot has more trials.${start > 0 ? ` The scale to the right begins at ${percent(start)}.` : ''} Under a name: the mean of what was stated, and that share. At most 15 groups of about equal size (bins), parted at gaps of over 10 points; equal values never split. A dot is at the mean of its group, where no trial need be; its line is a ${percent(level)} Wilson interval.${silent.length === 0 ? '' : ` Stated none, so not drawn: ${listedNames(silent.map(({ arm }) => arm))}.`}${replicates}${panelText(arms.length)}${smallN(Math.min(...arms.map(({ cases }) => cases)))}`,
    hint: 'The table has the lowest and the highest of each bin, and two calibration errors: read the debiased one first; the expected one is too large over few trials. A debiased error of 0 is no more than chance gives, and no proof of calibration.',
    finding: findingOf(arms, words, report),
    ...inPanels(panels, shown, (_arm, paint, { place }) => ({
      x: {
        ...cornerAxis(paint, { name: words.stated, nameGap: 24, min: start }),
        interval: (1 - start) / 2,
      },
      y: { ...shareAxis(paint, place % 2 === 0 ? { name: words.met, nameGap: 34 } : {}), splitNumber: 2 },
    })),
    marks: shown.flatMap(({ bins }, panel) => [
      ...estimate<Bin>({
        id: `bins-${panel}`,
        rows: bins,
        panel,
        of: (bin) => bin,
        at: ({ confidence }) => confidence,
        along: 'y',
        colour: 0,
        // The area of a mark grows with its trials.
        size: ({ n }) => 5 + 11 * Math.sqrt(n / most),
        width: 1,
        tip: ({ arm, confidence, from, to, n }, point) =>
          `${shownName(arm)}\n${words.stated} ${percent(confidence)} on average${from === to ? '' : ` (${percent(from)} to ${percent(to)})`}\n${words.met} ${endsText(point)}, n = ${n}`,
      }),
      line({
        id: `diagonal-${panel}`,
        panel,
        rows: [start, 1],
        x: (end) => end,
        y: (end) => end,
        symbol: 'none',
        colour: 'line-strong',
        width: 1.5,
        dash: 'dotted',
        also: { silent: true },
      }),
    ]),
    table: table(
      arms.flatMap(({ bins, error, debiased }) => bins.map((bin) => ({ ...bin, error, debiased }))),
      [
        text('arm', ({ arm }: Bin & Pick<Arm, 'error' | 'debiased'>) => arm),
        share(`lowest ${words.stated}`, ({ from }) => from),
        share(`highest ${words.stated}`, ({ to }) => to),
        share(`mean ${words.stated}`, ({ confidence }) => confidence),
        ...endColumns([words.met, `${words.met}, low`, `${words.met}, high`], share, (bin: Bin) => bin),
        count('n', ({ n }) => n),
        text('interval', ({ method }) => intervalName(method)),
        number('debiased calibration error of the arm', ({ debiased }) => debiased),
        number('expected calibration error of the arm', ({ error }) => error),
      ],
      ({ behind }) => behind,
    ),
  };
}

/** Confidence in the verdict against the share that is right, arm by arm: a reliability diagram. */
export const reliabilityFigure = figure({
  id: 'reliability',
  title: 'Calibration: confidence in the verdict against how often it was right',
  paper: 'EVINCE: expected calibration error',
  requires: 'decided trials of known truth with a stated confidence; cases of several labels have none as a whole',
  plot: (sources) => plotOf(sources, null),
});

/** The same of the probability of one of two labels, the positive one if there is one. */
export const labelReliabilityFigure = figure({
  id: 'label-reliability',
  title: 'Calibration: probability of a label against how often it was right',
  requires: 'decided trials of known truth with a distribution over two labels',
  plot(sources) {
    const label = sources.report.arms.flatMap(({ label_reliability: found }) => found?.label ?? [])[0];
    return label === undefined ? null : plotOf(sources, label);
  },
});

interface Step {
  readonly arm: string;
  readonly least: number;
  readonly n: number;
  readonly coverage: number;
  readonly risk: number;
  readonly behind: TrialsBehind;
}

interface Curve {
  readonly arm: string;
  readonly steps: readonly Step[];
  /** Risk at the shares of which the report has an interval. */
  readonly chosen: readonly (Point & { readonly coverage: number })[];
  readonly area: number | null;
  readonly finished: number;
}

function curveOf({ arm, measures }: ArmStatistics, { curve, finished }: Declining): Curve {
  const steps = curve.map(({ least_confidence: least, n, coverage, risk }): Step => {
    const behind = { ...countedTrials('stated', arm, { n }), confidence: { from: least, to: 1 } };
    return { arm, least, n, coverage, risk, behind };
  });
  const chosen = coverages.flatMap((coverage) => {
    const found = measures.find(({ name }) => name === accuracyAtName(coverage));
    if (found === undefined || found.value === null) return [];
    const { value, low, high, n, cases, interval_method: method } = found;
    const behind = steps.find((step) => step.n === n)?.behind ?? null;
    const ends = { low: high === null ? null : 1 - high, high: low === null ? null : 1 - low };
    return [{ value: 1 - value, ...ends, n, cases, method, behind, coverage: n / finished }];
  });
  const area = measures.find(({ name }) => name === 'area_under_risk_coverage')?.value ?? null;
  return { arm, steps, chosen, area, finished };
}

export const riskCoverageFigure = figure({
  id: 'risk-coverage',
  title: 'How often wrong, if only the surest are answered',
  requires: 'decided trials of known truth with at least two different stated confidences',
  plot({ report }) {
    const rows = plainArms(report).flatMap((arm) =>
      arm.declining === undefined || arm.declining.curve.length < 2 ? [] : [curveOf(arm, arm.declining)],
    );
    if (rows.length === 0) return null;
    const shown = rows.slice(0, mostPanels);
    const panels = armPanels({
      titles: shown.map(({ arm }) => arm),
      notes: shown.map(({ area }) => (area === null ? '' : ` (area ${area.toFixed(2)})`)),
      ...square,
    });
    const most = Math.max(
      ...shown.flatMap(({ steps, chosen }) => [...steps.map(({ risk }) => risk), ...chosen.map(({ high }) => high ?? 0)]),
    );
    const top = Math.min(1, Math.ceil(most * 10) / 10 + 0.1);
    const counts = countsAsText(rows, ({ finished }) => finished, {
      noun: 'finished trial',
      about: retitled('with a known truth', report),
    });
    return {
      caption: `${counts}. From left to right the threshold of confidence falls and more is answered; failures and trials without a confidence are never answered. Large marks are at the first threshold that answers 50%, 80%, 90% and 95% of the trials, with ${percent(report.interval.level)} bootstrap intervals over cases.${panelText(rows.length)}${smallN(Math.min(...rows.map(({ chosen, finished }) => chosen[0]?.cases ?? finished)))}`,
      ...inPanels(panels, shown, (_row, paint, { place }) => ({
        x: { ...cornerAxis(paint, { name: 'answered', nameGap: 24 }), splitNumber: 2 },
        y: {
          ...shareAxis(paint, place % 2 === 0 ? { name: retitled('wrong of these', report), nameGap: 34 } : {}),
          max: top,
          interval: top / 2,
        },
      })),
      marks: shown.flatMap(({ arm, steps, chosen }, panel) => [
        line<Step>({
          id: `curve-${panel}`,
          panel,
          rows: steps,
          x: ({ coverage }) => coverage,
          y: ({ risk }) => risk,
          symbol: 'circle',
          size: 4,
          colour: 0,
          tip: ({ least, coverage, risk, n }) =>
            `${shownName(arm)}\nfrom a confidence of ${percent(least)} on\nanswered ${percent(coverage)}, ${retitled('wrong', report)} ${percent(risk)}, n = ${n}`,
          behind: ({ behind }) => behind,
        }),
        ...estimate<Curve['chosen'][number]>({
          id: `chosen-${panel}`,
          panel,
          rows: chosen,
          of: (point) => point,
          at: ({ coverage }) => coverage,
          along: 'y',
          colour: 0,
          width: 1,
          tip: ({ coverage, value, n }) =>
            `${shownName(arm)}\nanswered ${percent(coverage)}, ${retitled('wrong', report)} ${percent(value)}, n = ${n}`,
        }),
      ]),
      table: table(
        rows.flatMap(({ steps, area }) => steps.map((step) => ({ ...step, area }))),
        [
          text('arm', ({ arm }: Step & { area: number | null }) => arm),
          share('confidence from', ({ least }) => least),
          share('answered', ({ coverage }) => coverage),
          share(retitled('wrong of these', report), ({ risk }) => risk),
          count('n', ({ n }) => n),
          number('area of the arm', ({ area }) => area),
        ],
        ({ behind }) => behind,
      ),
    };
  },
});

interface LabelRow {
  readonly arm: ArmStatistics;
  readonly label: string;
}

const pointIn =
  (name: string) =>
  ({ arm, label }: LabelRow) =>
    pointOf(arm, name, 'believed', label);
const slope = { id: 'slope', name: 'slope', of: pointIn('calibration_slope') };
const large = { id: 'in-the-large', name: 'intercept alone', of: pointIn('calibration_in_the_large') };

/** Slope and intercept of the logistic recalibration of P(label). */
export const calibrationSlopeFigure = figure({
  id: 'calibration-slope',
  title: 'Beliefs against outcomes: too extreme, or too high',
  requires: 'decided trials of known truth with a distribution over the labels, in which beliefs and outcomes vary',
  plot({ report }) {
    const rows = plainArms(report).flatMap((arm) =>
      report.labels.map((label) => ({ arm, label })).filter((row) => slope.of(row) !== null || large.of(row) !== null),
    );
    const several = new Set(rows.map(({ label }) => label)).size > 1;
    return estimates({
      rows,
      name: ({ arm, label }) => (several ? label : arm.arm),
      ...(several ? { group: ({ arm }: LabelRow) => arm.arm } : {}),
      panels: [
        {
          id: 'slope',
          title: 'slope; below 1 too extreme',
          scale: 'free',
          channels: [slope],
          lines: [{ value: 1, name: 'best' }],
        },
        {
          id: 'large',
          title: 'intercept alone; below 0 too high',
          scale: 'free',
          channels: [{ ...large, colour: 1 }],
          lines: [{ value: 0, name: 'best' }],
        },
      ],
      columns: 2,
      legend: false,
      noun: 'decided trial',
      level: report.interval.level,
      says: ` Of P(label) on the logit scale${several ? ', each label by itself' : ''}; beliefs under 0.1% and over 99.9% count as those.`,
    });
  },
});

const correlations = [
  { id: 'pearson', name: 'Pearson', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_pearson', 'stated') },
  { id: 'spearman', name: 'Spearman', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_spearman', 'stated') },
];

export const confidenceCorrectnessFigure = figure({
  id: 'confidence-correctness',
  title: 'Correlation of stated confidence with being right',
  paper: 'AgenticSimLLM: correlation of confidence with correctness',
  requires: 'decided trials of known truth with stated confidences that differ, some of them right and some wrong',
  plot({ report }) {
    const arms = plainArms(report).filter((arm) => correlations.some(({ of }) => of(arm) !== null));
    const title = retitled('correlation of stated confidence with being right', report);
    return estimates({
      rows: arms,
      name: ({ arm }) => arm,
      panels: [{ id: 'correlations', title, scale: 'signed', channels: correlations }],
      noun: 'decided trial',
      level: report.interval.level,
      says: ` Dotted: no correlation. An arm that always states the same confidence, or ${report.decided_by === undefined ? 'is always right or always wrong' : 'always or never agrees'}, has none.`,
    });
  },
});
