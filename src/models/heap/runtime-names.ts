/** Names of classes as `Class.getName()` has them. */
import { dictionary } from '../../base/dictionary.js';

const PRIMITIVES = dictionary({
  boolean: 'Z',
  byte: 'B',
  char: 'C',
  double: 'D',
  float: 'F',
  int: 'I',
  long: 'J',
  short: 'S',
});

/** The name of a type as sources spell it: `[[I` of `int[][]`, `[La.B;` of `a.B[]`. */
export function runtimeName(type: string): string {
  const element = type.replace(/(?:\[\])+$/, '');
  if (element === type) return type;
  return `${'['.repeat((type.length - element.length) / 2)}${PRIMITIVES[element] ?? `L${element};`}`;
}
