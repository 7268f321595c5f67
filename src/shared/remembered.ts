/**
 * Computes a value once for each object and keeps it as long as the object. For objects that never change: schemas, the
 * arms and templates of a frozen experiment.
 */
export function remembered<Key extends object, Found>(find: (key: Key) => Found): (key: Key) => Found {
  const known = new WeakMap<Key, { readonly found: Found }>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before.found;
    const found = find(key);
    known.set(key, { found });
    return found;
  };
}

/**
 * A reading of each item, made once however often it is asked for.
 * @param most readings that are kept; those of further items are made each time
 */
export function readOnce<Item, Read>(read: (item: Item) => Read, most = Number.POSITIVE_INFINITY): (item: Item) => Read {
  const known = new Map<Item, Read>();
  return (item) => {
    const before = known.get(item);
    if (before !== undefined || known.has(item)) return before as Read;
    const found = read(item);
    if (known.size < most) known.set(item, found);
    return found;
  };
}
