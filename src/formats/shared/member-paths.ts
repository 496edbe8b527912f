/** Paths of the members of a tree, for formats whose recordings are sets of files. */
import type { NamedMembers } from '../capabilities/sets.js';

/** The paths with `/` and without `./` at their beginning. */
export function memberPaths(tree: NamedMembers): string[] {
  return tree.members.map(({ path }) => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
}

/** `a/b/c.txt` → `a/b` and `c.txt`. */
export function splitPath(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [slash < 0 ? '' : path.slice(0, slash), path.slice(slash + 1)];
}
