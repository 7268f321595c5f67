// The further arms of an arm, in each of which something is exchanged.
import type { ArmDefinition } from '../../../shared/experiment.ts';
import { counterbalancedName, longestCounterbalancedName, type Swap, swapInName, swaps } from '../../../shared/swaps.ts';
import type { Fail, PreparedArm } from './preparedArm.ts';

export interface TriedArm extends Omit<ArmDefinition, 'counterbalance'> {
  readonly swap: Swap | null;
}

/** What is exchanged in the further arms of an arm, always in the same order. */
export const swapsOf = ({ counterbalance = [] }: Pick<ArmDefinition, 'counterbalance'>): Swap[] =>
  swaps.filter((swap) => counterbalance.includes(swap));

export function triedArms(arm: ArmDefinition): TriedArm[] {
  const { counterbalance: _named, ...own } = arm;
  return [{ ...own, swap: null }, ...swapsOf(arm).map((swap) => ({ ...own, name: counterbalancedName(own.name, swap), swap }))];
}

/** The further arms of prepared ones: they stand behind all arms of the file, whose places stay theirs. */
export function counterbalancedArms(arms: readonly PreparedArm[]): PreparedArm[] {
  return arms.flatMap(({ definition, ...same }) => {
    const [, ...further] = triedArms(definition);
    return further.map(({ swap, ...own }) => ({ ...same, definition: own, swap }));
  });
}

export function refuseUnfitSwaps({ definition, protocol, bound }: PreparedArm, fail: Fail): void {
  const { name, counterbalance = [] } = definition;
  const taken = swapInName(name);
  if (taken !== null) {
    throw fail(
      `names that end in ${JSON.stringify(counterbalancedName('', taken))} are those of counterbalanced arms; give this arm another name`,
      ['name'],
    );
  }
  if (counterbalance.length > 0 && name.length > longestCounterbalancedName) {
    throw fail(`the name of a counterbalanced arm has at most ${longestCounterbalancedName} characters; shorten it`, ['name']);
  }
  const index = counterbalance.findIndex((swap) => bound.swaps[swap] === undefined);
  if (index < 0) return;
  const known = swaps.filter((swap) => bound.swaps[swap] !== undefined).map((swap) => JSON.stringify(swap));
  const offer = known.length === 0 ? 'there is nothing to exchange in it' : `in it ${known.join(', ')} can be`;
  throw fail(
    `protocol ${protocol.id} with these parameters cannot be tried with ${JSON.stringify(counterbalance[index])} exchanged; ${offer}`,
    ['counterbalance', index],
  );
}

export function refuseSwapsWithoutVerdict(
  { counterbalance = [] }: Pick<ArmDefinition, 'counterbalance'>,
  labels: readonly string[],
  fail: Fail,
): void {
  if (labels.length > 0 || counterbalance.length === 0) return;
  throw fail('open questions have no verdict that could change with what is exchanged; leave "counterbalance" out', [
    'counterbalance',
  ]);
}
