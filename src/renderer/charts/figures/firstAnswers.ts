import { percent, points as pointsText } from '../../../core/figures/shares.ts';
import { firstAnswerChanges } from '../../../core/telling/findingTexts.ts';
import { changeKinds } from '../../../shared/api/deliberation.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { cutNames, lettersIn, listedNames, shareAxis, shownName, smallN, textStyle } from '../kit/axes.ts';
import { idsOf, rowsByArm } from '../kit/beliefLines.ts';
import { countsAsText } from '../kit/counts.ts';
import { estimates } from '../kit/dotRows.ts';
import { rowsLayout } from '../kit/layout.ts';
import { bar, dot } from '../kit/marks.ts';
import { chance, count, figure, share, table, text } from '../kit/plot.ts';
import {
  countText,
  endColumns,
  fewWords,
  manyNamed,
  namedTrials,
  type Point,
  plainArms,
  pointColumns,
  pointOf,
  pointText,
  shareText,
} from '../kit/points.ts';
import { interval, ribbon } from '../kit/shapes.ts';

type Change = (typeof changeKinds)[number];

const bands = [
  {
    kind: 'stayedRight',
    name: 'right, stays right',
    ofDecision: 'agrees, still agrees',
    before: 'good',
    colour: 'good',
    opacity: 0.3,
  },
  {
    kind: 'corrected',
    name: 'wrong, then right',
    ofDecision: 'differs, then agrees',
    before: 'bad',
    colour: 'good',
    opacity: 0.85,
  },
  {
    kind: 'degraded',
    name: 'right, then wrong',
    ofDecision: 'agrees, then differs',
    before: 'good',
    colour: 'bad',
    opacity: 0.85,
  },
  {
    kind: 'stayedWrong',
    name: 'wrong, stays wrong',
    ofDecision: 'differs, still differs',
    before: 'bad',
    colour: 'bad',
    opacity: 0.3,
  },
] as const;

/** On both edges the right ones are at the left, and among them those that stay come first. */
const above = ['stayedRight', 'degraded', 'corrected', 'stayedWrong'] as const;
const below = ['stayedRight', 'corrected', 'degraded', 'stayedWrong'] as const;
const none = { value: null, low: null, high: null };

interface Row {
  readonly arm: string;
  readonly n: number;
  readonly cases: number;
  readonly trials: Readonly<Record<Change, readonly string[]>>;
  readonly corrections: Measure | undefined;
  readonly degradations: Measure | undefined;
}

const shareOf = ({ n, trials }: Row, kinds: readonly Change[]) => kinds.reduce((sum, kind) => sum + trials[kind].length / n, 0);

export const hearingToVerdictFigure = figure({
  id: 'hearing-to-verdict',
  title: 'First answer against verdict',
  paper: 'Courtroom-LLM: figure 3; Debate-Feedback: table 5',
  requires:
    'decided trials of known truth with an answer from before the verdict: arms of courtroom begin with a preliminary hearing, those of debate-feedback with a first opinion; an arm of agentic-sim with “Ask the judge before anyone speaks” has one too',
  needs: ['deliberation'],
  plot({ report, deliberation: source }) {
    const ofTruth = report.decided_by === undefined;
    const changes = bands.map((band) => ({ ...band, name: ofTruth ? band.name : band.ofDecision }));
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm): Row[] => {
      const mine = (byArm.get(arm) ?? []).filter((row) => (source.rows.change[row] ?? -1) >= 0);
      if (mine.length === 0) return [];
      const measures = report.arms.find((each) => each.arm === name)?.measures ?? [];
      const find = (wanted: string) => measures.find((measure) => measure.name === wanted);
      const of = (kind: Change) =>
        idsOf(
          source,
          mine.filter((row) => source.rows.change[row] === changeKinds.indexOf(kind)),
        );
      const trials = Object.fromEntries(changes.map(({ kind }) => [kind, of(kind)])) as unknown as Row['trials'];
      const cases = new Set(mine.map((row) => source.rows.case[row])).size;
      return [{ arm: name, n: mine.length, cases, trials, corrections: find('corrections'), degradations: find('degradations') }];
    });
    if (rows.length === 0) return null;
    const shares = rows.map(({ arm, corrections, degradations }) => {
      const words = `corrected ${shareText(corrections ?? none)}, degraded ${shareText(degradations ?? none)}`;
      return rows.length === 1 ? words : `${arm}: ${words}`;
    });
    const isCourtroom = (arm: string) => source.arms.some(({ name, protocol }) => protocol === 'courtroom' && name === arm);
    const hearing = rows.some(({ arm }) => isCourtroom(arm))
      ? ' Of courtroom the first answer is the preliminary hearing’s.'
      : '';
    const weighed = rows.some(({ n, cases }) => n !== cases)
      ? ' Bands count trials; in the shares with intervals each case weighs the same.'
      : '';
    const largest = Math.max(...rows.flatMap(({ trials }) => Object.values(trials).map(({ length }) => length)));
    const counts = countsAsText(rows, ({ n }) => n, {
      noun: 'decided trial',
      about: retitled('with a known truth and a first answer', report),
    });
    const top = 34;
    return {
      caption: `${counts}. Above: first answers, below: verdicts, ${ofTruth ? 'right' : 'agreeing'} ones to the left. Shares of all of them, with ${percent(report.interval.level)} intervals: ${shares.join('; ')}.${weighed}${hearing}${manyNamed(largest)}${smallN(Math.min(...rows.map(({ cases }) => cases)))}`,
      height: top + rows.length * 84 + 34,
      legend: changes.map(({ name }) => ({ name, icon: 'rect' })),
      layout(paint, { width, height }) {
        const room = Math.round(Math.min(200, Math.max(84, width * 0.22)));
        const arms = rows.map(({ arm }) => arm);
        const names = cutNames(arms, lettersIn(room, arms));
        return {
          grid: { left: room + 12, right: 18, top, height: height - top - 30 },
          xAxis: shareAxis(paint),
          yAxis: {
            type: 'category',
            inverse: true,
            data: rows.map(({ n }, place) => `${names[place]}\nn = ${n}`),
            axisLabel: { ...textStyle(paint), color: paint.colour('ink'), interval: 0, lineHeight: 16 },
            axisLine: { show: false },
            axisTick: { show: false },
          },
        };
      },
      marks: changes.map(({ kind, name, before, colour, opacity }) =>
        ribbon({
          id: kind,
          name,
          rows,
          from: (row) => shareOf(row, above.slice(0, above.indexOf(kind))),
          to: (row) => shareOf(row, below.slice(0, below.indexOf(kind))),
          wide: (row) => shareOf(row, [kind]),
          count: ({ trials }) => trials[kind].length,
          before,
          colour,
          opacity,
          tip: ({ arm, n, trials }) =>
            `${shownName(arm)}\n${name}: ${trials[kind].length} of ${n}, ${percent(trials[kind].length / n)}`,
          behind: ({ trials }) => namedTrials(trials[kind]),
        }),
      ),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Row) => arm),
          count('trials', ({ n }) => n),
          ...changes.map(({ kind, name }) => count(name, ({ trials }: Row) => trials[kind].length)),
          ...endColumns(['corrected of all', 'corrected, low', 'corrected, high'], share, ({ corrections }: Row) => corrections),
          ...endColumns(['degraded of all', 'degraded, low', 'degraded, high'], share, ({ degradations }: Row) => degradations),
        ],
        ({ trials }) => namedTrials(changeKinds.flatMap((kind) => trials[kind])),
      ),
    };
  },
});

const first = (arm: ArmStatistics) => pointOf(arm, 'initial_accuracy', 'initial-and-verdict');
const verdict = (arm: ArmStatistics) => pointOf(arm, 'verdict_accuracy', 'initial-and-verdict');
const channels = [
  { id: 'initial', name: 'first answer', of: first },
  { id: 'verdict', name: 'verdict', of: verdict },
];

const firstAnswersRecorded =
  'decided trials of known truth with an answer from before the verdict: protocols with a hearing or rounds record one, and agentic-sim with “Ask the judge before anyone speaks”';

export const hearingAgainstVerdictFigure = figure({
  id: 'hearing-against-verdict',
  title: 'Accuracy of the first answer and of the verdict',
  paper: 'Courtroom-LLM: figure 3',
  requires: firstAnswersRecorded,
  plot({ report }) {
    const arms = plainArms(report).filter((arm) => first(arm) !== null);
    return estimates({
      rows: arms,
      name: ({ arm }) => arm,
      panels: [
        { id: 'accuracies', title: retitled('right, of trials that have both', report), scale: 'share', joined: true, channels },
      ],
      noun: 'decided trial',
      level: report.interval.level,
      says: ' Both marks of an arm are over the same trials, so their intervals cannot show whether they differ; the corrections and degradations can.',
    });
  },
});

interface Arm {
  readonly arm: string;
  readonly corrections: Point;
  readonly degradations: Point;
  /** Of those that could change so; null where there are none. */
  readonly ofWrong: Point | null;
  readonly ofRight: Point | null;
  /** Corrections less degradations, a share of the trials that have both answers. */
  readonly net: number;
  /** Of the exact test over cases, adjusted over the arms; null where there is none. */
  readonly adjusted: number | null;
  readonly isShown: boolean;
}

function armsOf(report: StatsReport): Arm[] {
  const tests = new Map(firstAnswerChanges(report).map(({ arm, p, isShown }) => [arm, { adjusted: p, isShown }]));
  return plainArms(report).flatMap((arm) => {
    const corrections = pointOf(arm, 'corrections', 'initial-and-verdict');
    const degradations = pointOf(arm, 'degradations', 'initial-and-verdict');
    if (corrections === null || degradations === null) return [];
    return [
      {
        ...{ arm: arm.arm, corrections, degradations },
        ofWrong: pointOf(arm, 'corrections_of_wrong', 'initially-wrong'),
        ofRight: pointOf(arm, 'degradations_of_right', 'initially-right'),
        net: corrections.value - degradations.value,
        ...(tests.get(arm.arm) ?? { adjusted: null, isShown: false }),
      },
    ];
  });
}

const rule =
  'An arm corrects more than it spoils, or the reverse, if the exact test of its corrections against its degradations over cases, adjusted after Benjamini and Hochberg over the arms, ' +
  'gives at most 5%, and the interval of their difference, where it has one, excludes 0. If first answers and verdicts were equally good, at most one of twenty experiments would name an arm.';

function findingOf(arms: readonly Arm[]) {
  const shown = arms.filter(({ isShown }) => isShown);
  const said = (words: string, fits: (arm: Arm) => boolean) => {
    const names = shown.filter(fits).map(({ arm }) => arm);
    return names.length === 0 ? [] : [`${words}: ${listedNames(names)}.`];
  };
  const parts = [
    ...said('More first answers are corrected than spoiled', ({ net }) => net > 0),
    ...said('More first answers are spoiled than corrected', ({ net }) => net < 0),
  ];
  return parts.length === 0 ? null : { sentence: parts.join(' '), rule };
}

const sides = [
  { id: 'degradations', colour: 'bad', pattern: 1, sign: -1 },
  { id: 'corrections', colour: 'good', pattern: 0, sign: 1 },
] as const;

export const correctionsDegradationsFigure = figure({
  id: 'corrections-degradations',
  title: 'First answers that were corrected or spoiled',
  paper: 'Debate-Feedback: table 5',
  requires: firstAnswersRecorded,
  plot({ report }) {
    const rows = armsOf(report);
    if (rows.length === 0) return null;
    // Both sides reach as far as the longest interval, in steps of 10 points.
    const ends = rows.flatMap((arm) => sides.map(({ id }) => arm[id].high ?? arm[id].value));
    const reach = Math.min(1, Math.ceil(Math.max(...ends, 0.1) * 10) / 10);
    const points = rows.map(({ corrections }) => corrections);
    const channels = {
      rows,
      behind: ({ corrections }: Arm) => corrections.behind,
      tip: ({ arm, corrections, degradations, net }: Arm) =>
        `${shownName(arm)}\ncorrected: ${pointText(corrections)}\nspoiled: ${pointText(degradations)}\nnet: ${pointsText(net)} points`,
    };
    const layout = rowsLayout(
      rows.map(({ arm }) => arm),
      (paint) => {
        const axis = shareAxis(paint, { min: -reach, max: reach, name: 'spoiled            corrected', nameGap: 26 });
        return { ...axis, axisLabel: { ...axis.axisLabel, formatter: (value: number) => percent(Math.abs(value)) } };
      },
      { head: 40, high: 32, foot: 46, right: 22 },
    );
    return {
      caption: `${countText(points, report.interval.level, { noun: 'decided trial' })} Shares are of all trials with a first answer and a verdict; the diamond is corrections minus degradations: how much more often the verdicts ${rightWords(report).are} than the first answers.${fewWords(points)}`,
      finding: findingOf(rows),
      legend: ['degradations', 'corrections', 'net'],
      ...layout,
      height: layout.height + 4,
      marks: [
        ...sides.flatMap(({ id, colour, pattern, sign }) => {
          const end = (arm: Arm, of: 'low' | 'high') => (arm[id][of] === null ? null : sign * (arm[id][of] ?? 0));
          return [
            bar({
              ...channels,
              id,
              name: id,
              stack: 'changes',
              width: 14,
              colour,
              pattern,
              value: (arm) => sign * arm[id].value,
            }),
            interval({
              ...channels,
              id,
              along: 'x',
              at: (_arm, at) => at,
              low: (arm) => end(arm, sign === 1 ? 'low' : 'high'),
              high: (arm) => end(arm, sign === 1 ? 'high' : 'low'),
              colour: 'ink',
              width: 1,
              z: 3,
            }),
          ];
        }),
        dot({
          ...channels,
          id: 'net',
          name: 'net',
          x: ({ net }) => net,
          y: (_arm, at) => at,
          colour: 'ink',
          symbol: 'diamond',
          size: 11,
          z: 4,
          style: (paint) => ({ borderColor: paint.colour('panel'), borderWidth: 1 }),
        }),
      ],
      table: table(
        rows,
        [
          text('arm', ({ arm }: Arm) => arm),
          ...pointColumns('corrections, of all', share, ({ corrections }: Arm) => corrections),
          ...pointColumns('degradations, of all', share, ({ degradations }: Arm) => degradations),
          share('net', ({ net }) => net),
          ...pointColumns(retitled('corrections, of those first wrong', report), share, ({ ofWrong }: Arm) => ofWrong),
          ...pointColumns(retitled('degradations, of those first right', report), share, ({ ofRight }: Arm) => ofRight),
          chance('exact test, adjusted p', ({ adjusted }) => adjusted),
        ],
        channels.behind,
      ),
    };
  },
});
