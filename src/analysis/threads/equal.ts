/** Whether two values of plain data are equal. */

/**
 * Compares numbers, texts, arrays, typed arrays and objects without methods; NaN equals itself. Time: linear in the smaller
 * value; the depth of the call stack is that of the values.
 */
export function isEqualData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (isList(one) || isList(other)) {
    if (!isList(one) || !isList(other) || one.constructor !== other.constructor || one.length !== other.length)
      return false;
    for (let i = 0; i < one.length; i++) if (!isEqualData(one[i], other[i])) return false;
    return true;
  }
  const [entries, values] = [Object.entries(one), new Map(Object.entries(other))];
  return entries.length === values.size && entries.every(([key, value]) => isEqualData(value, values.get(key)));
}

function isList(value: object): value is ArrayLike<unknown> & object {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}
