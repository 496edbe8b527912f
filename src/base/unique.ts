/** Names for things of this process that have none of their own. */
let count = 0;

/** A name unlike any other that this process was given: the prefix and a number. */
export function uniqueName(prefix: string): string {
  return `${prefix}${++count}`;
}
