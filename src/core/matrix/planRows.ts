import type { PlanReport } from '../../shared/outputs.ts';
import { nameWithoutModel } from '../figures/armNames.ts';
import { swapTitles } from '../figures/swapText.ts';

/** Arms up to which a plan lists each. */
const mostListed = 20;

type PlannedArm = PlanReport['arms'][number];

/** A line of a plan: an arm, or several that differ only by model, with their sums. */
export type PlanRow = Pick<PlannedArm, 'protocol' | 'trials' | 'remaining' | 'calls' | 'prompt_tokens' | 'completion_tokens'> & {
  readonly name: string;
};

const sumOf = (arms: readonly PlannedArm[], of: (arm: PlannedArm) => number) => arms.reduce((sum, arm) => sum + of(arm), 0);

/** The lines of a plan: each arm, but of many arms those together that the program named and that differ only by model. */
export function planRows(arms: readonly PlannedArm[]): PlanRow[] {
  const nameOf = ({ arm, swap, base_arm: base }: PlannedArm) => {
    const way = arms.length > mostListed ? nameWithoutModel(base ?? arm) : null;
    return way === null ? arm : `${way}${swap === null ? '' : `, ${swapTitles[swap]}`}`;
  };
  return [...Map.groupBy(arms, nameOf)].map(([name, same]) => {
    const [first] = same;
    const sums = (of: (arm: PlannedArm) => PlanRow['calls']) => ({
      min: sumOf(same, (arm) => of(arm).min),
      max: sumOf(same, (arm) => of(arm).max),
    });
    return {
      name: same.length === 1 ? (first?.arm ?? name) : `${name} (${same.length} arms)`,
      protocol: first?.protocol ?? '',
      trials: sumOf(same, ({ trials }) => trials),
      remaining: sumOf(same, ({ remaining }) => remaining),
      calls: sums(({ calls }) => calls),
      prompt_tokens: sumOf(same, (arm) => arm.prompt_tokens),
      completion_tokens: sums((arm) => arm.completion_tokens),
    };
  });
}
