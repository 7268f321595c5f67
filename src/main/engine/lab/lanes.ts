// How trials and calls are divided among servers, those that share the calls of one backend included.
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';

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

export interface Lane<T> {
  readonly trials: T[];
  readonly servers: readonly string[];
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

type Backends = Readonly<Record<string, Pick<BackendDefinition, 'joins'>>>;

/** Each backend that a cast names, with the servers that its calls can go to, itself first. */
export function poolsIn({ backends, arms }: Pick<Experiment, 'arms'> & { readonly backends: Backends }): Map<string, string[]> {
  const named = new Set(arms.flatMap(({ cast }) => Object.values(cast)).map(({ backend }) => backend));
  return new Map([...named].map((name) => [name, poolOf(backends, name)]));
}

/** Servers without the pools of which the first is not among them, or of another kind. */
export function wholePools(backends: Readonly<Record<string, BackendDefinition>>): Record<string, BackendDefinition> {
  return Object.fromEntries(
    Object.entries(backends).map(([name, { joins, ...alone }]) => {
      const fits = joins !== undefined && backends[joins]?.kind === alone.kind;
      return [name, fits ? { ...alone, joins } : alone];
    }),
  );
}

export const poolOf = (backends: Backends, backend: string): string[] => [
  backend,
  ...Object.keys(backends).filter((name) => backends[name]?.joins === backend),
];

export function poolProblem(backends: Readonly<Record<string, BackendDefinition>>, reproducible: boolean) {
  for (const [name, { kind, joins }] of Object.entries(backends)) {
    if (joins === undefined) continue;
    const first = backends[joins];
    const problem =
      first === undefined || joins === name
        ? `there is no other backend ${JSON.stringify(joins)} whose calls it could share`
        : first.joins !== undefined
          ? `backend ${JSON.stringify(joins)} shares calls itself; name the backend that it joins`
          : first.kind !== kind
            ? `backend ${JSON.stringify(joins)} is of kind ${first.kind}, and only servers of one kind can share calls`
            : reproducible
              ? 'a reproducible run asks one server; leave reproducible out, or joins'
              : null;
    if (problem !== null) return { backend: name, problem };
  }
  return null;
}
