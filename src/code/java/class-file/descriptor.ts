/**
 * Descriptors (JVMS 4.3) and the names of the same types in Java source: `[Ljava/lang/String;` is `java.lang.String[]`.
 * Binary names keep their `$`.
 */
import { PRIMITIVES } from '../../../models/program/names.js';

const LETTERS = new Map(Object.entries(PRIMITIVES).map(([letter, name]) => [name, letter]));
/** JVMS 4.3.2: an array type has at most 255 dimensions. */
const MOST_DIMENSIONS = 255;

export interface MethodTypes {
  /** Java source types: `int`, `java.lang.String[]`. */
  readonly parameters: readonly string[];
  readonly returns: string;
}

/** `java/util/Map$Entry` → `java.util.Map$Entry`. */
export function binaryName(internalText: string): string {
  return internalText.replaceAll('/', '.');
}

/** `java.util.Map$Entry` → `java/util/Map$Entry`. */
export function internalName(binaryText: string): string {
  return binaryText.replaceAll('.', '/');
}

/** The type that a Class entry names: a class by its binary name, an array as `int[]`. */
export function classTypeName(internalText: string): string {
  return internalText.startsWith('[') ? (fieldType(internalText) ?? internalText) : binaryName(internalText);
}

/** The end of the field type that begins at `from`; -1 if none does. */
export function typeEnd(descriptor: string, from: number): number {
  let at = from;
  while (descriptor[at] === '[') at++;
  if (at - from > MOST_DIMENSIONS) return -1;
  if (descriptor[at] === 'L') {
    const end = descriptor.indexOf(';', at);
    return end > at + 1 ? end + 1 : -1;
  }
  return at < descriptor.length && 'BCDFIJSZ'.includes(descriptor[at]) ? at + 1 : -1;
}

/** The Java source type of a whole field type. */
function sourceType(type: string): string {
  const dimensions = type.lastIndexOf('[') + 1;
  const element = type.slice(dimensions);
  const name = element.startsWith('L') ? binaryName(element.slice(1, -1)) : PRIMITIVES[element];
  return `${name}${'[]'.repeat(dimensions)}`;
}

/** `[I` → `int[]`; undefined if the text is not a field descriptor. */
export function fieldType(descriptor: string): string | undefined {
  return typeEnd(descriptor, 0) === descriptor.length ? sourceType(descriptor) : undefined;
}

/** `(ILjava/lang/String;)V` → `int, java.lang.String` and `void`; undefined if the text is not a method descriptor. */
export function methodTypes(descriptor: string): MethodTypes | undefined {
  if (descriptor[0] !== '(') return undefined;
  const parameters: string[] = [];
  let at = 1;
  while (at < descriptor.length && descriptor[at] !== ')') {
    const end = typeEnd(descriptor, at);
    if (end < 0) return undefined;
    parameters.push(sourceType(descriptor.slice(at, end)));
    at = end;
  }
  if (descriptor[at] !== ')') return undefined;
  const returned = descriptor.slice(at + 1);
  const returns = returned === 'V' ? 'void' : fieldType(returned);
  return returns === undefined ? undefined : { parameters, returns };
}

/** Local variable slots that the parameters take: two for `long` and `double`; without `this`. */
export function parameterSlots(types: MethodTypes): number {
  return types.parameters.reduce((sum, type) => sum + (type === 'long' || type === 'double' ? 2 : 1), 0);
}

/** `java.lang.String[]` → `[Ljava/lang/String;`: the descriptor of a Java source type. */
export function descriptorOf(type: string): string {
  const element = type.replace(/(\[\])+$/, '');
  const dimensions = (type.length - element.length) / 2;
  return '['.repeat(dimensions) + (LETTERS.get(element) ?? `L${internalName(element)};`);
}
