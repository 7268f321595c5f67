/** The cases that two arms share, as places in both lists, in the order of the first. RangeError where a list repeats a case. */
export function commonCases(
  first: readonly string[],
  second: readonly string[],
): { readonly first: Uint32Array; readonly second: Uint32Array } {
  const own = placesOf(first);
  if (first.length === second.length && first.every((name, place) => name === second[place])) {
    const all = Uint32Array.from(own.values());
    return { first: all, second: all };
  }
  const others = placesOf(second);
  const common = Uint32Array.from(first.keys()).filter((place) => others.has(first[place] ?? ''));
  return { first: common, second: common.map((place) => others.get(first[place] ?? '') ?? 0) };
}

function placesOf(names: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  names.forEach((name, place) => {
    if (places.has(name)) throw new RangeError(`case ${JSON.stringify(name)} is listed twice`);
    places.set(name, place);
  });
  return places;
}
