import { modelSize } from '../../../core/figures/modelSize.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { conditionsOf, modelsOf, speakingArms } from '../kit/conditions.ts';
import { figure, share, table, text } from '../kit/plot.ts';
import { accuracyOf, countText, fewWords, plainArms, pointColumns } from '../kit/points.ts';
import { scatter } from '../kit/scatter.ts';

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
