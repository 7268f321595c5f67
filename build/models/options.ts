// The options of the commands that measure real models.

/** Names of an option, each of them known. Throws with the list where one is not. */
export function chosen<T extends string>(option: string, given: readonly string[], known: readonly T[]): T[] {
  return given.map((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) throw new Error(`--${option} ${name}: name one of ${known.join(', ')}`);
    return found;
  });
}

/** A whole number, at least `least`. Throws where an option is none. */
export function wholeNumber(option: string, given: string, least = 0): number {
  const value = Number(given);
  if (!(Number.isSafeInteger(value) && value >= least))
    throw new Error(`--${option} ${given}: give a whole number${least > 0 ? `, at least ${least}` : ''}`);
  return value;
}
