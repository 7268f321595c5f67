// Servers with the same model share the calls of one arm: which of them makes the next one.

/** A server that shares the calls of others, as it is now. */
export interface PoolMember {
  readonly name: string;
  /** Calls at it and waiting for it, as a share of those that it is asked at a time. */
  readonly load: number;
  /** Calls that it is asked at a time. */
  readonly slots: number;
  /** How long a call takes there; null where none has ended. */
  readonly callMs: number | null;
}

/** Calls that are still to come: of all trials that ask the servers, and of the trial itself, this one included. */
export interface CallsLeft {
  readonly all: number;
  readonly ofTrial: number;
}

/** Servers at which this call and the trial's others, made at the quickest one, end before the rest of the run. */
function inTime(pool: readonly PoolMember[], { all, ofTrial }: CallsLeft): readonly PoolMember[] {
  const times = pool.flatMap(({ callMs, slots }) => (callMs === null ? [] : { callMs, slots }));
  if (times.length < pool.length) return pool;
  const quickest = Math.min(...times.map(({ callMs }) => callMs));
  const restMs = all / times.reduce((sum, { callMs, slots }) => sum + slots / callMs, 0);
  return pool.filter(({ callMs }) => callMs === quickest || (callMs ?? 0) + (ofTrial - 1) * quickest <= restMs);
}

/**
 * The server for a call: the one that made the trial's last call while it has room, since it has read the beginning of the prompt;
 * else the one with the most room. So servers that are unequal get unequal shares. Near the end, slow servers get no calls that
 * the others would wait for.
 * @param last where the trial's last call was made; undefined for its first
 */
export function serverFor(pool: readonly PoolMember[], last: string | undefined, left: CallsLeft): string | undefined {
  const fitting = inTime(pool, left);
  const own = fitting.find(({ name }) => name === last);
  if (own !== undefined && own.load < 1) return own.name;
  const [first, ...others] = fitting;
  return others.reduce((best, server) => (server.load < (best?.load ?? 0) ? server : best), first)?.name;
}

/** Calls after which an older one counts little. */
const remembered = 30;

/** The mean of how long calls took, by what made them, the newer ones counting more. */
export function callTimes() {
  const times = new Map<string, { readonly calls: number; readonly meanMs: number }>();
  return {
    add(name: string, ms: number): void {
      const { calls, meanMs } = times.get(name) ?? { calls: 0, meanMs: 0 };
      const counted = Math.min(calls + 1, remembered);
      times.set(name, { calls: counted, meanMs: meanMs + (ms - meanMs) / counted });
    },
    of: (name: string): number | null => times.get(name)?.meanMs ?? null,
    all: (): number[] => [...times.values()].map(({ meanMs }) => meanMs),
  };
}

export type CallTimes = ReturnType<typeof callTimes>;
