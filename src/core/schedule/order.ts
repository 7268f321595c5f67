/** Cases that a model tries before another one is loaded, where the run may stop early. */
const casesBetweenModels = 10;

/** What the order of trials depends on. */
export interface Schedulable {
  readonly arm: string;
  readonly replicate: number;
  /** Place of the case in the sample. */
  readonly position: number;
  /** Already begun: finished before anything new is opened. */
  readonly running: boolean;
}

/**
 * Orders trials so that a model is loaded once: arms with the same models stand together, in the order
 * of the file. Within such a group the arms go through the cases side by side, so that a run that is
 * stopped early leaves complete pairs. Begun trials come first.
 *
 * A run that may stop early takes the cases in the order of the sample, in all arms: one after the other, or some at a time where
 * arms have different models.
 * @param modelsOf names the models of an arm, in any order
 * @param mayStop whether the run may stop early
 */
export function orderTrials<T extends Schedulable>(
  trials: readonly T[],
  modelsOf: (arm: string) => readonly string[],
  mayStop = false,
): T[] {
  const groupOf = new Map<string, number>();
  const armOrder = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const { arm } of trials) {
    if (armOrder.has(arm)) continue;
    armOrder.set(arm, armOrder.size);
    const models = [...new Set(modelsOf(arm))].toSorted().join('\n');
    const group = groups.get(models) ?? groups.size;
    groups.set(models, group);
    groupOf.set(arm, group);
  }
  const together = groups.size > 1 ? casesBetweenModels : 1;
  const rank = ({ running, arm, replicate, position }: T): number[] => [
    running ? 0 : 1,
    mayStop ? Math.floor(position / together) : 0,
    groupOf.get(arm) ?? 0,
    replicate,
    position,
    armOrder.get(arm) ?? 0,
  ];
  return trials.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const differing = left.findIndex((value, index) => value !== right[index]);
    return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
  });
}
