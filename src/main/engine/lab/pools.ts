// Servers that share the calls of one backend.
import type { BackendDefinition, Experiment } from '../../../shared/experiment.ts';

type Backends = Readonly<Record<string, Pick<BackendDefinition, 'joins'>>>;

/** Names of the servers that take part of the calls of another one and are named by no cast: a run can do without them. */
export function joiningIn({ backends, arms }: Pick<Experiment, 'arms'> & { readonly backends: Backends }): Set<string> {
  const named = new Set(arms.flatMap(({ cast }) => Object.values(cast)).map(({ backend }) => backend));
  return new Set(Object.keys(backends).filter((name) => backends[name]?.joins !== undefined && !named.has(name)));
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

/** The servers that share the calls of a backend, itself first. */
export const poolOf = (backends: Backends, backend: string): string[] => [
  backend,
  ...Object.keys(backends).filter((name) => backends[name]?.joins === backend),
];

/** What is wrong with how servers share calls, and at which backend; null where nothing is. */
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
