// The statistics of an experiment in words and tables, for the command line and for reports.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, duration } from '../../shared/sizes.ts';
import type { Comparison, Measure, SwapStatistics } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { flagText } from '../figures/answerText.ts';
import { pointsOf, roundedNote } from '../figures/shares.ts';
import { ownProbabilityText } from '../imported/ownProbability.ts';
import {
  chanceText,
  disagreementText,
  exactTestText,
  rightTitle,
  shownAdjusted,
  shownComparisons,
} from '../statistics/measures/shownComparisons.ts';
import { agreementTable, derivedTable } from './agreementTables.ts';
import { binsText, calibrationOrder, calibrationPieces, decliningPieces } from './calibrationTables.ts';
import {
  cautionLines,
  differenceText,
  estimate,
  estimateOf,
  interval,
  jsonHasAll,
  nameOfMeasure,
  ofArms,
  type Piece,
  type StatisticsTable,
  signed,
  table,
} from './cells.ts';
import { changesFinding, changesPieces, speechPieces } from './changeTables.ts';
import { factPieces } from './factTables.ts';
import { fairnessLines } from './fairnessFinding.ts';
import {
  baselineCasesText,
  baselineColumnTexts,
  constantTexts,
  errorTexts,
  missingBaselineTexts,
  triedAgainTexts,
} from './findingTexts.ts';
import { forReaders } from './forReaders.ts';
import { fairnessTable, groupsTable } from './groupTables.ts';
import { languagePieces } from './languageTables.ts';
import { pairTexts, ranksText, untestedText } from './pairSentences.ts';
import { populationPieces, precisionTexts } from './populationTables.ts';
import { exploratoryText, primaryPieces } from './primaryPart.ts';
import { unsettledPieces, unsettledTitle } from './unsettledPart.ts';

export interface StatisticsPart {
  readonly id: string;
  readonly title: string;
  readonly pieces: readonly Piece[];
}

const measureOf = (
  { measures }: ArmStatistics,
  name: string,
  { over, label = null }: { readonly over?: Measure['over']; readonly label?: string | null } = {},
) =>
  measures.find((measure) => measure.name === name && measure.label === label && (over === undefined || measure.over === over));

function countsText(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  return entries.length === 0 ? 'none' : entries.map(([kind, number]) => `${kind} ${number}`).join(', ');
}

const rowOf = (arm: ArmStatistics, name: string, positive: string | null) => [
  name,
  `${count(arm.n)}/${count(arm.planned)}`,
  arm.cases === undefined ? '' : `${count(arm.cases.done)}/${count(arm.cases.of)}`,
  count(arm.decided),
  estimate(measureOf(arm, 'accuracy', { over: 'all' })),
  estimate(measureOf(arm, 'accuracy', { over: 'decided' })),
  estimate(measureOf(arm, 'precision', { label: positive })),
  estimate(measureOf(arm, 'recall', { label: positive })),
  estimate(measureOf(arm, 'f1', { label: positive })),
  estimate(measureOf(arm, 'macro_f1')),
  countsText(arm.failures),
];

/** Arms first, then baselines, marked by more than their place. */
function armsTable({ arms, baselines, positive, decided_by }: StatsReport): StatisticsTable {
  const { accuracy } = rightWords({ decided_by });
  const rows = [
    ...arms.map((arm) => rowOf(arm, arm.arm, positive)),
    ...baselines.map((arm) => rowOf(arm, `baseline ${arm.arm}`, positive)),
  ];
  const header = [
    'arm',
    'n',
    'cases',
    'decided',
    `${accuracy} of all`,
    `${accuracy} of decided`,
    'precision',
    'recall',
    'F1',
    'macro-F1',
  ];
  return table([...header, 'failures'], rows);
}

const furtherDifferences = ['macro_f1', 'brier', 'log_loss', 'area_under_curve', 'miscalibration'] as const;

const comparisonRow = ({ a, b, baseline, paired_cases, difference, differences, mcnemar, in_family, ...rest }: Comparison) => [
  `${a} against ${baseline ? 'baseline ' : ''}${b}`,
  count(paired_cases),
  differenceText(difference, 'points'),
  `${count(mcnemar.a_only)} : ${count(mcnemar.b_only)}`,
  chanceText(shownAdjusted({ ...rest, mcnemar }), in_family || rest.primary === true ? '-' : 'not tested'),
  ...furtherDifferences.map((name) => {
    const found = differences.find((each) => each.name === name);
    return found === undefined ? '-' : `${differenceText(found)} of ${count(found.cases)}`;
  }),
  rest.smallest_detectable_difference === null ? 'none' : pointsOf(rest.smallest_detectable_difference),
];

function comparisonsTable(report: StatsReport): Piece[] {
  const { comparisons: all, family } = report;
  const some = all.filter(({ paired_cases }) => paired_cases > 0);
  const empty = all.length - some.length;
  const { shown: comparisons, more } = shownComparisons(some);
  const disagreements = [disagreementText(comparisons), ranksText(comparisons)].filter((text) => text !== null);
  const leftOut = empty === 0 ? [] : ['', `Left out: ${count(empty)} of ${count(all.length)} comparisons, over no case at all.`];
  if (comparisons.length === 0) return leftOut;
  const header = ['', 'cases', `difference of ${rightWords(report).accuracy}, points`, rightTitle(report), 'adjusted p'];
  const further = furtherDifferences.map(nameOfMeasure);
  return [
    '',
    ...(report.primary ? [] : [exploratoryText(report)]),
    `Comparisons in pairs. Only the cases that both have count, and a failure counts as ${rightWords(report).not}. A difference is the first less the second; of Brier score, log loss and miscalibration, lower is better. Macro-F1, Brier score, log loss, area under the curve and miscalibration cover the cases for which both have them. ${untestedText} ${roundedNote}`,
    exactTestText(report, family.text),
    table([...header, ...further, 'detectable from'], comparisons.map(comparisonRow)),
    ...cautionLines(comparisons.flatMap(({ differences }) => differences)),
    ...(disagreements.length === 0 ? [] : ['', ...disagreements]),
    ...(more === 0 ? [] : ['', `${count(more)} further pairs have larger p-values.`, jsonHasAll]),
    ...leftOut,
  ];
}

const swapMeasure = ({ measures }: SwapStatistics, name: string) => measures.find((measure) => measure.name === name);

/** Who won more often than the exchange explains; no one if sides do not argue. */
function winsText(swapped: SwapStatistics): string {
  const [last, accuser] = [swapMeasure(swapped, 'won_by_last_speaker'), swapMeasure(swapped, 'won_by_prosecution')];
  if (last !== undefined) return `last speaker ${estimate(last)}`;
  return accuser === undefined ? '-' : `prosecution ${estimate(accuser)}`;
}

function swapsTable({ swaps, positive }: StatsReport): Piece[] {
  if (swaps.length === 0) return [];
  const rows = swaps.map((swapped) => {
    const flips = swapMeasure(swapped, 'flip_rate');
    const { base, swapped: after, both } = swapped.failed;
    return [
      swapped.arm,
      swapped.swap,
      `${count(flips?.n ?? 0)}/${count(swapped.pairs)}`,
      estimate(flips),
      estimate(swapMeasure(swapped, 'replicate_flip_rate')),
      differenceText(swapMeasure(swapped, 'positive_change')),
      differenceText(swapMeasure(swapped, 'probability_change')),
      winsText(swapped),
      `${count(base)} : ${count(after)}, both ${count(both)}`,
    ];
  });
  const towards = positive === null ? 'positive' : positive;
  const header = [
    'arm',
    'exchanged',
    'both decided',
    'flip rate',
    'flips between replicates',
    `change of share ${towards}, points`,
  ];
  return [
    '',
    'Counterbalancing, over pairs of the same case, replicate and seed (these arms are in no comparison):',
    table([...header, `change of P(${towards}), points`, 'won by', 'failed arm : swapped'], rows),
  ];
}

/** Accuracy and relative gain on ambiguous and on normal cases; nothing where it is not recorded which are which. */
function ambiguityTable({ ambiguity }: StatsReport): Piece[] {
  if (ambiguity === undefined || ambiguity.why_null !== null) return [];
  const { share, reference, unknown, disagreeing, arms } = ambiguity;
  const rows = arms.map(({ arm, part, cases, n, accuracy, gain }) => [
    arm,
    part === 'total' ? 'both' : part,
    count(cases),
    count(n),
    estimate(accuracy, 'share'),
    gain === null || gain.value === null ? '-' : `${signed(gain.value)}${interval(gain)}`,
  ]);
  const over = reference === null ? 'no arm answers alone' : `over ${reference}`;
  const parts = [
    ...(unknown === 0 ? [] : [`${count(unknown)} cases are not known to be either`]),
    ...(disagreeing === 0 ? [] : [`${count(disagreeing)} are ambiguous to the hearings of one arm and not of another`]),
  ];
  return [
    '',
    `Ambiguous cases, whose label varies over five hearings: ${count(share.count)} of ${count(share.n)}, ${estimate(share, 'share')}${parts.length === 0 ? '' : `; ${parts.join('; ')}`}. Relative gain: (accuracy - reference) / reference, ${over}.`,
    table(['arm', 'cases that are', 'cases', 'n', 'accuracy of all', 'relative gain'], rows),
  ];
}

/** Measures of single arms that have a value, but those of the first table. */
const further = [
  'completed_if_shuffled',
  'completed_beyond_shuffled',
  'balanced_accuracy',
  'matthews_correlation',
  'cohen_kappa',
  'accuracy_at_1',
  'accuracy_at_3',
  'mean_reciprocal_rank',
  'micro_f1',
  'samples_f1',
  'brier',
  'brier_skill',
  'log_loss',
  'expected_calibration_error',
  'debiased_calibration_error',
  'miscalibration',
  'area_under_curve',
  'confidence_correctness_pearson',
  'corrections',
  'degradations',
  'flips',
  'answer_flips',
  'belief_change',
] as const;

function measuresTable({ arms, baselines }: StatsReport): Piece[] {
  const all = [...arms, ...baselines];
  const names = further.filter((name) => all.some((arm) => (measureOf(arm, name)?.value ?? null) !== null));
  if (names.length === 0) return [];
  const bins = binsText(all);
  const rows = names.map((name) => [nameOfMeasure(name), ...all.map((arm) => estimateOf(measureOf(arm, name)))]);
  return [
    '',
    'Further measures, each with the trials, steps or speeches that it is over. Brier skill: 1 is best, 0 is no better than giving every case the base rate. Area under curve: 1 is best, 0.5 is chance.',
    { advice: '--json has all measures, with method.' },
    table(['', ...all.map(({ arm }) => arm)], rows),
    ...(bins === null ? [] : [calibrationOrder, bins]),
    ...cautionLines(ofArms(all).filter(({ name }) => names.some((each) => each === name))),
  ];
}

/** How answers were read, one line an arm; nothing where no model was asked. */
function answersTable({ arms }: StatsReport): Piece[] {
  const rows = arms.flatMap(({ arm, answers }) => {
    if (answers === undefined) return [];
    const { requests, first, first_usable, methods, rejected, looped, flags, reused } = answers;
    const made =
      reused === undefined
        ? count(requests)
        : `${count(requests)} (${count(reused.requests)} reused, ${duration(reused.model_ms / 1000)} spared)`;
    const loops = looped === 0 ? '' : ` (${count(looped)} looped)`;
    const usable = `${count(first_usable)}/${count(first)}`;
    return [[arm, made, usable, countsText(methods), `${countsText(rejected)}${loops}`, countsText(flags)]];
  });
  if (rows.length === 0) return [];
  const header = ['arm', 'requests', 'first answers usable', 'read as', 'refused', 'flags'];
  const flags = [...new Set(arms.flatMap(({ answers }) => Object.keys(answers?.flags ?? {})))];
  return [
    ...['', 'Answers of ended trials, further attempts included:'],
    table(header, rows),
    ...flags.map((flag) => `The flag “${flag}” is of an answer that was accepted: ${flagText(flag)}`),
    { advice: 'docs/answers.md explains the columns.' },
  ];
}

function explanations(report: StatsReport): string[] {
  const { arms, interval, resampling, contamination, notes } = report;
  const unknown = arms.reduce((sum, arm) => sum + arm.without_truth, 0);
  const drawn =
    resampling.resamples === 0
      ? 'none of the others, since no resamples were asked for'
      : `BCa bootstrap over cases for all others (${count(resampling.resamples)} resamples, seed ${resampling.seed})`;
  return [
    ...baselineColumnTexts(report),
    ...missingBaselineTexts(report),
    ...(unknown === 0 ? [] : [`${count(unknown)} finished trials have no known truth and are in no accuracy.`]),
    ...(contamination === undefined ? [] : [contamination.text]),
    ...notes,
    `Intervals: ${interval.level * 100}%, Wilson for shares of single trials, and for 0% and 100% of cases that were tried several times, there over the cases; ${drawn}. A failure counts as not correct in "accuracy of all".`,
  ];
}

/** Open questions: how many trials ended, and how. */
function openParts(report: StatsReport): StatisticsPart[] {
  const { arms, experiment, notes } = report;
  const rows = arms.map((arm) => [
    arm.arm,
    `${count(arm.n)}/${count(arm.planned)}`,
    count(arm.decided),
    countsText(arm.failures),
  ]);
  const why = `Experiment ${experiment}. Its questions are open: without labels there is no accuracy, no baseline and no comparison of arms.`;
  return [
    { id: 'arms', title: 'Arms', pieces: [why, '', table(['arm', 'n', 'decided', 'failures'], rows)] },
    { id: 'unsettled', title: unsettledTitle, pieces: unsettledPieces(report) },
    { id: 'answers', title: 'How answers were read', pieces: answersTable(report) },
    { id: 'notes', title: 'How the numbers were made', pieces: ['', ...notes] },
  ];
}

/** The statistics of an experiment in the order of the printed text: the finding first. Parts without a piece are left out. */
export function statisticsParts(whole: StatsReport): StatisticsPart[] {
  const report = forReaders(whole);
  const { arms, baselines, finding, labels, positive } = report;
  // Arms with something exchanged or changed have separate tables, next to the arm that they are of.
  const plain = { ...report, arms: plainAmong(arms) };
  if (labels.length === 0) return openParts(report).filter(({ pieces }) => pieces.length > 0);
  const counts = [...plain.arms, ...baselines].flatMap(({ arm, counts: given }) =>
    given === null ? [] : [`  ${arm}: TP ${given.tp}, TN ${given.tn}, FP ${given.fp}, FN ${given.fn}`],
  );
  const ofBaselines = baselineCasesText(report);
  const against = ownProbabilityText(plain.arms, report);
  const terms = `Experiment ${report.experiment}. Labels: ${labels.join(', ')}${positive === null ? '' : `; positive: ${positive}`}.`;
  const all: StatisticsPart[] = [
    { id: 'primary', title: 'Decided beforehand', pieces: primaryPieces(report) },
    {
      id: 'finding',
      title: 'Finding',
      pieces: [
        ...(report.primary ? [exploratoryText(report)] : []),
        ...changesFinding(report),
        finding.sentence,
        ...constantTexts(report),
        ...errorTexts(report),
        ...triedAgainTexts(report),
        ...(against === null ? [] : [against]),
        ...pairTexts(report),
        ...fairnessLines(report),
        ...(report.damage === undefined ? [] : [finding.rule]),
      ],
    },
    {
      id: 'arms',
      title: 'Arms',
      pieces: [
        '',
        terms,
        '',
        armsTable(report),
        ...precisionTexts(plain),
        ...(ofBaselines === null ? [] : [ofBaselines]),
        ...derivedTable(report),
        ...(counts.length === 0
          ? []
          : [
              '',
              `Counts over decided trials of the label ${positive} (TP: answered so, FN: otherwise) and of other labels (FP: answered ${positive}, TN: otherwise):`,
              ...counts,
            ]),
      ],
    },
    { id: 'unsettled', title: unsettledTitle, pieces: unsettledPieces(report) },
    { id: 'comparisons', title: 'Exploratory comparisons', pieces: comparisonsTable(report) },
    { id: 'swaps', title: 'Exchanges', pieces: swapsTable(report) },
    { id: 'changes', title: 'Declared changes', pieces: changesPieces(report) },
    { id: 'facts', title: 'The facts', pieces: factPieces(report) },
    { id: 'speeches', title: 'What caused it', pieces: speechPieces(report) },
    { id: 'language', title: 'The language of the debate', pieces: languagePieces(report) },
    { id: 'ambiguity', title: 'Ambiguous cases', pieces: ambiguityTable(report) },
    { id: 'agreement', title: 'Agreement', pieces: agreementTable(report) },
    { id: 'measures', title: 'Further measures', pieces: measuresTable(plain) },
    { id: 'population', title: 'Another population', pieces: populationPieces(plain) },
    { id: 'calibration', title: 'Calibration', pieces: calibrationPieces(plain) },
    { id: 'declining', title: 'Answering only when sure', pieces: decliningPieces(plain) },
    { id: 'groups', title: 'Groups', pieces: [...fairnessTable(plain), ...groupsTable(plain)] },
    { id: 'answers', title: 'How answers were read', pieces: answersTable(report) },
    { id: 'notes', title: 'How the numbers were made', pieces: ['', ...explanations(report)] },
  ];
  return all.filter(({ pieces }) => pieces.length > 0);
}
