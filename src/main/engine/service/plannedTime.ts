// When a paused run continues by itself.
import { badInput } from '../../../shared/errors.ts';

const lookMs = 1000;
const mostAheadMs = 7 * 24 * 3600_000;

/** @param until ISO 8601. Throws bad-input where it has passed or is more than seven days ahead. */
export function refuseTime(until: string): void {
  const aheadMs = Date.parse(until) - Date.now();
  if (aheadMs < 0 || aheadMs > mostAheadMs) throw badInput('choose a time within the next seven days', { field: 'until' });
}

export const isAhead = (until: string | null): until is string => until !== null && Date.parse(until) > Date.now();

/** Acts once a condition is true, while that is wanted. It polls: a timer stops while the machine sleeps. */
export function actOnce(holds: () => boolean, isWanted: () => boolean, act: () => void): void {
  const look = setInterval(() => {
    if (isWanted() && !holds()) return;
    clearInterval(look);
    if (isWanted()) act();
  }, lookMs).unref();
}
