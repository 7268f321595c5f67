import { groupOrder } from './groupOrder.ts';

/** Cases that a model tries before another one is loaded, where the run may stop early. */
const casesBetweenModels = 10;

export interface Schedulable {
  readonly arm: string;
  readonly replicate: number;
  /** Place of the case in the sample. */
  readonly position: number;
  /** Already started: finished before anything new is opened. */
  readonly running: boolean;
}

/**
 * The same trials, the last of them the longest first: a long one that begins last keeps one slot busy while all others are
 * idle. As many are moved as two rounds of all slots, those that are running not at all.
 * @param workOf how long a trial takes, in any unit
 * @param atATime trials at a time
 */
export function longestFirstAtEnd<T extends Pick<Schedulable, 'running'>>(
  trials: readonly T[],
  workOf: (trial: T) => number,
  atATime: number,
): T[] {
  const running = trials.filter((trial) => trial.running).length;
  const end = Math.max(running, trials.length - 2 * atATime);
  return [...trials.slice(0, end), ...trials.slice(end).toSorted((a, b) => workOf(b) - workOf(a))];
}

/**
 * Orders trials so that few models are loaded: arms with the same models are kept together, and groups that share models
 * follow each other. Within a group the arms go through the cases side by side, so that a run that is stopped early leaves
 * complete pairs. Started trials come first.
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
  const names = new Map<string, number>();
  const groups: Set<string>[] = [];
  for (const { arm } of trials) {
    if (armOrder.has(arm)) continue;
    armOrder.set(arm, armOrder.size);
    const models = new Set([...modelsOf(arm)].toSorted());
    const name = [...models].join('\n');
    const group = names.get(name) ?? groups.push(models) - 1;
    names.set(name, group);
    groupOf.set(arm, group);
  }
  // What fits into memory is not known: that much that each arm by itself can be tried.
  const room = groups.reduce((most, { size }) => Math.max(most, size), 1);
  const place = groupOrder(groups, room).reduce((places, group, index) => places.set(group, index), new Map<number, number>());
  const together = groups.length > 1 ? casesBetweenModels : 1;
  const rank = ({ running, arm, replicate, position }: T): number[] => [
    running ? 0 : 1,
    mayStop ? Math.floor(position / together) : 0,
    place.get(groupOf.get(arm) ?? 0) ?? 0,
    replicate,
    position,
    armOrder.get(arm) ?? 0,
  ];
  const ranked = trials.map((trial) => ({ trial, by: rank(trial) }));
  ranked.sort(({ by: left }, { by: right }) => {
    const differing = left.findIndex((value, index) => value !== right[index]);
    return differing < 0 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
  });
  return ranked.map(({ trial }) => trial);
}
