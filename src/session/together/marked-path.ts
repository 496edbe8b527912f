/** Paths of load objects of several recordings: a path with another content than in an earlier one has a mark behind it, which is never printed. */

/** Between a path and the number of its content. */
export const MARK = '\u0000';

/** A path without its mark. */
export function plainPath(path: string): string {
  const at = path.indexOf(MARK);
  return at < 0 ? path : path.slice(0, at);
}

/** A path with the mark of another, such as that of the load object of its code. */
export function markedLike(path: string, other: string): string {
  return path + other.slice(plainPath(other).length);
}
