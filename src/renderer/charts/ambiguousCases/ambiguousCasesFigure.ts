import { percent } from '../../../core/figures/shares.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { type AmbiguityAccuracy, type AmbiguityStatistics, ambiguityParts } from '../../../shared/statistics.ts';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { type DotRow, dotRowsPart, zeroLine } from '../deliberation/dotRows.ts';
import { deliberationIn, idsOf, rowsByArm } from '../deliberation/ways.ts';
import { plainArms } from '../estimates/points.ts';
import { cutName, legend, smallN, textStyle, tooltip } from '../kit/axes.ts';
import { countsWords, quantityIs } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent, type TrialsBehind } from '../kit/figure.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';

type Part = (typeof ambiguityParts)[number];

interface Data {
  readonly statistics: AmbiguityStatistics;
  /** Finished trials by arm and part. */
  readonly trials: ReadonlyMap<string, Readonly<Record<Part, readonly string[]>>>;
  /** One row for each arm, with a mark for each part. */
  readonly accuracies: readonly DotRow[];
  readonly gains: readonly DotRow[];
  readonly level: number;
}

const partNames = { total: 'all cases', normal: 'normal cases', ambiguous: 'ambiguous cases' } as const;
const series = ambiguityParts.map((part) => partNames[part]);
const top = 34;
const heading = 24;
const rowHeight = 46;
const foot = 34;

const heightOf = (rows: readonly DotRow[]) => (rows.length === 0 ? 0 : heading + rows.length * rowHeight + foot);

function rowsOf(arms: readonly AmbiguityAccuracy[], dotOf: (each: AmbiguityAccuracy) => DotRow['dots'][number]): DotRow[] {
  return [...Map.groupBy(arms, ({ arm }) => arm)].map(([arm, parts]) => ({
    name: '',
    group: arm,
    dots: ambiguityParts.flatMap((part) => parts.filter((each) => each.part === part).map(dotOf)),
  }));
}

const none = { value: null, low: null, high: null, n: 0, cases: 0 };

/**
 * Finished trials of each arm by whether their case is ambiguous: what one arm's hearings find of a case holds for the trials of
 * every arm, and a case that is once found ambiguous is so.
 */
function trialsByPart(source: DeliberationFigures, plain: ReadonlySet<string>): Data['trials'] {
  const { rows, arms } = source;
  const known = new Map<number, boolean>();
  for (const [row, found] of rows.ambiguous.entries()) {
    const id = rows.case[row] ?? -1;
    if (found >= 0 && plain.has(arms[rows.arm[row] ?? -1]?.name ?? '')) known.set(id, known.get(id) === true || found === 1);
  }
  const isOf = (row: number, wanted: boolean) => known.get(rows.case[row] ?? -1) === wanted;
  return new Map(
    [...rowsByArm(source)].map(([arm, mine]) => {
      const [normal, ambiguous] = [false, true].map((wanted) => mine.filter((row) => isOf(row, wanted)));
      const of = (some: readonly number[] = []) => idsOf(source, some);
      const total = mine.filter((row) => known.has(rows.case[row] ?? -1));
      return [arms[arm]?.name ?? '', { total: of(total), normal: of(normal), ambiguous: of(ambiguous) }];
    }),
  );
}

/** Accuracies are of the trials with a known truth, gains of the cases that the reference has too. */
function behind(
  { trials, statistics: { arms, reference } }: Data,
  arm: string | undefined,
  part: Part | undefined,
  what: 'accuracy' | 'gain' = 'accuracy',
): TrialsBehind | null {
  const found = arm === undefined || part === undefined ? undefined : trials.get(arm)?.[part];
  const measured = arms.find((each) => each.arm === arm && each.part === part);
  if (arm === undefined || found === undefined || found.length === 0 || measured === undefined) return null;
  if (what === 'accuracy') return { ...namedTrials(found, { n: measured.n, of: 'trials' }), subset: { known: ['truth'] } };
  const others = reference === null || part === undefined ? undefined : trials.get(reference)?.[part];
  if (reference === null || others === undefined || measured.gain === null) return null;
  return {
    ...namedTrials([...found, ...others], { n: measured.gain.paired_cases, of: 'cases' }),
    subset: { known: ['truth'] },
    matched: { arms: [arm, reference], by: 'case' },
  };
}

/** Accuracy on ambiguous and on normal cases, and what each arm gains there over the one that answers alone. */
export const ambiguousCasesFigure: Figure<Data> = {
  id: 'ambiguous-cases',
  title: 'Accuracy and relative gain on ambiguous and on normal cases',
  paper: 'Courtroom-LLM: figures 5, 6 and 11',
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const { report } = sources;
    const { ambiguity, interval } = report;
    if (ambiguity === undefined || ambiguity.why_null !== null) {
      return {
        absent:
          'No trial tells whether its case is ambiguous. An arm of courtroom with the parameter "ambiguity": 5 holds five fresh hearings of each case and records whether their label varies.',
      };
    }
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const trials = trialsByPart(source, new Set(plainArms(report).map(({ arm }) => arm)));
    const accuracies = rowsOf(ambiguity.arms, ({ n, cases, accuracy: { value, low, high } }) => ({ value, low, high, n, cases }));
    if (accuracies.every(({ dots }) => dots.every(({ value }) => value === null))) {
      return {
        absent:
          'No case of which it is known whether it is ambiguous has a known truth. A data set with a label column has accuracies.',
      };
    }
    const gains = rowsOf(
      ambiguity.arms.filter(({ gain }) => gain !== null),
      ({ gain }) =>
        gain === null
          ? none
          : { value: gain.value, low: gain.low, high: gain.high, n: gain.paired_cases, cases: gain.paired_cases },
    );
    return { statistics: ambiguity, trials, accuracies, gains, level: interval.level };
  },
  caption({ statistics: { share, reference, unknown, disagreeing, arms }, trials, level }) {
    const low = share.low === null || share.high === null ? '' : ` [${percent(share.low)}, ${percent(share.high)}]`;
    const most = Math.max(0, ...[...trials.values()].map(({ total }) => total.length));
    const gain =
      reference === null
        ? 'Without an arm of single or standard there is nothing to gain on.'
        : `Relative gain: (accuracy − that of ${reference}) / that of ${reference}, over the cases that both have; where ${reference} is right on none there is none.`;
    const told = [
      ...(unknown === 0
        ? []
        : [` Whether ${quantity(unknown, 'further case')} ${unknown === 1 ? 'is' : 'are'} ambiguous is not known.`]),
      ...(disagreeing === 0
        ? []
        : [
            ` ${quantityIs(disagreeing, 'case')} ambiguous by the hearings of one arm and not by those of another, and ${disagreeing === 1 ? 'counts' : 'count'} as ambiguous.`,
          ]),
    ];
    return `${quantityOf(share.count, share.n, 'case')} ${share.count === 1 ? 'is' : 'are'} ambiguous: ${share.value === null ? '–' : percent(share.value)}${low}; the label of five fresh hearings varies. ${countsWords(
      arms.map(({ n }) => n),
      { noun: 'finished trial', each: 'behind each mark' },
    )}, a failed one as not correct; lines are ${percent(level)} intervals over cases. ${gain}${told.join('')}${manyNamed(most)}${smallN(Math.min(share.count, share.n - share.count))}`;
  },
  height: ({ accuracies, gains }) => top + heightOf(accuracies) + heightOf(gains),
  option({ accuracies, gains, statistics: { reference } }, paint, size) {
    const first = top + heading;
    const second = top + heightOf(accuracies) + heading;
    const parts = [
      dotRowsPart({ rows: accuracies, series, share: true }, paint, size, {
        top: first,
        height: accuracies.length * rowHeight,
        index: 0,
      }),
      ...(gains.length === 0
        ? []
        : [
            dotRowsPart({ rows: gains, series, share: false }, paint, size, {
              top: second,
              height: gains.length * rowHeight,
              index: 1,
            }),
          ]),
    ];
    const title = (text: string, at: number) => ({
      text,
      left: 0,
      top: at - heading,
      textStyle: { ...textStyle(paint), color: paint.colour('ink'), fontWeight: 600 },
    });
    return {
      animation: false,
      legend: { ...legend(paint), data: series },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      title: [
        title('Accuracy', first),
        ...(gains.length === 0 ? [] : [title(`Relative gain over ${cutName(reference ?? '', 40)}`, second)]),
      ],
      grid: parts.map(({ grid }) => grid),
      xAxis: parts.map(({ xAxis }) => xAxis),
      yAxis: parts.map(({ yAxis }) => yAxis),
      series: [...parts.flatMap((part) => part.series), ...(gains.length === 0 ? [] : [zeroLine(paint, 1)])],
    };
  },
  table: ({ statistics: { arms } }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'cases that are', as: 'text' },
      { name: 'n', as: 'count' },
      { name: 'cases', as: 'count' },
      { name: 'accuracy of all', as: 'share' },
      { name: 'accuracy, low', as: 'share' },
      { name: 'accuracy, high', as: 'share' },
      { name: 'relative gain', as: 'number' },
      { name: 'gain, low', as: 'number' },
      { name: 'gain, high', as: 'number' },
      { name: 'cases of both', as: 'count' },
    ],
    rows: arms.map(({ arm, part, n, cases, accuracy, gain }) => [
      arm,
      partNames[part],
      n,
      cases,
      accuracy.value,
      accuracy.low,
      accuracy.high,
      gain?.value ?? null,
      gain?.low ?? null,
      gain?.high ?? null,
      gain?.paired_cases ?? null,
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const [what, grid, place] = (seriesId ?? '').split(':');
    if (what !== 'dots') return null;
    const [rows, drawn] = grid === '0' ? ([data.accuracies, 'accuracy'] as const) : ([data.gains, 'gain'] as const);
    return behind(data, rows[dataIndex]?.group, ambiguityParts[Number(place)], drawn);
  },
  behindRow(data, row) {
    const found = data.statistics.arms[row];
    return behind(data, found?.arm, found?.part);
  },
};
