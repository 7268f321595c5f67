import type { Cast, CastMember } from '../../shared/experiment.ts';
import type { AssistantNeed, PrecedentNeed } from './protocol.ts';

/** Roles that come in numbers (`judge1`, `judge2`) are covered by the plain one. */
export const plainRole = (role: string) => role.replace(/\d+$/, '');

/** The names that a role is asked under: `judge1` to `judge3` where it has three seats, else its own. */
export function seatNames(role: string, seats: Readonly<Record<string, number>> = {}): string[] {
  const count = seats[role];
  return count === undefined ? [role] : Array.from({ length: count }, (_none, index) => `${role}${index + 1}`);
}

/** The judges of a panel: those whom the cast lists by number, in order; one where it lists none. */
export function panelRoles(cast: Cast): string[] {
  const listed = Object.keys(cast).filter((role) => /^judge\d+$/.test(role));
  const number = (role: string) => Number(role.slice('judge'.length));
  return listed.length === 0 ? ['judge1'] : listed.toSorted((a, b) => number(a) - number(b));
}

/** Who plays a role: its own entry, else the plain role's, else `*`; undefined if no one does. */
export function castMember(cast: Cast, role: string): CastMember | undefined {
  return cast[role] ?? cast[plainRole(role)] ?? cast['*'];
}

export const isEmbeddingRole = (role: string): boolean => role === 'retriever' || role === 'embedder';

export interface VectorNeeds {
  readonly precedents: PrecedentNeed | null;
  readonly assistant: AssistantNeed | null;
}

/** The entries that play in an arm: `*` only for roles without one, models of vectors only where they are needed. */
export function playersIn(cast: Cast, roles: readonly string[], { precedents, assistant }: VectorNeeds): Cast {
  const { '*': anyone, ...named } = cast;
  const anyoneNeeded = anyone !== undefined && roles.some((role) => castMember(named, role) === undefined);
  return Object.fromEntries(
    Object.entries(cast).filter(([role]) => {
      if (role === '*') return anyoneNeeded;
      if (role === 'retriever') return precedents?.retriever === 'similar';
      return role !== 'embedder' || assistant !== null;
    }),
  );
}

/** Cast entries that match no one. @param roles cast by name, a plain one for all its seats @param players all asked, by seat */
export function strangersIn(cast: Cast, roles: readonly string[], players: readonly string[]): string[] {
  return Object.keys(cast).filter((name) => name !== '*' && !roles.includes(name) && !players.includes(name));
}
