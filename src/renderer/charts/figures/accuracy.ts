import { percent } from '../../../core/figures/shares.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { shownName } from '../kit/axes.ts';
import { type DotChannel, estimates } from '../kit/dotRows.ts';
import type { Figure } from '../kit/figure.ts';
import { figure } from '../kit/plot.ts';
import { accuracyOf, byAccuracy, ledF1, ledF1Name, plainArms, pointOf } from '../kit/points.ts';

type Row = Pick<ArmStatistics, 'measures'> & { readonly title: string; readonly arm?: string };
type Channel = DotChannel<Row>;

const accuracy = (report: StatsReport): Channel => ({
  id: 'accuracy',
  name: `${rightWords(report).accuracy} of all finished`,
  of: accuracyOf,
});
const rowOf = ({ arm, measures }: ArmStatistics): Row => ({ title: arm, arm, measures });
const known = (report: StatsReport) => byAccuracy(plainArms(report).filter((arm) => accuracyOf(arm) !== null));

const linesOf = ({ baselines }: StatsReport) =>
  byAccuracy(baselines.map(({ arm, measures }) => ({ name: arm, measures }))).flatMap(({ name, measures }) => {
    const value = accuracyOf({ measures })?.value;
    return value === undefined ? [] : [{ name, value }];
  });

/** F1 of the decided: of both labels where one of two is positive, and the mean over the labels. */
function f1Channels({ labels, positive }: StatsReport): Channel[] {
  const signed = positive === null || labels.length !== 2 ? [] : [positive, ...labels.filter((label) => label !== positive)];
  return [
    ...signed.map((label, place) => ({
      id: place === 0 ? 'f1-positive' : 'f1-negative',
      name: `F1 of ${shownName(label)}`,
      of: (row: Row) => pointOf(row, 'f1', 'decided', label),
    })),
    { id: 'macro-f1', name: 'macro-F1', of: (row) => pointOf(row, 'macro_f1', 'decided') },
  ];
}

interface Terms {
  readonly arms: readonly Row[];
  readonly baselines?: readonly Row[];
  readonly f1: readonly Channel[];
  readonly lines: ReturnType<typeof linesOf>;
  /** What the caption says of the F1 and of the lines. */
  readonly says: string;
}

const accuracyFigure = (about: Pick<Figure, 'id' | 'title' | 'paper'>, termsOf: (report: StatsReport) => Terms) =>
  figure({
    ...about,
    requires: 'finished trials of cases whose truth is known, as of a data set with a label column',
    plot({ report }) {
      const { arms, baselines = [], f1, lines, says } = termsOf(report);
      if (arms.length === 0) return null;
      return estimates({
        rows: [...arms, ...baselines],
        name: ({ title }) => title,
        panels: [{ id: 'estimates', scale: 'share', channels: [accuracy(report), ...f1], lines }],
        counted: arms.map(accuracyOf),
        noun: 'finished trial',
        level: report.interval.level,
        says: ` A failed trial counts as ${rightWords(report).not}${says}`,
      });
    },
  });

export const accuracyByArmFigure = accuracyFigure({ id: 'accuracy-by-arm', title: 'Accuracy and F1 of each arm' }, (report) => {
  const name = shownName(ledF1Name(report.positive));
  const lines = linesOf(report);
  const listed = lines.map((line) => `${line.name} ${percent(line.value)}`).join(', ');
  return {
    arms: known(report).map(rowOf),
    f1: [{ id: 'f1', name, of: (row) => ledF1(row, report.positive) }],
    lines,
    says: `; ${name} is of decided trials.${lines.length === 0 ? '' : ` Dotted: ${rightWords(report).accuracy} of the baselines (${listed}).`}`,
  };
});

/** Arms of a model together and the best model first, then the baselines. */
export const accuracyF1BarsFigure = accuracyFigure(
  {
    id: 'accuracy-f1-bars',
    title: 'Accuracy and F1 by model and protocol',
    paper: 'AgenticSimLLM: figures 2-5; Debate-Feedback: tables 2, 3',
  },
  (report) => {
    const [best] = linesOf(report);
    return {
      arms: [...Map.groupBy(known(report), ({ models }) => JSON.stringify(models.toSorted())).values()].flat().map(rowOf),
      baselines: report.baselines.map(({ arm, measures }) => ({ title: `baseline: ${arm}`, measures })),
      f1: f1Channels(report),
      lines: best === undefined ? [] : [{ value: best.value, name: `${rightWords(report).accuracy} of ${best.name}` }],
      says: ` in the ${rightWords(report).accuracy}; F1 is of decided trials alone.${best === undefined ? '' : ` Dotted: ${rightWords(report).accuracy} of the best baseline, ${shownName(best.name)}.`}`,
    };
  },
);
