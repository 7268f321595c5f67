import { rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { shownName } from '../kit/axes.ts';
import { conditionsOf } from '../kit/conditions.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { accuracyOf, countText, fewWords, ledF1, ledF1Name, type Point, plainArms, pointColumns } from '../kit/points.ts';
import { type ScatterRow, scatter } from '../kit/scatter.ts';

type Gain = 'f1' | 'accuracy';

interface Row extends ScatterRow {
  readonly finished: number;
}

/** What a finished trial costs on average. */
const prices = {
  time: {
    axis: 'seconds a trial',
    said: 'Time is from sending to the last token, summed over the calls of a trial.',
    of: ({ wall_ms, n }: ArmStatistics) => wall_ms / 1000 / n,
    words: (value: number) => `${Number(value.toPrecision(3))} s`,
  },
  tokens: {
    axis: 'tokens a trial',
    said: 'Tokens are those of prompts and answers, summed over the calls of a trial.',
    of: ({ prompt_tokens, completion_tokens, n }: ArmStatistics) => (prompt_tokens + completion_tokens) / n,
    words: (value: number) =>
      value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3))),
  },
} as const;
type Price = keyof typeof prices;

function gainOf(arm: ArmStatistics, gain: Gain, { positive }: StatsReport): Point | null {
  return gain === 'accuracy' ? accuracyOf(arm) : ledF1(arm, positive);
}

/** Whether no other arm is both at least as good and at least as cheap, and better in one of the two. */
const isBest = ({ x, y }: Row, rows: readonly Row[]): boolean =>
  !rows.some((other) => other.y.value >= y.value && other.x <= x && (other.y.value > y.value || other.x < x));

const costFigure = (gain: Gain, price: Price, paper?: string) =>
  figure({
    id: `${gain}-against-${price}`,
    title: `${gain === 'f1' ? 'F1' : 'Accuracy'} against ${price} of a trial`,
    paper,
    requires: 'decided trials of known truth with calls on the record; predictions from elsewhere have none',
    plot({ view, report }) {
      const { axis, said, of, words } = prices[price];
      const plain = plainArms(report);
      const conditions = conditionsOf(view, plain);
      const measured = plain.flatMap((arm, place) => {
        const y = gainOf(arm, gain, report);
        const condition = conditions[place] ?? arm.protocol;
        return y === null ? [] : [{ arm: arm.arm, condition, y, x: arm.n === 0 ? 0 : of(arm), finished: arm.n }];
      });
      if (measured.length === 0) return null;
      const priced = measured.filter(({ x }) => x > 0);
      if (priced.length === 0) return null;
      const rows: Row[] = priced.map((row) => ({ ...row, isBest: isBest(row, priced) }));
      const points = rows.map(({ y }) => y);
      const unpriced = measured.length - rows.length;
      const name = gain === 'accuracy' ? `${rightWords(report).accuracy} of all finished` : shownName(ledF1Name(report.positive));
      return {
        caption: `${countText(points, report.interval.level)} ${said} Ringed: no other arm is both better and cheaper, by the values alone; where intervals overlap, another sample could ring others.${unpriced === 0 ? '' : ` Left out: ${quantity(unpriced, 'arm')} without calls on the record.`}${fewWords(points)}`,
        height: 360,
        ...scatter({ rows, x: { name: axis, base: 10, words }, y: { name } }),
        table: table(
          rows,
          [
            text('arm', ({ arm }: Row) => arm),
            text('protocol', ({ condition }) => condition),
            number(`${axis}, mean`, ({ x }) => x),
            count('finished trials', ({ finished }) => finished),
            ...pointColumns(name, share, ({ y }: Row) => y),
            text('no other arm is both better and cheaper', (row) => (row.isBest === true ? 'yes' : 'no')),
          ],
          ({ y }) => y.behind,
        ),
      };
    },
  });

export const f1AgainstTimeFigure = costFigure('f1', 'time', 'AgenticSimLLM: figure 6');
export const f1AgainstTokensFigure = costFigure('f1', 'tokens', 'AgenticSimLLM: figure 7');
export const accuracyAgainstTimeFigure = costFigure('accuracy', 'time');
export const accuracyAgainstTokensFigure = costFigure('accuracy', 'tokens');
