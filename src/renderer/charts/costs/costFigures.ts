import { ledF1, ledF1Name } from '../../../core/figures/ledF1.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { countWords, fewWords, type Point, plainArms, pointCells, pointColumns, pointOf } from '../estimates/points.ts';
import { markAt, type Scatter, type ScatterGroup, scatter } from '../estimates/scatter.ts';
import { shownName } from '../kit/axes.ts';
import { conditionsOf } from '../kit/conditions.ts';
import type { Figure } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';

type Gain = 'f1' | 'accuracy';
type Price = 'time' | 'tokens';

interface Arm {
  readonly arm: string;
  readonly condition: string;
  /** Seconds or tokens, mean of a finished trial. */
  readonly price: number;
  readonly finished: number;
  readonly gain: Point;
  /** No other arm is both at least as good and at least as cheap, and better in one of the two. */
  readonly front: boolean;
}

interface Data {
  readonly arms: readonly Arm[];
  readonly gainName: string;
  /** Arms with such a measure whose calls are not on the record. */
  readonly unpriced: number;
  readonly level: number;
}

const prices = {
  time: {
    axis: 'seconds a trial',
    column: 'seconds a trial, mean',
    said: 'Time is from sending to the last token, summed over the calls of a trial.',
    of: ({ wall_ms, n }: ArmStatistics) => wall_ms / 1000 / n,
    words: (value: number) => `${Number(value.toPrecision(3))} s`,
  },
  tokens: {
    axis: 'tokens a trial',
    column: 'tokens a trial, mean',
    said: 'Tokens are those of prompts and answers, summed over the calls of a trial.',
    of: ({ prompt_tokens, completion_tokens, n }: ArmStatistics) => (prompt_tokens + completion_tokens) / n,
    words: (value: number) =>
      value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3))),
  },
} as const;

function gainOf(arm: ArmStatistics, gain: Gain, { positive }: StatsReport): Point | null {
  if (gain === 'accuracy') return pointOf(arm, 'accuracy', 'all');
  const { measure, label } = ledF1(positive);
  return pointOf(arm, measure, 'decided', label);
}

const nameOf = (gain: Gain, { positive }: StatsReport) =>
  gain === 'accuracy' ? 'accuracy of all finished' : shownName(ledF1Name(positive));

function whyNoGain(gain: Gain, price: Price, arms: readonly ArmStatistics[], { positive }: StatsReport): string {
  const toSet = `so that there is no ${gain === 'f1' ? 'F1' : 'accuracy'} to set against the ${price}.`;
  if (gain === 'accuracy' || arms.every((arm) => pointOf(arm, 'accuracy', 'all') === null))
    return `No finished trial has a case whose truth is known, ${toSet}`;
  const needed = positive === null ? '' : ` whose truth or verdict is ${shownName(positive)}`;
  return `No arm has a decided trial of known truth${needed}, ${toSet}`;
}

/** Marks the arms that no other one beats in one respect without being worse in the other. */
function withFront(arms: readonly Omit<Arm, 'front'>[]): Arm[] {
  return arms.map((arm) => ({
    ...arm,
    front: !arms.some(
      (other) =>
        other.gain.value >= arm.gain.value &&
        other.price <= arm.price &&
        (other.gain.value > arm.gain.value || other.price < arm.price),
    ),
  }));
}

function groupsOf({ arms }: Data): ScatterGroup[] {
  return [...Map.groupBy(arms, ({ condition }) => condition)].map(([condition, mine], place) => ({
    id: `condition-${place}`,
    name: shownName(mine.length === 1 ? (mine[0]?.arm ?? condition) : condition),
    marks: mine.map(({ arm, price, gain, front }) => ({ name: arm, x: price, y: gain, labelled: front, ringed: front })),
  }));
}

function costFigure(gain: Gain, price: Price, paper: string | null): Figure<Data> {
  const { axis, column, said, of, words } = prices[price];
  const over = gain === 'f1' ? 'decided' : 'all';
  const drawn = (data: Data): Scatter => ({
    groups: groupsOf(data),
    x: { name: axis, base: 10, words },
    y: { name: data.gainName },
  });
  return {
    id: `${gain}-against-${price}`,
    title: `${gain === 'f1' ? 'F1' : 'Accuracy'} against ${price === 'time' ? 'time' : 'tokens'} of a trial`,
    paper,
    group: 'cost',
    needs: [],
    data({ view, report }) {
      const plain = plainArms(report);
      const conditions = conditionsOf(view, plain);
      const measured = plain.flatMap((arm, place) => {
        const point = gainOf(arm, gain, report);
        return point === null ? [] : [{ arm, point, condition: conditions[place]?.words ?? arm.protocol }];
      });
      if (measured.length === 0) return { absent: whyNoGain(gain, price, plain, report) };
      const priced = measured.filter(({ arm }) => arm.n > 0 && of(arm) > 0);
      if (priced.length === 0) {
        return { absent: `No arm has calls on the record that took ${price}: predictions from elsewhere have none.` };
      }
      return {
        arms: withFront(
          priced.map(({ arm, point, condition }) => ({ arm: arm.arm, condition, price: of(arm), finished: arm.n, gain: point })),
        ),
        gainName: nameOf(gain, report),
        unpriced: measured.length - priced.length,
        level: report.interval.level,
      };
    },
    caption({ arms, unpriced, level }) {
      const points = arms.map((arm) => arm.gain);
      const left = unpriced === 0 ? '' : ` Left out: ${quantity(unpriced, 'arm')} without calls on the record.`;
      return `${countWords(points, level)} ${said} Ringed: no other arm is both better and cheaper, by the values alone; where intervals overlap, another sample could ring others.${left}${fewWords(points)}`;
    },
    height: () => 360,
    option: (data, paint, size) => scatter(drawn(data), paint, size),
    table: ({ arms, gainName }) => ({
      columns: [
        { name: 'arm', as: 'text' },
        { name: 'protocol', as: 'text' },
        { name: column, as: 'number' },
        { name: 'finished trials', as: 'count' },
        ...pointColumns(gainName),
        { name: 'no other arm is both better and cheaper', as: 'text' },
      ],
      rows: arms.map(({ arm, condition, price: mean, finished, gain: point, front }) => [
        arm,
        condition,
        mean,
        finished,
        ...pointCells(point),
        front ? 'yes' : 'no',
      ]),
    }),
    behind(data, mark) {
      const found = markAt({ groups: groupsOf(data) }, mark);
      return found === null ? null : countedTrials(over, found.name, found.y);
    },
    behindRow: ({ arms }, row) => (arms[row] === undefined ? null : countedTrials(over, arms[row].arm, arms[row].gain)),
  };
}

export const f1AgainstTimeFigure = costFigure('f1', 'time', 'AgenticSimLLM: figure 6');
export const f1AgainstTokensFigure = costFigure('f1', 'tokens', 'AgenticSimLLM: figure 7');
export const accuracyAgainstTimeFigure = costFigure('accuracy', 'time', null);
export const accuracyAgainstTokensFigure = costFigure('accuracy', 'tokens', null);
