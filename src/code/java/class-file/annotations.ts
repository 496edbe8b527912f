/** Annotations (JVMS 4.7.16 to 4.7.22): their elements and, for type annotations, their position in the type. */
import type { Cursor } from './cursor.js';
import { type Named, named } from './named.js';

/** A value of an annotation's element, by the letter that the class file has for it. */
export type ElementValue =
  /** `B C D F I J S Z` and `s` (string): a constant of the pool. */
  | { readonly kind: 'constant'; readonly tag: string; readonly index: number }
  | { readonly kind: 'enum'; readonly type: Named; readonly name: Named }
  /** A class as a descriptor. */
  | { readonly kind: 'class'; readonly type: Named }
  | { readonly kind: 'annotation'; readonly annotation: Annotation }
  | { readonly kind: 'array'; readonly values: readonly ElementValue[] };

export interface Annotation {
  /** Descriptor of the annotation's interface. */
  readonly type: Named;
  readonly elements: readonly { readonly name: Named; readonly value: ElementValue }[];
}

/** Target of a type annotation (JVMS 4.7.20.1): the numbers that follow the target type in the file. */
export interface TypeTarget {
  readonly type: number;
  readonly info: readonly number[];
}

export interface TypeAnnotation extends Annotation {
  readonly target: TypeTarget;
  /** Steps into the type: kind (0 array, 1 nested, 2 wildcard bound, 3 type argument) and argument. */
  readonly path: readonly (readonly [kind: number, argument: number])[];
}

/** Values in values; compilers nest a few deep. */
const MOST_NESTED = 100;

export function annotation(cursor: Cursor, depth = 0): Annotation {
  const type = named(cursor);
  const elements = cursor.list(cursor.count(3), () => ({ name: named(cursor), value: elementValue(cursor, depth) }));
  return { type, elements };
}

export function elementValue(cursor: Cursor, depth = 0): ElementValue {
  const at = cursor.at;
  if (depth >= MOST_NESTED)
    throw cursor.pool.damaged(at, `values nested at most ${MOST_NESTED} deep`, 'deeper nesting');
  const tag = String.fromCharCode(cursor.u1());
  if ('BCDFIJSZs'.includes(tag)) return { kind: 'constant', tag, index: cursor.u2() };
  if (tag === 'e') return { kind: 'enum', type: named(cursor), name: named(cursor) };
  if (tag === 'c') return { kind: 'class', type: named(cursor) };
  if (tag === '@') return { kind: 'annotation', annotation: annotation(cursor, depth + 1) };
  if (tag === '[')
    return { kind: 'array', values: cursor.list(cursor.count(3), () => elementValue(cursor, depth + 1)) };
  throw cursor.pool.damaged(at, 'the tag of an element value', JSON.stringify(tag));
}

export function typeAnnotation(cursor: Cursor): TypeAnnotation {
  const at = cursor.at;
  const type = cursor.u1();
  const info = targetInfo(cursor, type);
  if (info === undefined) throw cursor.pool.damaged(at, 'the target of a type annotation', `0x${type.toString(16)}`);
  const path = cursor.list(cursor.count(2, 1), (): readonly [number, number] => [cursor.u1(), cursor.u1()]);
  return { target: { type, info }, path, ...annotation(cursor) };
}

/** JVMS table 4.7.20-A and the structures behind it. */
function targetInfo(cursor: Cursor, type: number): number[] | undefined {
  if (type === 0x00 || type === 0x01 || type === 0x16) return [cursor.u1()];
  if (type === 0x11 || type === 0x12) return [cursor.u1(), cursor.u1()];
  if (type >= 0x13 && type <= 0x15) return [];
  if (type === 0x40 || type === 0x41)
    return cursor.list(cursor.count(6), () => [cursor.u2(), cursor.u2(), cursor.u2()]).flat();
  if (type === 0x10 || type === 0x17 || (type >= 0x42 && type <= 0x46)) return [cursor.u2()];
  return type >= 0x47 && type <= 0x4b ? [cursor.u2(), cursor.u1()] : undefined;
}
