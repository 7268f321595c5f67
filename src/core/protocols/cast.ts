import type { Cast, CastMember } from '../../shared/experiment.ts';

/** Roles that come in numbers (`judge1`, `judge2`) are covered by the plain one. */
export const plainRole = (role: string) => role.replace(/\d+$/, '');

/** Who plays a role: its own entry, else the plain role's, else `*`; undefined where nobody does. */
export function castMember(cast: Cast, role: string): CastMember | undefined {
  return cast[role] ?? cast[plainRole(role)] ?? cast['*'];
}

/** Whether a role is played by a model that makes vectors. */
export const isEmbeddingRole = (role: string): boolean => role === 'retriever' || role === 'embedder';

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
