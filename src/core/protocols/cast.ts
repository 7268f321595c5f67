import type { Cast, CastMember } from '../../shared/experiment.ts';

/** Roles that come in numbers (`judge1`, `judge2`) are covered by the plain one. */
export const plainRole = (role: string) => role.replace(/\d+$/, '');

/** The judges of a panel: those whom the cast lists by number, in order; one where it lists none. */
export function panelRoles(cast: Cast): string[] {
  const listed = Object.keys(cast).filter((role) => /^judge\d+$/.test(role));
  const number = (role: string) => Number(role.slice('judge'.length));
  return listed.length === 0 ? ['judge1'] : listed.toSorted((a, b) => number(a) - number(b));
}

/** Who plays a role: its own entry, else the plain role's, else `*`; undefined where nobody does. */
export function castMember(cast: Cast, role: string): CastMember | undefined {
  return cast[role] ?? cast[plainRole(role)] ?? cast['*'];
}

/** The entries that play in a protocol: `*` only where some role has none of its own. */
export function playersIn(cast: Cast, roles: readonly string[]): Cast {
  const { '*': anyone, ...named } = cast;
  const needed = anyone !== undefined && roles.some((role) => castMember(named, role) === undefined);
  return needed ? cast : named;
}

/** Cast entries that no role of the protocol answers to. */
export function strangersIn(cast: Cast, roles: readonly string[]): string[] {
  return Object.keys(cast).filter((name) => name !== '*' && !roles.includes(name) && !roles.includes(plainRole(name)));
}
