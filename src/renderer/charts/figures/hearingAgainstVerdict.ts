import type { ArmStatistics } from '../../../shared/outputs.ts';
import { dotRows } from '../kit/dotRows.ts';
import { figure, share, table, text } from '../kit/plot.ts';
import { countText, fewWords, plainArms, pointColumns, pointOf } from '../kit/points.ts';

const first = (arm: ArmStatistics) => pointOf(arm, 'initial_accuracy', 'initial-and-verdict');
const verdict = (arm: ArmStatistics) => pointOf(arm, 'verdict_accuracy', 'initial-and-verdict');
const channels = [
  { id: 'initial', name: 'first answer', of: first },
  { id: 'verdict', name: 'verdict', of: verdict },
];

/** How often the first answer and the verdict of the same trials are right. */
export const hearingAgainstVerdictFigure = figure({
  id: 'hearing-against-verdict',
  title: 'Accuracy of the first answer and of the verdict',
  paper: 'Courtroom-LLM: figure 3',
  group: 'performance',
  plot({ report }) {
    const arms = plainArms(report).filter((arm) => first(arm) !== null);
    if (arms.length === 0) {
      return {
        absent:
          'No decided trial of known truth has an answer from before the verdict. Protocols with a hearing, a prior belief or rounds record one; the priorBelief of agentic-sim has to be asked for.',
      };
    }
    const points = channels.flatMap(({ of }) => arms.map(of));
    const panel = { id: 'accuracies', title: 'right, of trials that have both', scale: 'share', joined: true, channels } as const;
    return {
      caption: `${countText(points, report.interval.level, { noun: 'decided trial' })} Both marks of an arm are over the same trials, so their intervals do not tell whether they differ: the corrections and degradations do.${fewWords(points)}`,
      ...dotRows({ rows: arms, name: ({ arm }) => arm, panels: [panel] }),
      table: table(
        arms,
        [text('arm', ({ arm }: ArmStatistics) => arm), ...channels.flatMap(({ name, of }) => pointColumns(name, share, of))],
        (arm) => first(arm)?.behind ?? null,
      ),
    };
  },
});
