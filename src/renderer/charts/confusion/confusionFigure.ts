import type { ArmStatistics } from '../../../shared/outputs.ts';
import { mostPanels, type PanelGrid, panelsHeight, panelWords } from '../estimates/panelGrid.ts';
import { plainArms } from '../estimates/points.ts';
import { shownName, smallN } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';
import type { Cell, ConfusionArm, ConfusionData, WrongPair } from './confusionData.ts';
import { matrices } from './matrices.ts';
import { wrongPairs, wrongPairsHeight } from './wrongPairs.ts';

/** Labels up to which a matrix can be read. */
const mostLabels = 12;
/** Pairs of labels that are drawn where there are more labels. */
const mostPairs = 20;

/** Every cell of the matrix, truth by truth; its share is of the trials of its truth. */
function cellsOf({ confusion }: ArmStatistics, labels: readonly string[]): Cell[] {
  const rows = new Map(labels.map((label) => [label, 0]));
  for (const { truth, n } of confusion) rows.set(truth, (rows.get(truth) ?? 0) + n);
  const found = new Map(confusion.map(({ truth, prediction, n }) => [JSON.stringify([truth, prediction]), n]));
  const cell = (truth: string, prediction: string): Cell => {
    const n = found.get(JSON.stringify([truth, prediction])) ?? 0;
    const of = rows.get(truth) ?? 0;
    return { truth, prediction, n, share: of === 0 ? null : n / of };
  };
  if (labels.length > mostLabels) return confusion.map(({ truth, prediction }) => cell(truth, prediction));
  return labels.flatMap((truth) => labels.map((prediction) => cell(truth, prediction)));
}

function pairsOf(arms: readonly ConfusionArm[]): WrongPair[] {
  const wrong = arms.flatMap(({ cells }, arm) =>
    cells.filter(({ truth, prediction }) => truth !== prediction).map((cell) => ({ ...cell, arm })),
  );
  return [...Map.groupBy(wrong, ({ truth, prediction }) => JSON.stringify([truth, prediction])).values()]
    .map((cells) => ({
      truth: cells[0]?.truth ?? '',
      prediction: cells[0]?.prediction ?? '',
      counts: arms.map((_arm, place) => cells.find(({ arm }) => arm === place)?.n ?? 0),
      all: cells.reduce((sum, { n }) => sum + n, 0),
    }))
    .toSorted((one, other) => other.all - one.all)
    .slice(0, mostPairs)
    .map(({ all: _all, ...pair }) => pair);
}

/** Pixels for the labels of the rows: as much as the longest needs, so that a narrow window keeps its cells. */
const roomOf = (labels: readonly string[]) =>
  Math.min(96, 22 + 8 * Math.max(3, ...labels.map((label) => shownName(label).length)));

const panels = ({ arms, labels }: ConfusionData): PanelGrid => ({
  names: arms.slice(0, mostPanels).map(({ arm }) => arm),
  notes: arms.map(({ n }) => ` (${n})`),
  around: { left: roomOf(labels), right: 12, top: 26, bottom: 58 },
  columns: labels.length > 6 ? 1 : 2,
  head: 8,
  high: 96 + Math.max(2, labels.length) * (labels.length > 6 ? 26 : 36),
});

/** Decided trials by true and predicted label. */
export const confusionFigure: Figure<ConfusionData> = {
  id: 'confusion',
  title: 'True labels against verdicts',
  paper: 'AgenticSimLLM: confusion counts, table 3',
  group: 'performance',
  needs: [],
  data({ report }) {
    const { labels } = report;
    const found = plainArms(report).filter(({ confusion }) => confusion.length > 0);
    if (found.length === 0) {
      return {
        absent:
          'No decided trial of known truth has one true label and one verdict to count. Cases of several labels, and open ones, have no such table.',
      };
    }
    const arms = found.map((arm) => ({
      arm: arm.arm,
      cells: cellsOf(arm, labels),
      n: arm.confusion.reduce((sum, { n }) => sum + n, 0),
      cases: arm.measures.find(({ name, over }) => name === 'accuracy' && over === 'decided')?.cases ?? 0,
    }));
    return { labels, arms, pairs: labels.length > mostLabels ? pairsOf(arms) : [] };
  },
  caption({ arms, pairs, labels }) {
    const counts = countsWords(
      arms.map(({ n }) => n),
      { noun: 'decided trial', about: 'with a known truth' },
    );
    const small = smallN(Math.min(...arms.map(({ cases }) => cases)));
    if (labels.length > mostLabels) {
      const shown =
        pairs.length === 0
          ? 'No label was taken for another one'
          : pairs.length === 1
            ? 'The one confusion'
            : `The ${pairs.length} most frequent confusions`;
      return `${counts}. ${shown} among ${labels.length} labels; the table has every cell that holds a trial.${small}`;
    }
    return `${counts}. Rows are the truth, columns the verdict; the shade is the share of the trials of a truth.${panelWords(arms.length)}${small}`;
  },
  height: (data) => (data.labels.length > mostLabels ? wrongPairsHeight(data) : panelsHeight(panels(data))),
  option: (data, paint, size) =>
    data.labels.length > mostLabels ? wrongPairs(data, paint, size) : matrices(data, panels(data), paint, size),
  table: ({ arms }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'truth', as: 'text' },
      { name: 'verdict', as: 'text' },
      { name: 'trials', as: 'count' },
      { name: 'share of the truth', as: 'share' },
    ],
    rows: arms.flatMap(({ arm, cells }) => cells.map(({ truth, prediction, n, share }) => [arm, truth, prediction, n, share])),
  }),
  behind({ arms, pairs, labels }, { seriesId, dataIndex }) {
    const place = /^(?:cells|arm)-(\d+)$/.exec(seriesId ?? '')?.[1];
    if (labels.length > mostLabels) {
      const pair = pairs[dataIndex];
      const arm = place === undefined ? undefined : arms[Number(place)];
      if (pair === undefined || (seriesId !== 'all' && (pair.counts[Number(place)] ?? 0) === 0)) return null;
      const { truth, prediction, counts } = pair;
      if (arm !== undefined) return cellBehind(arm, { truth, prediction, n: counts[Number(place)] ?? 0 });
      const n = counts.reduce((sum, count) => sum + count, 0);
      return {
        outcome: 'decided',
        truth,
        prediction,
        subset: { arms: arms.map((each) => each.arm) },
        counts: { n, of: 'trials' },
      };
    }
    const arm = place === undefined ? undefined : arms[Number(place)];
    return arm === undefined ? null : cellBehind(arm, arm.cells[dataIndex]);
  },
  behindRow({ arms }, row) {
    const [found] = arms.flatMap((arm) => arm.cells.map((cell) => ({ arm, cell }))).slice(row);
    return found === undefined ? null : cellBehind(found.arm, found.cell);
  },
};

function cellBehind({ arm }: ConfusionArm, cell: Omit<Cell, 'share'> | undefined): TrialsBehind | null {
  if (cell === undefined || cell.n === 0) return null;
  const { truth, prediction, n } = cell;
  return { arm, outcome: 'decided', truth, prediction, counts: { n, of: 'trials' } };
}
