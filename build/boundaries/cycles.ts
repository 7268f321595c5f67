/** File -> files that it imports, each with the line of the import. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Cycle {
  /** The files in the order of their imports; the last one imports the first. */
  readonly path: readonly string[];
  /** Line of the first file's import. */
  readonly line: number;
}

/**
 * One shortest cycle through every file that is on a cycle and not yet on a reported one.
 * Breadth-first search from each file; fine for thousands of files.
 */
export function findCycles(graph: Graph): Cycle[] {
  const cycles: Cycle[] = [];
  const reported = new Set<string>();
  for (const start of [...graph.keys()].sort()) {
    if (reported.has(start)) continue;
    const path = shortestCycle(graph, start);
    if (path === null) continue;
    for (const file of path) reported.add(file);
    cycles.push({ path, line: graph.get(start)?.get(path[1] ?? start) ?? 1 });
  }
  return cycles;
}

function shortestCycle(graph: Graph, start: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file)?.keys() ?? []) {
      if (next === start) return trace(cameFrom, start, file);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return null;
}

function trace(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const path = [end];
  for (let file = end; file !== start; ) {
    const before = cameFrom.get(file);
    if (before === undefined) break;
    path.unshift(before);
    file = before;
  }
  return path;
}
