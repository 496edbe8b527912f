/** Names for objects of this process that have no name of their own. */
let count = 0;

/** A name that is unique in this process: the prefix and a number. */
export function uniqueName(prefix: string): string {
  return `${prefix}${++count}`;
}
