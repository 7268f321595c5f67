/** What `make` gives; `fallback` where it throws. */
export function attempt<T, F>(make: () => T, fallback: F): T | F {
  try {
    return make();
  } catch {
    return fallback;
  }
}
