/** Tables by names that come from a file or a user. */

/** The entries by name. Unlike in an object literal, `constructor`, `toString` and `__proto__` are none unless they are given. */
export function dictionary<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const table: Record<string, Value> = Object.create(null);
  return Object.assign(table, entries);
}
