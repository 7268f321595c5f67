import { percent, points as pointsText } from '../../../core/figures/shares.ts';
import { benjaminiHochberg } from '../../../core/statistics/benjaminiHochberg.ts';
import { mcnemarExact } from '../../../core/statistics/mcnemarExact.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { listedNames, shareAxis, shownName } from '../kit/axes.ts';
import { rowsLayout } from '../kit/layout.ts';
import { bar, dot } from '../kit/marks.ts';
import { figure, number, share, table, text } from '../kit/plot.ts';
import { countText, fewWords, type Point, plainArms, pointColumns, pointOf, pointText } from '../kit/points.ts';
import { interval } from '../kit/shapes.ts';

interface Arm {
  readonly arm: string;
  readonly corrections: Point;
  readonly degradations: Point;
  /** Of those that could change so; null where there are none. */
  readonly ofWrong: Point | null;
  readonly ofRight: Point | null;
  /** Corrections less degradations, a share of the trials that have both answers. */
  readonly net: number;
  /** McNemar's exact test, adjusted over the arms; null where cases were tried several times. */
  readonly adjusted: number | null;
}

/** Trials behind a share; only where each case gives one trial are they whole numbers and independent. */
const countOf = ({ value, n }: Point) => Math.round(value * n);

function armsOf(all: readonly ArmStatistics[]): Arm[] {
  const found = all.flatMap((arm) => {
    const corrections = pointOf(arm, 'corrections', 'initial-and-verdict');
    const degradations = pointOf(arm, 'degradations', 'initial-and-verdict');
    return corrections === null || degradations === null ? [] : [{ arm, corrections, degradations }];
  });
  const adjusted = benjaminiHochberg(
    found.map(({ corrections, degradations }) =>
      corrections.n === corrections.cases ? mcnemarExact(countOf(corrections), countOf(degradations)).p : null,
    ),
  );
  return found.map(({ arm, corrections, degradations }, place) => ({
    arm: arm.arm,
    corrections,
    degradations,
    ofWrong: pointOf(arm, 'corrections_of_wrong', 'initially-wrong'),
    ofRight: pointOf(arm, 'degradations_of_right', 'initially-right'),
    net: corrections.value - degradations.value,
    adjusted: adjusted[place] ?? null,
  }));
}

const rule =
  "An arm corrects more than it spoils, or the reverse, where McNemar's exact test of its corrections against its degradations, adjusted after Benjamini and Hochberg over the arms, " +
  'gives at most 5%. It is said only of arms in which no case was tried several times. Were first answers and verdicts equally good, an arm would be named in at most one of twenty experiments.';
const largestP = 0.05;

function findingOf(arms: readonly Arm[]) {
  const shown = arms.filter(({ adjusted }) => adjusted !== null && adjusted <= largestP);
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

/** Right verdicts after wrong first answers, and the reverse. */
export const correctionsDegradationsFigure = figure({
  id: 'corrections-degradations',
  title: 'First answers that were corrected, and that were spoiled',
  paper: 'Debate-Feedback: table 5',
  group: 'performance',
  plot({ report }) {
    const rows = armsOf(plainArms(report));
    if (rows.length === 0) {
      return {
        absent:
          'No decided trial of known truth has an answer from before the verdict. Protocols with a hearing, a prior belief or rounds record one.',
      };
    }
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
      { head: 40, foot: 46, right: 22 },
    );
    return {
      caption: `${countText(points, report.interval.level, { noun: 'decided trial' })} Shares are of all trials with a first answer and a verdict; the diamond is corrections less degradations, which is by how much the verdicts are right more often than the first answers.${fewWords(points)}`,
      finding: findingOf(rows),
      height: 90 + rows.length * 32,
      legend: ['degradations', 'corrections', 'net'],
      layout,
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
          ...pointColumns('corrections, of those first wrong', share, ({ ofWrong }: Arm) => ofWrong),
          ...pointColumns('degradations, of those first right', share, ({ ofRight }: Arm) => ofRight),
          number('exact test, adjusted p', ({ adjusted }) => adjusted),
        ],
        channels.behind,
      ),
    };
  },
});
