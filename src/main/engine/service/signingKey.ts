import { refusedCheckpoint } from '../audit/damage.ts';
import { openUserKey, type UserKey } from '../checkpoint/userKey.ts';
import type { KnownFaults } from './knownFaults.ts';

/** Throws bad-input where the record is known to be damaged: that should not be signed. */
export function refuseDamaged(knownFaults: Pick<KnownFaults, 'read'>): void {
  // That a verdict does not follow from the answers is no change of the record, and no check of all of it takes that back.
  const damage = knownFaults.read().faults.find(({ by }) => by !== 'replay');
  if (damage !== undefined) throw refusedCheckpoint(damage.problem);
}

export const signingKey =
  (knownFaults: Pick<KnownFaults, 'read'>): (() => UserKey) =>
  () => {
    refuseDamaged(knownFaults);
    return openUserKey();
  };
