/** Names of functions as they are shortened where room is scarce: parameters go first, then the package. */
import type { FlamePicture } from './picture.js';

/** The name of a function (an index into `names`), and shorter forms that still say which it is. */
export function shortNames(picture: FlamePicture, id: number): string[] {
  const name = picture.names[id] ?? '';
  const bare = name.replace(/\([^()]*\)$/, '');
  const owner = picture.packages[picture.packageOf[id]] ?? '';
  const short = owner !== '' && bare.startsWith(`${owner}.`) ? bare.slice(owner.length + 1) : bare;
  return [...new Set([name, bare, short])];
}
