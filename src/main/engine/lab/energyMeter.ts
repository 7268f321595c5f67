import { type Energy, energySum } from '../../../shared/energy.ts';
import { attempt } from '../attempt.ts';
import type { Store } from '../store/store.ts';

/** Seconds of readings between two notes: a run that is killed loses no more of them. */
const notedSeconds = 600;

/** Adds up what the GPUs use in a run, and keeps it in the log. @param onGrowth called with the sum over all runs of the experiment */
export function energyMeter(store: Store, experiment: string, onGrowth?: (energy: Energy) => void) {
  const before = store.runLog.energy(experiment);
  let joules = 0;
  let seconds = 0;
  let notedAt = 0;
  let entry: number | bigint | null = null;
  const used = () => ({ watt_hours: Math.round(joules / 36) / 100, hours: Math.round(seconds / 3.6) / 1000 });
  const note = (): void => {
    const detail = used();
    if (detail.watt_hours === 0 || seconds === notedAt) return;
    notedAt = seconds;
    // A store that takes nothing more ends the run by itself, with its own words.
    attempt(() => {
      store.write(() => {
        if (entry === null) entry = store.runLog.add(experiment, 'run-energy', detail);
        else store.runLog.rewrite(entry, detail);
      });
    }, undefined);
  };
  return {
    add(moreJoules: number, moreSeconds: number): void {
      joules += moreJoules;
      seconds += moreSeconds;
      if (seconds - notedAt >= notedSeconds) note();
      const sum = energySum([...(before === null ? [] : [before]), used()]);
      if (sum !== null) onGrowth?.(sum);
    },
    /** Keeps what was added since the last note. */
    note,
  };
}
