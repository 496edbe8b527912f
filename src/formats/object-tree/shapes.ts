/** The words after the text of an object, for reading and writing. */
import { OBJECT_KINDS } from '../../models/heap/heap.js';

const OBJECT_ARRAY = OBJECT_KINDS.indexOf('object-array');
const PRIMITIVE_ARRAY = OBJECT_KINDS.indexOf('primitive-array');

/** Index into `SHAPES`, by the kind of the object and whether lines are below it. */
export function usualShape(kind: number, hasLines: boolean): number {
  const isArray = kind === OBJECT_ARRAY || kind === PRIMITIVE_ARRAY;
  return (isArray ? 2 : 0) + (hasLines ? 0 : 1);
}
