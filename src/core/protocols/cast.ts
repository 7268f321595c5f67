import type { Cast, CastMember } from '../../shared/experiment.ts';
import type { PrecedentNeed } from './protocol.ts';

/** Roles that come in numbers (`judge1`, `judge2`) are covered by the plain one. */
export const plainRole = (role: string) => role.replace(/\d+$/, '');

/** The names that a role is asked under: `judge1` to `judge3` where it has three seats, else its own. */
export function seatNames(role: string, seats: Readonly<Record<string, number>> = {}): string[] {
  const count = seats[role];
  return count === undefined ? [role] : Array.from({ length: count }, (_none, index) => `${role}${index + 1}`);
}

/** Who plays a role: its own entry, else the plain role's, else `*`; undefined where nobody does. */
export function castMember(cast: Cast, role: string): CastMember | undefined {
  return cast[role] ?? cast[plainRole(role)] ?? cast['*'];
}

/**
 * The entries that play in an arm: `*` only where some role has none of its own, and the embedding model only where
 * precedents are found by vectors.
 * @param precedents what the arm looks up, as `BoundProtocol.precedents` tells
 */
export function playersIn(cast: Cast, roles: readonly string[], precedents: PrecedentNeed | null): Cast {
  const { '*': anyone, ...named } = cast;
  const anyoneNeeded = anyone !== undefined && roles.some((role) => castMember(named, role) === undefined);
  const vectorsNeeded = precedents?.retriever === 'similar';
  return Object.fromEntries(
    Object.entries(cast).filter(([role]) => (role !== '*' || anyoneNeeded) && (role !== 'retriever' || vectorsNeeded)),
  );
}

/** Cast entries that no role of the protocol answers to. */
export function strangersIn(cast: Cast, roles: readonly string[]): string[] {
  return Object.keys(cast).filter((name) => name !== '*' && !roles.includes(name) && !roles.includes(plainRole(name)));
}
