// Who answered the calls of an experiment.
import { preparationChain } from '../../../core/record/identity.ts';
import type { Player } from '../../../shared/api/experiments.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type CallSetup, setupSchema } from './html/data.ts';
import { trialLines } from './trialLines.ts';

/** The calls of a chain that can be read. Only a record that fails its check has others, and the report says that it does. */
const callsIn = (chain: readonly StoredEvent[]): RecordEvent[] =>
  parseReadable(chain.filter(({ kind }) => kind === 'call-answer'));

/** Who answered the calls of some chains, as their servers described them. */
export function playersIn(
  store: Store,
  chains: Iterable<readonly [arm: string | null, chain: readonly StoredEvent[]]>,
): Player[] {
  const setupOf = readOnce((ref: string): CallSetup | null => {
    const text = store.blobs.get(ref);
    return text == null ? null : setupSchema.parse(JSON.parse(text));
  });
  const players = new Map<string, Omit<Player, 'roles'> & { roles: Set<string> }>();
  for (const [arm, chain] of chains) {
    for (const event of callsIn(chain)) {
      if (event.kind !== 'call-answer') continue;
      const { at, role } = event.payload;
      const setup = setupOf(event.payload.setup);
      const key = JSON.stringify([arm, setup]);
      const { roles, calls, first, last } = players.get(key) ?? { roles: new Set<string>(), calls: 0, first: at, last: at };
      const ends = { first: at < first ? at : first, last: at > last ? at : last };
      players.set(key, { arm, roles: roles.add(role), setup, calls: calls + 1, ...ends });
    }
  }
  return [...players.values()].map((player) => ({ ...player, roles: [...player.roles] }));
}

/** Who answered in an experiment. Throws not-found. */
export function playersOf(store: Store, experiment: string): Player[] {
  function* chains() {
    for (const { arm, trial, status } of trialLines(store, loadFrozen(store, experiment)))
      if (status !== 'queued') yield [arm, store.events.chain(trial)] as const;
    yield [null, store.events.chain(preparationChain(experiment))] as const;
  }
  return playersIn(store, chains());
}
