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
