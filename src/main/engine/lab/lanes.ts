import type { BackendDefinition } from '../../../shared/experiment.ts';

/** Trials that ask the same servers, in the order in which they are done. */
export interface Lane<T> {
  readonly trials: T[];
  /** Trials at a time. */
  readonly width: number;
}

/**
 * Divides trials by the servers that they ask, so that no server stands idle while trials at another are done.
 * A lane is as wide as the widest of its servers, whose calls at a time are limited where they are made.
 * @param backendsOf names the servers of an arm, in any order
 * @param width trials at a time where a server has no number of its own
 */
export function lanesOf<T extends { readonly arm: string }>(
  trials: readonly T[],
  backendsOf: (arm: string) => readonly string[],
  backends: Readonly<Record<string, BackendDefinition>>,
  width: number,
): Lane<T>[] {
  const lanes = new Map<string, Lane<T>>();
  const laneOfArm = new Map<string, Lane<T>>();
  for (const trial of trials) {
    let lane = laneOfArm.get(trial.arm);
    if (lane === undefined) {
      const names = [...new Set(backendsOf(trial.arm))].toSorted();
      const key = JSON.stringify(names);
      lane = lanes.get(key) ?? { trials: [], width: Math.max(...names.map((name) => backends[name]?.concurrency ?? width)) };
      lanes.set(key, lane);
      laneOfArm.set(trial.arm, lane);
    }
    lane.trials.push(trial);
  }
  return [...lanes.values()];
}
