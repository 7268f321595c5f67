import { percent } from '../../../core/figures/shares.ts';
import { fisherInterval } from '../../../core/statistics/fisherInterval.ts';
import { pearsonCorrelation } from '../../../core/statistics/pearsonCorrelation.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { shownName } from '../kit/axes.ts';
import { conditionsOf, modelsOf, speakingArms } from '../kit/conditions.ts';
import { dotRows } from '../kit/dotRows.ts';
import type { FigureSources } from '../kit/figure.ts';
import { betterOf, betterRule } from '../kit/pairs.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import {
  accuracyOf,
  countText,
  fewWords,
  ledF1,
  ledF1Name,
  type Point,
  plainArms,
  pointColumns,
  twoDigits,
} from '../kit/points.ts';

interface Group {
  readonly words: string;
  readonly arms: readonly ArmStatistics[];
}

type F1 = (arm: ArmStatistics) => Point | null;

/** Correlation of accuracy with F1 over the arms of a condition. */
type Correlation = Readonly<ReturnType<typeof correlationOf>>;

function correlationOf({ arms }: Group, f1: F1, level: number) {
  const both = arms.flatMap((arm): [number, number][] => {
    const [x, y] = [accuracyOf(arm)?.value, f1(arm)?.value];
    return x === undefined || y === undefined ? [] : [[x, y]];
  });
  const [xs, ys] = [both.map(([x]) => x), both.map(([, y]) => y)];
  // Two points always lie on a line.
  const value = both.length < 3 ? null : pearsonCorrelation(xs, ys);
  const interval = value === null ? null : fisherInterval(value, both.length, level);
  return { value, low: interval?.low ?? null, high: interval?.high ?? null, arms: both.length };
}

function groupsOf({ view, report }: FigureSources): Group[] {
  const arms = speakingArms(view, plainArms(report));
  const words = new Map(conditionsOf(view, arms).map((condition, place) => [arms[place], condition]));
  const counted = arms.filter((arm) => accuracyOf(arm) !== null && modelsOf(arm) !== '');
  return [...Map.groupBy(counted, (arm) => words.get(arm) ?? '')].map(([name, mine]) => ({ words: name, arms: mine }));
}

const shared = (one: Group, other: Group) => {
  const known = new Set(other.arms.map(modelsOf));
  return [...new Set(one.arms.map(modelsOf))].filter((models) => known.has(models));
};

/** The two conditions with the most models in common, the earlier ones of equals; null where none have two. */
function widest(groups: readonly Group[]): readonly [Group, Group] | null {
  const pairs = groups.flatMap((one, place) => groups.slice(place + 1).map((other) => [one, other] as const));
  const [best] = pairs.toSorted((a, b) => shared(...b).length - shared(...a).length);
  return best === undefined || shared(...best).length < 2 ? null : best;
}

const armOf = ({ arms }: Group, models: string) => arms.find((arm) => modelsOf(arm) === models);

function findingOf(report: StatsReport, models: readonly string[], sides: readonly [Group, Group]) {
  const names = models.map((each) => sides.map((side) => armOf(side, each)?.arm ?? ''));
  const better = names.map(([a = '', b = '']) => [a, b].indexOf(betterOf(report, a, b) ?? '-'));
  const [first, second] = [0, 1].map((side) => better.filter((each) => each === side).length) as [number, number];
  if (first + second === 0) return null;
  const [more, less] = first >= second ? sides : sides.toReversed();
  const reverse = Math.min(first, second);
  const sentence = `${Math.max(first, second)} of ${models.length} models ${rightWords(report).are} more often under ${shownName(more?.words ?? '')} than under ${shownName(less?.words ?? '')}, ${reverse === 0 ? 'none' : reverse} less often.`;
  return { sentence, rule: betterRule };
}

function correlationText(words: string, { value, low, high, arms }: Correlation): string {
  if (value === null) return `${shownName(words)}: none over ${quantity(arms, 'arm')}`;
  const interval = low === null || high === null ? 'no interval' : `${twoDigits(low)} to ${twoDigits(high)}`;
  return `${shownName(words)}: ${twoDigits(value)} (${interval}) over ${quantity(arms, 'arm')}`;
}

export const pairedEnsembleFigure = figure({
  id: 'paired-ensemble',
  title: 'Each model under two protocols',
  paper: 'AgenticSimLLM: figures 8, 9',
  requires:
    'two models that were tried under the same two protocols, as in an experiment with two arms for each of several models',
  plot(sources) {
    const { report } = sources;
    const groups = groupsOf(sources);
    const pair = widest(groups);
    if (pair === null) return null;
    const { level } = report.interval;
    const f1: F1 = (arm) => ledF1(arm, report.positive);
    const kinds = [
      { id: 'accuracy', title: `${rightWords(report).accuracy} of all finished`, of: accuracyOf as F1 },
      { id: 'f1', title: ledF1Name(report.positive), of: f1 },
    ];
    const f1Of = (name: string) => f1(armOf(pair[0], name) ?? (pair[0].arms[0] as ArmStatistics))?.value ?? -1;
    const models = shared(...pair).toSorted((one, other) => f1Of(other) - f1Of(one));
    const sides = pair.map((side) => ({ ...side, correlation: correlationOf(side, f1, level) }));
    const rows = models.flatMap((model) =>
      sides.flatMap((side) => {
        const arm = armOf(side, model);
        return arm === undefined ? [] : [{ model, arm, words: side.words, correlation: side.correlation }];
      }),
    );
    type Row = (typeof rows)[number];
    const points = sides
      .flatMap((side) => models.map((model) => armOf(side, model) ?? null))
      .map((arm) => arm && accuracyOf(arm));
    const leftOut = groups.filter((group) => !pair.includes(group)).map(({ words }) => shownName(words));
    const correlations = sides.map(({ words, correlation }) => correlationText(words, correlation)).join('; ');
    const correlation = retitled('correlation of accuracy with F1 under the protocol', report);
    return {
      caption: `${quantity(models.length, 'model')}, ${countText(points, level, { noun: 'finished trial' })} Correlation of ${rightWords(report).accuracy} with F1, ${percent(level)} interval by Fisher's transformation: ${correlations}. Arms over the same cases are not independent.${leftOut.length === 0 ? '' : ` Not drawn: ${leftOut.join('; ')}.`}${fewWords(points)}`,
      finding: findingOf(report, models, pair),
      ...dotRows({
        rows: models,
        name: (model) => model,
        columns: 2,
        panels: kinds.map(({ id, title, of }) => ({
          id,
          title,
          scale: 'share',
          joined: true,
          channels: sides.map((side, place) => ({
            id: `${id}-${place}`,
            name: shownName(side.words),
            of: (model: string) => {
              const arm = armOf(side, model);
              return arm === undefined ? null : of(arm);
            },
          })),
        })),
      }),
      table: table(
        rows,
        [
          text('model', ({ model }: Row) => model),
          text('protocol', ({ words }) => words),
          text('arm', ({ arm }) => arm.arm),
          ...kinds.flatMap(({ title, of }) => pointColumns(title, share, ({ arm }: Row) => of(arm))),
          number(correlation, (row) => row.correlation.value),
          number('correlation, low', (row) => row.correlation.low),
          number('correlation, high', (row) => row.correlation.high),
          count('correlation, arms', (row) => row.correlation.arms),
        ],
        ({ arm }) => accuracyOf(arm)?.behind ?? null,
      ),
    };
  },
});
