/**
 * The cases that two arms share, as their places in both lists, in the order of the first.
 * RangeError where a list names a case twice: replicates of a case belong to one place.
 */
export function commonCases(first: readonly string[], second: readonly string[]): { first: number; second: number }[] {
  const places = placesOf(second);
  return [...placesOf(first)].flatMap(([name, place]) => {
    const other = places.get(name);
    return other === undefined ? [] : [{ first: place, second: other }];
  });
}

function placesOf(names: readonly string[]): Map<string, number> {
  const places = new Map(names.map((name, place) => [name, place]));
  const repeated = names.find((name, place) => places.get(name) !== place);
  if (repeated !== undefined) throw new RangeError(`case ${JSON.stringify(repeated)} is listed twice`);
  return places;
}
