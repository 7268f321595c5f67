import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { shownName } from '../kit/axes.ts';
import { speakingArms } from '../kit/conditions.ts';
import { quantityIs } from '../kit/counts.ts';
import { estimates } from '../kit/dotRows.ts';
import { betterOf, betterRule, comparisonOf, differenceText } from '../kit/pairs.ts';
import { figure, text } from '../kit/plot.ts';
import { accuracyOf, byAccuracy, plainArms, pointOf } from '../kit/points.ts';

interface Pair {
  readonly arm: string;
  readonly single: string;
  readonly difference: string | null;
  readonly better: string | null;
}

const measures = [
  { id: 'accuracy-at-1', name: 'true label first', measure: 'accuracy_at_1', over: 'believed', scale: 'share' },
  { id: 'accuracy-at-3', name: 'true label among the first three', measure: 'accuracy_at_3', over: 'believed', scale: 'share' },
  { id: 'reciprocal-rank', name: 'mean reciprocal rank', measure: 'mean_reciprocal_rank', over: 'believed', scale: 'number' },
  { id: 'macro-f1', name: 'macro-F1', measure: 'macro_f1', over: 'decided', scale: 'share' },
  { id: 'brier', name: 'Brier score, lower is better', measure: 'brier', over: 'believed', scale: 'number' },
] as const;

const brier = (arm: ArmStatistics) => pointOf(arm, 'brier', 'believed');

/** Arms of several models, each with the most accurate arm of one of its models, with or without beliefs. */
function pairsIn(report: StatsReport, all: readonly ArmStatistics[], believing: readonly ArmStatistics[]): Pair[] {
  return believing
    .filter(({ models }) => models.length > 1)
    .flatMap(({ arm, models }): Pair[] => {
      const singles = all.filter((other) => other.models.length === 1 && models.includes(other.models[0] ?? ''));
      const [single] = byAccuracy(singles.filter((other) => accuracyOf(other) !== null));
      if (single === undefined) return [];
      const comparison = comparisonOf(report, arm, single.arm);
      const difference = comparison === null ? null : differenceText(comparison);
      return [{ arm, single: single.arm, difference, better: betterOf(report, arm, single.arm) }];
    });
}

function findingOf(pairs: readonly Pair[], words: ReturnType<typeof rightWords>) {
  const ahead = pairs.filter(({ arm, better }) => better === arm);
  const [only] = ahead;
  if (only === undefined) return null;
  return {
    sentence:
      pairs.length === 1
        ? `${shownName(only.arm)} ${words.is} more often than its stronger single model, ${shownName(only.single)}.`
        : `${ahead.length} of ${pairs.length} arms of several models ${words.are} more often than their stronger single model: ${ahead.map(({ arm }) => shownName(arm)).join(', ')}.`,
    rule: `A pair's stronger single model is the best arm of one of its models alone, by ${words.accuracy}. ${betterRule}`,
  };
}

function pairText(pairs: readonly Pair[], { accuracy }: ReturnType<typeof rightWords>): string {
  if (pairs.length === 0) return ' There is no arm of several models with an arm of one of them alone.';
  const sentences = pairs.slice(0, 3).map(({ arm, single, difference }) => {
    const size = difference === null ? 'the report has no comparison' : `${accuracy} ${difference}`;
    return ` ${shownName(arm)} against its stronger single model ${shownName(single)}: ${size}.`;
  });
  return `${sentences.join('')}${pairs.length > 3 ? ` ${quantityIs(pairs.length - 3, 'further pair')} in the table.` : ''}`;
}

export const rankingMeasuresFigure = figure({
  id: 'ranking-measures',
  title: 'Rank of the true label and quality of the beliefs',
  paper: 'EVINCE: table 7.1',
  requires:
    'decided trials of known truth with a distribution over the labels: protocols that ask for one record it, and so do beliefs from token probabilities or samples',
  plot({ view, report }) {
    const all = speakingArms(view, plainArms(report));
    const arms = all.filter((arm) => brier(arm) !== null);
    const pairs = pairsIn(report, all, arms);
    const order = new Set([...pairs.flatMap(({ arm, single }) => [arm, single]), ...arms.map(({ arm }) => arm)]);
    const rows = [...order].flatMap((name) => arms.filter(({ arm }) => arm === name));
    const channels = measures
      .map((terms) => ({
        ...terms,
        name: retitled(terms.name, report),
        of: (arm: ArmStatistics) => pointOf(arm, terms.measure, terms.over),
        colour: 0,
      }))
      .filter(({ of }) => rows.some((arm) => of(arm) !== null));
    const pairOf = ({ arm }: ArmStatistics) => pairs.find((pair) => pair.arm === arm);
    const plot = estimates({
      rows,
      name: ({ arm }) => arm,
      columns: 2,
      legend: false,
      panels: channels.map((channel) => ({
        id: `${channel.id}-panel`,
        title: channel.name,
        scale: channel.scale,
        channels: [channel],
      })),
      main: brier,
      more: [
        text('stronger single model', (arm: ArmStatistics) => pairOf(arm)?.single ?? null),
        text(retitled('difference of accuracy', report), (arm: ArmStatistics) => pairOf(arm)?.difference ?? null),
        text(retitled('shown to be right more often', report), (arm: ArmStatistics) =>
          pairOf(arm) === undefined ? null : (pairOf(arm)?.better ?? (report.part === undefined ? 'neither' : 'not tested')),
        ),
      ],
      noun: 'decided trial',
      level: report.interval.level,
      says: pairText(pairs, rightWords(report)),
    });
    return plot && { ...plot, finding: findingOf(pairs, rightWords(report)) };
  },
});
