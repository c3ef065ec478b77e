/**
 * Creates what belongs to a key once, and keeps it for the keys that were asked for last.
 *
 * @param max how many keys: of others, it is created anew
 */
export function keptByKey<Key, Value extends object>(
  max: number,
  create: (key: Key) => Value,
): (key: Key) => Value {
  const kept = new Map<Key, Value>();
  return (key) => {
    const value = kept.get(key) ?? create(key);
    kept.delete(key);
    kept.set(key, value);
    for (const oldest of kept.keys()) {
      if (kept.size <= max) break;
      kept.delete(oldest);
    }
    return value;
  };
}
