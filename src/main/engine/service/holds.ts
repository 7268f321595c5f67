// Holds runs and lets them continue: when the user says so, at a time, or by the hours of a plan.
import type { Run } from '../../../shared/api/engine.ts';
import { hoursAt } from '../../../shared/hours.ts';
import type { Active } from './activeRun.ts';
import { actOnce, beginOf, isAhead, lateOf } from './gate.ts';
import type { SettingsFile } from './settings.ts';
import type { StoreAccess } from './storeAccess.ts';

export function openHolds(options: {
  store: Pick<StoreAccess, 'write'>;
  settings: Pick<SettingsFile, 'plan'>;
  keepError: (error: unknown) => void;
  update: (experiment: string, change: Partial<Run>) => void;
  /** The run as it is shown. */
  shown: (experiment: string) => Run | undefined;
  isActive: (experiment: string, run: Active) => boolean;
  /** Called when a run begins or ends to be held. */
  settle: () => void;
}) {
  const { keepError, update, settle } = options;

  const log = (experiment: string, event: 'run-hold' | 'run-continue', times: Readonly<Record<string, string | null>>) => {
    const detail = Object.fromEntries(Object.entries(times).filter(([, time]) => time !== null));
    void options.store
      .write((store) => store.write(() => store.runLog.add(experiment, event, detail)))
      .catch((error: unknown) => keepError(error));
  };

  /** Keeps when a run continues by itself, so that it does after a restart too. Where it cannot be saved, the run is held all the same. */
  const plan = (experiment: string, until: string | null) => {
    try {
      options.settings.plan(experiment, until);
    } catch (error) {
      keepError(error);
    }
  };

  function hold(experiment: string, mine: Active, until: string | null, between: string | null): void {
    const isHeld = mine.gate.closedBy('pause') && mine.until === until && mine.between === between;
    if (mine.controller.signal.aborted || isHeld) return;
    mine.between = between;
    mine.gate.close('pause');
    settle();
    log(experiment, 'run-hold', { until, between });
    update(experiment, { state: 'paused' });
    wake(experiment, mine, until);
  }

  function goOn(experiment: string, mine: Active): void {
    const next = beginOf(mine.between);
    // The machine slept through its hours.
    if (next !== null) {
      hold(experiment, mine, next, mine.between);
      return;
    }
    const { planned = null } = lateOf(mine.until);
    mine.until = null;
    plan(experiment, null);
    mine.gate.open('pause');
    settle();
    log(experiment, 'run-continue', { planned, between: mine.between });
    const state = options.shown(experiment)?.waiting_for === null ? 'running' : 'waiting';
    update(experiment, { paused_until: planned, between: mine.between, state });
    keepHours(experiment, mine);
  }

  /** Holds a run that continues now when its hours end. */
  function keepHours(experiment: string, mine: Active): void {
    const { between } = mine;
    if (between === null) return;
    const { until } = hoursAt(between, new Date());
    actOnce(
      () => until <= new Date(),
      () => mine.between === between && !mine.gate.closedBy('pause') && options.isActive(experiment, mine),
      () => goOn(experiment, mine),
    );
  }

  /** Has a run that is held continue at a time; null: when the user says so. */
  function wake(experiment: string, mine: Active, until: string | null): void {
    mine.until = until;
    plan(experiment, until);
    update(experiment, { paused_until: until, between: mine.between });
    const isWanted = () => mine.until === until && mine.gate.closedBy('pause');
    if (until !== null)
      actOnce(
        () => !isAhead(until),
        isWanted,
        () => goOn(experiment, mine),
      );
  }

  return { log, plan, hold, goOn, keepHours, wake };
}
