import { percent } from '../../../core/figures/shares.ts';
import { type AmbiguityAccuracy, type AmbiguityStatistics, ambiguityParts } from '../../../shared/statistics.ts';
import { quantity } from '../../ui/quantity.ts';
import { type DotRow, dotRowsPart, zeroLine } from '../deliberation/dotRows.ts';
import { rangeOf } from '../deliberation/ways.ts';
import { cutName, legend, smallN, textStyle, tooltip } from '../kit/axes.ts';
import type { Figure, FigureSources, TrialsBehind } from '../kit/figure.ts';

interface Data {
  readonly statistics: AmbiguityStatistics;
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

function behind(arm: string | undefined, place: number): TrialsBehind | null {
  const part = ambiguityParts[place];
  if (arm === undefined || part === undefined) return null;
  return { arm, status: 'done', ...(part === 'total' ? {} : { ambiguous: part === 'ambiguous' }) };
}

/** Accuracy on ambiguous and on normal cases, and what each arm gains there over the one that answers alone. */
export const ambiguousCasesFigure: Figure<Data> = {
  id: 'ambiguous-cases',
  title: 'Accuracy and relative gain on ambiguous and on normal cases',
  paper: 'Courtroom-LLM: figures 5, 6 and 11',
  group: 'deliberation',
  needs: [],
  data({ report }: FigureSources) {
    const { ambiguity, interval } = report;
    if (ambiguity === undefined || ambiguity.why_null !== null) {
      return {
        absent:
          'No trial tells whether its case is ambiguous. An arm of courtroom with the parameter "ambiguity": 5 holds five fresh hearings of each case and records whether their label varies.',
      };
    }
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
    return { statistics: ambiguity, accuracies, gains, level: interval.level };
  },
  caption({ statistics: { share, reference, unknown, disagreeing, arms }, level }) {
    const low = share.low === null || share.high === null ? '' : ` [${percent(share.low)}, ${percent(share.high)}]`;
    const gain =
      reference === null
        ? 'Without an arm of single or standard there is nothing to gain on.'
        : `Relative gain: (accuracy − that of ${reference}) / that of ${reference}, over the cases that both have; where ${reference} is right on none there is none.`;
    const told = [
      ...(unknown === 0 ? [] : [` Of ${quantity(unknown, 'further case')} it is not known.`]),
      ...(disagreeing === 0
        ? []
        : [` ${disagreeing} are ambiguous to the hearings of one arm and not of another, and count as ambiguous.`]),
    ];
    return `${share.count} of ${share.n} cases are ambiguous: ${share.value === null ? '–' : percent(share.value)}${low}; the label of five fresh hearings varies. ${rangeOf(arms.map(({ n }) => n))} finished trials a mark, a failed one as not correct; lines are ${percent(level)} intervals over cases. ${gain}${told.join('')}${smallN(share.count)}`;
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
  behind({ accuracies, gains }, { seriesId, dataIndex }) {
    const [what, grid, place] = (seriesId ?? '').split(':');
    if (what !== 'dots') return null;
    return behind((grid === '0' ? accuracies : gains)[dataIndex]?.group, Number(place));
  },
  behindRow({ statistics: { arms } }, row) {
    const found = arms[row];
    return found === undefined ? null : behind(found.arm, ambiguityParts.indexOf(found.part));
  },
};
