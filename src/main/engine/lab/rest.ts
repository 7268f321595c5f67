// Estimates what is left of an experiment that was begun: one answer for its screen, its plan and its next run.
import { z } from 'zod';
import { isImported } from '../../../shared/imported.ts';
import type { Rest } from '../../../shared/rest.ts';
import type { Store } from '../store/store.ts';
import type { FrozenExperiment } from './frozen.ts';

/** Finished trials of an arm from which on its mean is more than a first guess. */
const enough = 3;

const startSchema = z.object({ concurrency: z.int().min(1) });

/** Trials at a time in the newest start; 1 where the log does not have it. */
function lastPace(store: Store, experiment: string): number {
  const start = store.runLog.of(experiment).findLast(({ event }) => event === 'run-start');
  return startSchema.safeParse(JSON.parse(start?.detail ?? '{}')).data?.concurrency ?? 1;
}

/** Calls that the plan gives a trial of an arm, between the fewest and the most; null where its cases cannot be read. */
function plannedCalls(store: Store, frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]): number | null {
  const [first] = frozen.sample();
  const stored = first === undefined ? undefined : store.datasets.caseOfId(frozen.dataset.id, first);
  if (stored === undefined) return null;
  const calls = frozen.protocol(arm)?.plannedCalls(frozen.case(store.datasets.read(stored.ref)), frozen.terms(arm).belief);
  return calls === undefined ? null : (calls.min + calls.max) / 2;
}

/** Null where no trial shows how long a call takes; undefined where nothing is left to run. */
export function restOf(store: Store, frozen: FrozenExperiment): Rest | null | undefined {
  const planned = frozen.sampleSize() * frozen.definition.replicates;
  const spent = new Map(store.trials.spent(frozen.name).map((each) => [each.arm, each]));
  const open = frozen.arms.filter((arm) => !isImported(arm) && (spent.get(arm.name)?.trials ?? 0) < planned);
  if (open.length === 0) return undefined;
  const all = [...spent.values()];
  const callsOfAll = all.reduce((sum, { calls }) => sum + calls, 0);
  if (callsOfAll === 0) return null;
  const msOfCall = all.reduce((sum, { wallMs }) => sum + wallMs, 0) / callsOfAll;
  const rest = { calls: 0, seconds: 0, at_a_time: lastPace(store, frozen.name), first_guess: false };
  for (const arm of open) {
    const known = spent.get(arm.name);
    const left = planned - (known?.trials ?? 0);
    const calls = known === undefined ? plannedCalls(store, frozen, arm) : known.calls / known.trials;
    if (calls === null) return null;
    rest.calls += left * calls;
    rest.seconds += (left * (known === undefined ? calls * msOfCall : known.wallMs / known.trials)) / 1000;
    if ((known?.trials ?? 0) < enough) rest.first_guess = true;
  }
  return rest;
}
