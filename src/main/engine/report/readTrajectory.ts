import { lastAttempt } from '../../../core/record/fold.ts';
import { type Trajectory, trajectoryKinds, trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** The trajectory of a trial's last attempt. */
export const readTrajectory = (store: Store, trial: string): Trajectory =>
  trajectoryOf(lastAttempt(parseChain(store.events.ofKinds(trial, trajectoryKinds))));
