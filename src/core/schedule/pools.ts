// Servers with the same model share the calls of one arm: which of them makes the next one.

/** A server that shares the calls of others, as it is now. */
export interface PoolMember {
  readonly name: string;
  /** Calls at it and waiting for it, as a share of those that it is asked at a time. */
  readonly load: number;
}

/**
 * The server for a call: the one that made the trial's last call while it has room, since it has read the beginning of the prompt;
 * else the one with the most room. So servers that are unequal get unequal shares without being measured.
 * @param last where the trial's last call was made; undefined for its first
 */
export function serverFor(pool: readonly PoolMember[], last: string | undefined): string | undefined {
  const own = pool.find(({ name }) => name === last);
  if (own !== undefined && own.load < 1) return own.name;
  const [first, ...others] = pool;
  return others.reduce((best, server) => (server.load < (best?.load ?? 0) ? server : best), first)?.name;
}
