import { modelSize } from '../../../core/figures/modelSize.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { countWords, fewWords, type Point, plainArms, pointCells, pointColumns, pointOf } from '../estimates/points.ts';
import { markAt, type Scatter, scatter } from '../estimates/scatter.ts';
import { shownName } from '../kit/axes.ts';
import { conditionsOf, modelsOf, speakingArms } from '../kit/conditions.ts';
import type { Figure } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';

interface Arm {
  readonly arm: string;
  readonly models: string;
  readonly condition: string;
  /** Billions of parameters, as the names of all its models say; null where they do not, or differ. */
  readonly billions: number | null;
  readonly accuracy: Point;
}

interface Data {
  readonly arms: readonly Arm[];
  readonly level: number;
}

/** The one size of an arm's models; null where a name says none, or they differ. */
function sizeOf({ models }: ArmStatistics): number | null {
  const sizes = models.map((model) => modelSize(model)?.billions ?? null);
  return new Set(sizes).size === 1 ? (sizes[0] ?? null) : null;
}

function drawn({ arms }: Data): Scatter {
  const sized = arms.flatMap((arm) => (arm.billions === null ? [] : [{ ...arm, billions: arm.billions }]));
  return {
    groups: [...Map.groupBy(sized, ({ condition }) => condition)].map(([condition, mine], place) => ({
      id: `condition-${place}`,
      name: shownName(mine.length === 1 ? (mine[0]?.arm ?? condition) : condition),
      marks: mine.map(({ arm, billions, accuracy }) => ({ name: arm, x: billions, y: accuracy })),
    })),
    x: { name: 'parameters, as the name says', base: 2, words: (billions) => `${Number(billions.toPrecision(3))}b` },
    y: { name: 'accuracy of all finished' },
    dodged: true,
  };
}

/** Accuracy over the size of the models, by protocol. */
export const accuracyByModelSizeFigure: Figure<Data> = {
  id: 'accuracy-by-model-size',
  title: 'Accuracy by size of the model',
  paper: 'Courtroom-LLM: figure 7',
  group: 'performance',
  needs: [],
  data({ view, report }) {
    const plain = speakingArms(view, plainArms(report));
    const conditions = conditionsOf(view, plain);
    const arms = plain.flatMap((arm, place): Arm[] => {
      const accuracy = pointOf(arm, 'accuracy', 'all');
      if (accuracy === null) return [];
      return [
        {
          arm: arm.arm,
          models: modelsOf(arm),
          condition: conditions[place]?.words ?? arm.protocol,
          billions: sizeOf(arm),
          accuracy,
        },
      ];
    });
    if (arms.every(({ billions }) => billions === null)) {
      return {
        absent:
          'No arm of known accuracy has models of one size that their names tell. Names such as llama3.1:8b or mixtral:8x7b do.',
      };
    }
    return { arms, level: report.interval.level };
  },
  caption({ arms, level }) {
    const points = arms.filter(({ billions }) => billions !== null).map(({ accuracy }) => accuracy);
    const unknown = arms.length - points.length;
    const left =
      unknown === 0 ? '' : ` ${quantity(unknown, 'arm')} whose models differ in size, or do not tell it, in the table alone.`;
    return `${countWords(points, level, { noun: 'finished trial' })} A mixture counts as the product that its name says, 8x7b as 56b.${left}${fewWords(points)}`;
  },
  height: () => 340,
  option: (data, paint, size) => scatter(drawn(data), paint, size),
  table: ({ arms }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'models', as: 'text' },
      { name: 'protocol', as: 'text' },
      { name: 'parameters, billions', as: 'text' },
      ...pointColumns('accuracy of all finished'),
    ],
    rows: arms.map(({ arm, models, condition, billions, accuracy }) => [
      arm,
      models,
      condition,
      billions === null ? 'size not known' : String(billions),
      ...pointCells(accuracy),
    ]),
  }),
  behind(data, mark) {
    const found = markAt(drawn(data), mark);
    return found === null ? null : countedTrials('all', found.name, found.y);
  },
  behindRow: ({ arms }, row) => (arms[row] === undefined ? null : countedTrials('all', arms[row].arm, arms[row].accuracy)),
};
