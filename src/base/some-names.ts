import { formatCount } from './units.js';

/** The first `most` names, and how many there are besides: `a, b and 3 more`. */
export function someNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
