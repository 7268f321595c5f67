import type { Belief } from '../../shared/domain.ts';

/** Other name of a class -> its usual name. */
export type Aliases = Readonly<Record<string, string>>;

/** A name without its parentheses, in lower case, spaces as one; the whole name where nothing else is left. */
function stripped(name: string): string {
  const short = name
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return short === '' ? name.trim().toLowerCase() : short;
}

/** What the alias table has for a name as it is spelled, else for one that reads alike and is not another of the names. */
function aliased(name: string, aliases: Aliases, names: readonly string[]): string | null {
  if (Object.hasOwn(aliases, name)) return aliases[name] ?? null;
  const found = Object.entries(aliases).find(([alias]) => stripped(alias) === stripped(name) && !names.includes(alias));
  return found?.[1] ?? null;
}

/**
 * The mass of each class, from that of names: stripped of parentheticals, in lower case, and replaced by what the alias
 * table has for them (appendices 7.D and 7.E of "SocraSynth and EVINCE" name one class in several ways). Names of one list that differ only in their parentheticals are
 * different classes ("theft (first degree)", "theft (second degree)") and stay so; those that the alias table folds
 * together are one.
 *
 * @param names in the order in which their classes are wanted
 */
export function overClasses(
  belief: Belief,
  aliases: Aliases = {},
  names: readonly string[] = Object.keys(belief),
): ReadonlyMap<string, number> {
  const alike = Map.groupBy(names, stripped);
  const classes = new Map<string, number>();
  const isOneOfMany = (name: string) => names.includes(name) && alike.get(stripped(name))?.length !== 1;
  for (const name of names) {
    const target = aliased(name, aliases, names) ?? name;
    const own = isOneOfMany(target) ? target : stripped(target);
    classes.set(own, (classes.get(own) ?? 0) + (belief[name] ?? 0));
  }
  return classes;
}

type Masses = ReadonlyMap<string, number>;

/** Masses by class as rows over the same classes, in the order in which they are first named; 0 where one has none. */
export function alignedOver(first: Masses, second: Masses): readonly (readonly number[])[] {
  const classes = [...new Set([...first.keys(), ...second.keys()])];
  return [first, second].map((masses) => classes.map((name) => masses.get(name) ?? 0));
}
