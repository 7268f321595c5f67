/** Specs kept from one maker: as many as a data set whose cases have their own labels needs at a time. */
const mostKept = 64;

/** Makes a spec once for equal arguments, since a schema costs more than reading a trial's answers. `make` has no other input. */
export function kept<A extends readonly (string | number | boolean | readonly string[])[], Spec>(
  make: (...args: A) => Spec,
): (...args: A) => Spec {
  const made = new Map<string, Spec>();
  return (...args) => {
    const name = JSON.stringify(args);
    const known = made.get(name);
    if (known !== undefined) return known;
    const [oldest] = made.keys();
    if (made.size >= mostKept && oldest !== undefined) made.delete(oldest);
    const spec = make(...args);
    made.set(name, spec);
    return spec;
  };
}
