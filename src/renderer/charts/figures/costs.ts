import { modelSize } from '../../../core/figures/modelSize.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { shownName } from '../kit/axes.ts';
import { conditionsOf, modelsOf, speakingArms } from '../kit/conditions.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { accuracyOf, countText, fewWords, ledF1, ledF1Name, type Point, plainArms, pointColumns } from '../kit/points.ts';
import { type ScatterRow, scatter } from '../kit/scatter.ts';

type Gain = 'f1' | 'accuracy';

interface Row extends ScatterRow {
  readonly finished: number;
}

const prices = {
  time: {
    axis: 'seconds a trial',
    said: 'Time is from sending to the last token, summed over the calls of a trial.',
    of: ({ wall_ms, n }: ArmStatistics) => wall_ms / 1000 / n,
    words: (value: number) => `${Number(value.toPrecision(3))} s`,
  },
  tokens: {
    axis: 'tokens a trial',
    said: 'Tokens are those of prompts and answers, summed over the calls of a trial; calls made once for several trials are not counted.',
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

/** The one size of an arm's models in billions of parameters; null where a name says none, or they differ. */
function sizeOf({ models }: ArmStatistics): number | null {
  const sizes = models.map(modelSize);
  return new Set(sizes).size === 1 ? (sizes[0] ?? null) : null;
}

export const accuracyByModelSizeFigure = figure({
  id: 'accuracy-by-model-size',
  title: 'Accuracy by model size',
  paper: 'Courtroom-LLM: figure 7',
  requires: 'an arm of known accuracy whose models have one size that their names give, such as llama3.1:8b and mixtral:8x7b',
  plot({ view, report }) {
    const plain = speakingArms(view, plainArms(report));
    const conditions = conditionsOf(view, plain);
    const arms = plain.flatMap((arm, place) => {
      const y = accuracyOf(arm);
      const condition = conditions[place] ?? arm.protocol;
      return y === null ? [] : [{ arm: arm.arm, models: modelsOf(arm), condition, billions: sizeOf(arm), y }];
    });
    type Row = (typeof arms)[number];
    const rows = arms.flatMap((arm) => (arm.billions === null ? [] : [{ ...arm, x: arm.billions }]));
    if (rows.length === 0) return null;
    const points = rows.map(({ y }) => y);
    const unknown = arms.length - rows.length;
    const left =
      unknown === 0
        ? ''
        : ` ${quantity(unknown, 'arm')} whose models differ in size, or whose names do not give it, only in the table.`;
    const words = (billions: number) => `${Number(billions.toPrecision(3))}b`;
    const name = `${rightWords(report).accuracy} of all finished`;
    return {
      caption: `${countText(points, report.interval.level, { noun: 'finished trial' })} A mixture counts as the product in its name: 8x7b is 56b.${left}${fewWords(points)}`,
      height: 340,
      ...scatter({ rows, x: { name: 'parameters, as the name says', base: 2, words }, y: { name }, dodged: true }),
      table: table(
        arms,
        [
          text('arm', ({ arm }: Row) => arm),
          text('models', ({ models }) => models),
          text('protocol', ({ condition }) => condition),
          text('parameters, billions', ({ billions }) => (billions === null ? 'size not known' : String(billions))),
          ...pointColumns(name, share, ({ y }: Row) => y),
        ],
        ({ y }) => y.behind,
      ),
    };
  },
});
