// What answers show of the memory of servers: how long a model takes to load, and how many models stay loaded together.

/** What servers say of a model that is loaded is shorter; what really takes no longer costs little. */
export const shortestLoadMs = 200;
/** As long a server is asked to keep a model after its last call: one that is loaded after a longer time was idle. */
const keptMs = 30 * 60_000;

/** An answer, as far as it shows how long models take to load. Times in milliseconds. */
export interface TimedAnswer {
  readonly server: string;
  readonly model: string;
  readonly loadMs: number;
  /** How long the whole call took. */
  readonly wallMs: number;
  /** When the answer was there. */
  readonly atMs: number;
}

/** Learns about servers that hold the same models, from their answers in the order in which they came. */
export function modelMemory() {
  /** Server -> model -> when its first and its last answer were there. */
  const used = new Map<string, Map<string, { readonly first: number; readonly last: number }>>();
  let [together, apart] = [1, Number.POSITIVE_INFINITY];
  let loadMs: number | null = null;
  return {
    /**
     * A server has to load each model once, and calls that began before its first answer waited for that.
     * @returns whether the call waited for a model to be loaded again, because others had taken its place
     */
    answered({ server, model, loadMs: waited, wallMs, atMs }: TimedAnswer): boolean {
      const models = used.get(server) ?? new Map<string, { first: number; last: number }>();
      const before = models.get(model);
      used.set(server, models.set(model, { first: before?.first ?? atMs, last: atMs }));
      const isLoad = waited >= shortestLoadMs;
      // Some calls wait for others too: the shortest is the load itself.
      loadMs = isLoad ? Math.min(loadMs || waited, waited) : (loadMs ?? 0);
      const sentAt = atMs - wallMs;
      if (models.size === 1 || before === undefined || sentAt < before.first || sentAt - before.last > keptMs) return false;
      const since = Math.min(before.last, sentAt);
      const asked = [...models].filter(([name, { last }]) => name === model || last >= since).length;
      if (isLoad && asked > 1) apart = Math.min(apart, asked);
      if (!isLoad) together = Math.max(together, asked);
      return isLoad;
    },
    /** Whether so many models stay loaded together; null where no answer has shown it. */
    fits: (models: number): boolean | null => (models >= apart ? false : models <= together ? true : null),
    /** The shortest time that loading a model took; 0 where none was loaded, null before the first answer. */
    loadMs: (): number | null => loadMs,
  };
}
