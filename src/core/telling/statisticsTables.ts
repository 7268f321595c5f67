// The statistics of an experiment in words and tables, for the command line and for reports.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, duration } from '../../shared/sizes.ts';
import type { Comparison, Measure } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { flagText } from '../figures/answerText.ts';
import { pointsOf, roundedNote } from '../figures/shares.ts';
import { ownProbabilityText } from '../imported/ownProbability.ts';
import { unlabelledText } from '../statistics/caseCoverage.ts';
import {
  chanceText,
  disagreementText,
  exactTestText,
  rightTitle,
  shownAdjusted,
  shownComparisons,
} from '../statistics/measures/shownComparisons.ts';
import { agreementTable, derivedTable } from './agreementTables.ts';
import { calibrationOrder, calibrationPieces, trustTexts } from './calibrationTables.ts';
import {
  type Column,
  cautionLines,
  columnsOf,
  countedEstimate,
  differenceText,
  estimate,
  estimateOf,
  jsonHasAll,
  measureNamed,
  nameOfMeasure,
  ofArms,
  type Piece,
  type StatisticsTable,
  table,
} from './cells.ts';
import { changeDetails, changesPieces, mainTexts } from './changeTables.ts';
import { binsText } from './confidenceBins.ts';
import { costPieces } from './costTable.ts';
import { decliningPieces } from './decliningTables.ts';
import { factPieces } from './factTables.ts';
import {
  baselineCasesText,
  baselineColumnTexts,
  constantTexts,
  errorPieces,
  firstAnswerTexts,
  missingBaselineTexts,
  triedAgainTexts,
} from './findingTexts.ts';
import { forReaders } from './forReaders.ts';
import { groupLines } from './groupFindings.ts';
import { fairnessTable, groupsTable } from './groupTables.ts';
import { languagePieces } from './languageTables.ts';
import { fitTexts, pairDetails, pairModels, pairTexts, ranksText, untestedText } from './pairSentences.ts';
import { populationPieces, precisionTexts, selectionText } from './populationTables.ts';
import { exploratoryText, primaryPieces } from './primaryPart.ts';
import { speechPieces } from './speechTables.ts';
import { swapFinding, swapsTable } from './swapTables.ts';
import { missingTexts, unsettledPieces, unsettledTitle } from './unsettledPart.ts';

export interface StatisticsPart {
  readonly id: string;
  readonly title: string;
  readonly pieces: readonly Piece[];
}

const measureOf = (arm: ArmStatistics, name: string, about: { over?: Measure['over']; label?: string | null } = {}) =>
  measureNamed(arm, name, { label: null, ...about });

function countsText(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts);
  return entries.length === 0 ? 'none' : entries.map(([kind, number]) => `${kind} ${number}`).join(', ');
}

/** Arms first, then baselines, marked by more than their place. */
function armsTable({ arms, baselines, positive, decided_by }: StatsReport): StatisticsTable {
  const { accuracy } = rightWords({ decided_by });
  const of = (name: string, about?: Parameters<typeof measureOf>[2]) => (arm: ArmStatistics) =>
    countedEstimate(measureOf(arm, name, about));
  const all: ArmStatistics[] = [...arms, ...baselines.map((each) => ({ ...each, arm: `baseline ${each.arm}` }))];
  return columnsOf(all, [
    ['arm', ({ arm }) => arm],
    ['n', ({ n, planned }) => `${count(n)}/${count(planned)}`],
    ['cases', ({ cases }) => (cases === undefined ? '' : `${count(cases.done)}/${count(cases.of)}`)],
    ['decided', ({ decided }) => count(decided)],
    [`${accuracy} of all`, of('accuracy', { over: 'all' })],
    [`${accuracy} of decided`, of('accuracy', { over: 'decided' })],
    ['precision', of('precision', { label: positive })],
    ['recall', of('recall', { label: positive })],
    ['F1', of('f1', { label: positive })],
    ['macro-F1', of('macro_f1')],
    ['failures', ({ failures }) => countsText(failures)],
  ]);
}

const furtherDifferences = ['macro_f1', 'brier', 'log_loss', 'area_under_curve', 'miscalibration'] as const;

function comparisonsTable(report: StatsReport): Piece[] {
  const { comparisons: all, family } = report;
  const some = all.filter(({ paired_cases }) => paired_cases > 0);
  const empty = all.length - some.length;
  const { shown: comparisons, more } = shownComparisons(some);
  const disagreements = [disagreementText(comparisons), ranksText(comparisons)].filter((text) => text !== null);
  const leftOut = empty === 0 ? [] : ['', `Left out: ${count(empty)} of ${count(all.length)} comparisons, over no case at all.`];
  if (comparisons.length === 0) return leftOut;
  const further = furtherDifferences.map(
    (name): Column<Comparison> => [
      nameOfMeasure(name),
      ({ differences }) => {
        const found = differences.find((each) => each.name === name);
        return found === undefined ? '-' : `${differenceText(found)} of ${count(found.cases)}`;
      },
    ],
  );
  return [
    '',
    ...(report.primary ? [] : [exploratoryText(report)]),
    `Comparisons in pairs. Only the cases that both have count, and a failure counts as ${rightWords(report).not}. A difference is the first less the second; of Brier score, log loss and miscalibration, lower is better. Macro-F1, Brier score, log loss, area under the curve and miscalibration cover the cases for which both have them. ${untestedText} ${roundedNote}`,
    exactTestText(report, family.text),
    columnsOf(comparisons, [
      ['', ({ a, b, baseline }) => `${a} against ${baseline ? 'baseline ' : ''}${b}`],
      ['cases', ({ paired_cases: cases }) => count(cases)],
      [`difference of ${rightWords(report).accuracy}, points`, ({ difference }) => differenceText(difference, 'points')],
      [rightTitle(report), ({ mcnemar }) => `${count(mcnemar.a_only)} : ${count(mcnemar.b_only)}`],
      ['adjusted p', (each) => chanceText(shownAdjusted(each), each.in_family || each.primary === true ? '-' : 'not tested')],
      ...further,
      ['detectable from', ({ smallest_detectable_difference: least }) => (least === null ? 'none' : pointsOf(least))],
    ]),
    ...cautionLines(comparisons.flatMap(({ differences }) => differences)),
    ...(disagreements.length === 0 ? [] : ['', ...disagreements]),
    ...(more === 0 ? [] : ['', `${count(more)} further pairs have larger p-values.`, jsonHasAll]),
    ...leftOut,
  ];
}

function ambiguityTable({ ambiguity }: StatsReport): Piece[] {
  if (ambiguity === undefined || ambiguity.why_null !== null) return [];
  const { share, reference, unknown, disagreeing, arms } = ambiguity;
  const over = reference === null ? 'no arm answers alone' : `over ${reference}`;
  const parts = [
    ...(unknown === 0 ? [] : [`${count(unknown)} cases are not known to be either`]),
    ...(disagreeing === 0 ? [] : [`${count(disagreeing)} are ambiguous to the hearings of one arm and not of another`]),
  ];
  return [
    '',
    `Ambiguous cases, whose label varies over five hearings: ${count(share.count)} of ${count(share.n)}, ${estimate(share, 'share')}${parts.length === 0 ? '' : `; ${parts.join('; ')}`}. Relative gain: (accuracy - reference) / reference, ${over}.`,
    columnsOf(arms, [
      ['arm', ({ arm }) => arm],
      ['cases that are', ({ part }) => (part === 'total' ? 'both' : part)],
      ['cases', ({ cases }) => count(cases)],
      ['n', ({ n }) => count(n)],
      ['accuracy of all', ({ accuracy }) => estimate(accuracy, 'share')],
      ['relative gain', ({ gain }) => differenceText(gain ?? undefined, 'number')],
    ]),
  ];
}

/** Measures of single arms that have a value, but those of the first table. */
const further = `completed_if_shuffled completed_beyond_shuffled balanced_accuracy matthews_correlation cohen_kappa accuracy_at_1
  accuracy_at_3 mean_reciprocal_rank micro_f1 samples_f1 brier brier_skill log_loss expected_calibration_error
  debiased_calibration_error miscalibration area_under_curve confidence_correctness_pearson corrections degradations flips
  answer_flips belief_change`.split(/\s+/);

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
    ...cautionLines(ofArms(all).filter(({ name }) => names.includes(name))),
  ];
}

function answersTable({ arms }: StatsReport): Piece[] {
  const asked = arms.flatMap(({ arm, answers }) => (answers === undefined ? [] : [{ arm, ...answers }]));
  if (asked.length === 0) return [];
  return [
    ...['', 'Answers of ended trials, further attempts included:'],
    columnsOf(asked, [
      ['arm', ({ arm }) => arm],
      [
        'requests',
        ({ requests, reused }) =>
          `${count(requests)}${reused === undefined ? '' : ` (${count(reused.requests)} reused, ${duration(reused.model_ms / 1000)} spared)`}`,
      ],
      ['first answers usable', ({ first, first_usable: usable }) => `${count(usable)}/${count(first)}`],
      ['read as', ({ methods }) => countsText(methods)],
      ['refused', ({ rejected, looped }) => `${countsText(rejected)}${looped === 0 ? '' : ` (${count(looped)} looped)`}`],
      ['flags', ({ flags }) => countsText(flags)],
    ]),
    ...[...new Set(asked.flatMap(({ flags }) => Object.keys(flags)))].map(
      (flag) => `The flag “${flag}” is of an answer that was accepted: ${flagText(flag)}`,
    ),
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
    ...(unknown === 0
      ? []
      : [unlabelledText(report) ?? `${count(unknown)} finished trials have no known truth and are in no accuracy.`]),
    ...(contamination === undefined ? [] : [contamination.text]),
    ...notes,
    `Intervals: ${interval.level * 100}%, Wilson for shares of single trials, and for 0% and 100% of cases that were tried several times, there over the cases; ${drawn}. A failure counts as not correct in "accuracy of all".`,
  ];
}

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
    { id: 'cost', title: 'What the trials took', pieces: costPieces(report) },
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
  const errors = errorPieces(report);
  // The first table has the same of arms, and the table of arms of baselines.
  const counts = [...plain.arms, ...baselines].flatMap(({ arm, counts: given }) =>
    given === null || errors.length > 0 ? [] : [`  ${arm}: TP ${given.tp}, TN ${given.tn}, FP ${given.fp}, FN ${given.fn}`],
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
        ...mainTexts(report, missingTexts(report), pairTexts(report)),
        ...pairModels(report),
        ...pairDetails(report),
        ...errors,
        ...changeDetails(report),
        ...constantTexts(report),
        ...[selectionText(report) ?? []].flat(),
        ...[...trustTexts(report), ...fitTexts(report)].map(({ text }) => text),
        ...firstAnswerTexts(report),
        ...triedAgainTexts(report),
        ...swapFinding(report),
        ...(against === null ? [] : [against]),
        ...groupLines(report),
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
    { id: 'cost', title: 'What the trials took', pieces: costPieces(report) },
    { id: 'answers', title: 'How answers were read', pieces: answersTable(report) },
    { id: 'notes', title: 'How the numbers were made', pieces: ['', ...explanations(report)] },
  ];
  return all.filter(({ pieces }) => pieces.length > 0);
}
