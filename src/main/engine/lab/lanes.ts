import type { BackendDefinition } from '../../../shared/experiment.ts';

/**
 * Trials at a time at a server: as many as the experiment says of the server, else as the run's own setting says,
 * else as the server has slots, else 1.
 * @param usual the run's own setting; null: as many as there are slots
 * @param slots null where the server does not say
 */
export const trialsAtATime = (
  { concurrency }: Pick<BackendDefinition, 'concurrency'>,
  usual: number | null,
  slots: number | null,
): number => concurrency ?? usual ?? slots ?? 1;

/**
 * Calls that a server is asked at a time, of however many trials: as many as the experiment says of the server, else as it
 * has slots, else as there are trials at a time, else 1.
 */
export const callsAtATime = (
  { concurrency }: Pick<BackendDefinition, 'concurrency'>,
  usual: number | null,
  slots: number | null,
): number => concurrency ?? slots ?? usual ?? 1;

/** Trials that ask the same servers, in the order in which they are done. */
export interface Lane<T> {
  readonly trials: T[];
  /** The servers that they ask. */
  readonly servers: readonly string[];
  /** Trials at a time. */
  readonly width: number;
}

/**
 * Divides trials by the servers that they ask, so that no server is idle while trials at another are done.
 * A lane is as wide as the widest of its servers, whose calls at a time are limited where they are made.
 * @param backendsOf names the servers of an arm, in any order
 * @param widthOf trials at a time at a server
 */
export function lanesOf<T extends { readonly arm: string }>(
  trials: readonly T[],
  backendsOf: (arm: string) => readonly string[],
  widthOf: (backend: string) => number,
): Lane<T>[] {
  const lanes = new Map<string, Lane<T>>();
  const laneOfArm = new Map<string, Lane<T>>();
  for (const trial of trials) {
    let lane = laneOfArm.get(trial.arm);
    if (lane === undefined) {
      const names = [...new Set(backendsOf(trial.arm))].toSorted();
      const key = JSON.stringify(names);
      lane = lanes.get(key) ?? { trials: [], servers: names, width: Math.max(...names.map(widthOf)) };
      lanes.set(key, lane);
      laneOfArm.set(trial.arm, lane);
    }
    lane.trials.push(trial);
  }
  return [...lanes.values()];
}
