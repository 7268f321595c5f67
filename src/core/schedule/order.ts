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

/** Models that are asked together. */
export type Models = ReadonlySet<string>;

/** Groups of which every order is tried: 720. */
const mostTried = 6;
/** Rounds of improvement at most: each looks at every group and every place. */
const mostRounds = 50;
/** Groups above which the order of the file stays: with so many there is little to save. */
const mostGroups = 200;

/** Models in memory after a group was asked, the one asked last at the end: what was asked longest ago makes room. */
function kept(memory: readonly string[], group: Models, room: number): string[] {
  const others = memory.filter((model) => !group.has(model));
  return [...others, ...group].slice(-Math.max(room, group.size));
}

/** Times that a model is loaded where groups are asked in turn. @param room models in memory at a time, or those of one group */
export function loadsOf(groups: readonly Models[], room: number): number {
  let memory: string[] = [];
  let loads = 0;
  for (const group of groups) {
    loads += [...group].filter((model) => !memory.includes(model)).length;
    memory = kept(memory, group, room);
  }
  return loads;
}

/** From one group on, always the next that needs the fewest loads, the first of the file among equals. */
function nearest(groups: readonly Models[], start: number, room: number): number[] {
  const order = [start];
  const left = new Set(groups.keys());
  left.delete(start);
  let memory = kept([], groups[start] ?? new Set(), room);
  while (left.size > 0) {
    const missing = (index: number) => [...(groups[index] ?? [])].filter((model) => !memory.includes(model)).length;
    const next = [...left].reduce((best, index) => (missing(index) < missing(best) ? index : best));
    left.delete(next);
    order.push(next);
    memory = kept(memory, groups[next] ?? new Set(), room);
  }
  return order;
}

const moved = (order: readonly number[], from: number, to: number): number[] => {
  const without = order.toSpliced(from, 1);
  return without.toSpliced(to, 0, order[from] ?? 0);
};

function* ordersOf(left: readonly number[]): Generator<number[]> {
  if (left.length === 0) yield [];
  for (const first of left) for (const rest of ordersOf(left.filter((each) => each !== first))) yield [first, ...rest];
}

/**
 * An order of groups of models in which few models are loaded twice: of up to six groups the best of all, of more the best of
 * the nearest-neighbour orders and the order of the file, improved by moving single groups.
 * @returns the groups' indexes
 */
export function groupOrder(groups: readonly Models[], room: number): number[] {
  const file = [...groups.keys()];
  const fewest = new Set(groups.flatMap((group) => [...group])).size;
  if (groups.length > mostGroups || loadsOf(groups, room) === fewest) return file;
  const cost = (order: readonly number[]) =>
    loadsOf(
      order.map((index) => groups[index] ?? new Set()),
      room,
    );
  let best = file;
  let loads = cost(file);
  const consider = (order: number[]): boolean => {
    const found = cost(order);
    if (found >= loads) return false;
    best = order;
    loads = found;
    return true;
  };
  if (groups.length <= mostTried) {
    for (const order of ordersOf(file)) consider(order);
    return best;
  }
  for (const start of file) consider(nearest(groups, start, room));
  for (let round = 0; round < mostRounds && loads > fewest; round++) {
    const present = best;
    const isBetter = file.some((from) => file.some((to) => from !== to && consider(moved(present, from, to))));
    if (!isBetter) break;
  }
  return best;
}
