/**
 * Short names of functions for narrow boxes: parameters are omitted first, then the package, then the outer classes, at
 * last the class.
 */
import type { FlamePicture } from './picture.js';

/** The name of a function (an index into `names`), and ever shorter forms that still identify it. */
export function shortNames(picture: FlamePicture, id: number): string[] {
  const name = picture.names[id] ?? '';
  const bare = name.replace(/\([^()]*\)$/, '');
  const owner = picture.packages[picture.packageOf[id]] ?? '';
  const short = owner !== '' && bare.startsWith(`${owner}.`) ? bare.slice(owner.length + 1) : bare;
  const dot = short.lastIndexOf('.');
  if (dot < 0) return [...new Set([name, bare, short])];
  const inner = short.slice(short.lastIndexOf('$', dot - 1) + 1);
  const method = short.slice(dot + 1);
  // Many classes have an `<init>`: alone it is not informative.
  return [...new Set([name, bare, short, inner, ...(method.startsWith('<') ? [] : [method])])];
}
