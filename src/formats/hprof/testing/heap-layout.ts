/**
 * Where HotSpot puts objects: how large they are, field by field, and their addresses. Dumps made with it have known
 * sizes, and addresses as those of a real heap: ascending and touching.
 *
 * Rule: `fieldLayoutBuilder.cpp` of JDK 15 and later, `arrayOop.hpp`; without fields that the VM adds (ClassLoader, Module)
 * and `@Contended` (Thread).
 */
import { TYPE_OBJECT, typeSizes } from '../tags.js';

export interface Layout {
  readonly title: string;
  readonly idSize: 4 | 8;
  /** Bytes of a reference in the heap. */
  readonly reference: 4 | 8;
  /** Bytes before the fields. */
  readonly header: number;
  /** Bytes before the elements, unless these are aligned to more. */
  readonly arrayHeader: number;
}

const COMPRESSED: Layout = { title: 'compressed', idSize: 8, reference: 4, header: 12, arrayHeader: 16 };
/** References and class pointers of 8 bytes, up to JDK 21. */
const WIDE: Layout = { title: 'wide', idSize: 8, reference: 8, header: 16, arrayHeader: 24 };
/** Headers of 8 bytes, JDK 24 and later. */
const COMPACT: Layout = { title: 'compact', idSize: 8, reference: 4, header: 8, arrayHeader: 12 };
const NARROW: Layout = { title: '32-bit', idSize: 4, reference: 4, header: 8, arrayHeader: 12 };

export const LAYOUTS = { compressed: COMPRESSED, wide: WIDE, compact: COMPACT, narrow: NARROW } as const;

const ALIGNMENT = 8;
/** Of class objects in our dumps. HotSpot's have 96 to 120 bytes, and more for statics. */
export const CLASS_BYTES = 112;

export function alignedTo(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

/** Bytes of an array in the heap. */
export function arrayBytes(layout: Layout, type: number, length: number): number {
  const size = type === TYPE_OBJECT ? layout.reference : (typeSizes(layout.idSize)[type] ?? 0);
  return alignedTo(alignedTo(layout.arrayHeader, size) + length * size, ALIGNMENT);
}

/** Free bytes among the fields of a class, and where its fields end. */
export interface FieldSpace {
  readonly gaps: readonly (readonly [from: number, to: number])[];
  readonly end: number;
}

/** Space of a class's own fields behind those of its superclass: large primitives first, references last; gaps are filled. */
export function placeFields(layout: Layout, types: readonly number[], parent?: FieldSpace): FieldSpace {
  const sizes = typeSizes(layout.idSize);
  const primitives = types.filter((type) => type !== TYPE_OBJECT).map((type) => sizes[type] ?? 0);
  const wanted = primitives.sort((a, b) => b - a);
  for (const type of types) if (type === TYPE_OBJECT) wanted.push(layout.reference);
  let { gaps, end } = parent ?? { gaps: [], end: layout.header };
  for (const size of wanted) {
    const gap = smallestFit(gaps, size);
    const from = alignedTo(gap?.[0] ?? end, size);
    const left = gap ?? [end, from + size];
    gaps = gaps.filter((other) => other !== gap);
    if (left[0] < from) gaps = [...gaps, [left[0], from]];
    if (from + size < left[1]) gaps = [...gaps, [from + size, left[1]]];
    end = Math.max(end, from + size);
  }
  return { gaps, end };
}

function smallestFit(gaps: FieldSpace['gaps'], size: number): FieldSpace['gaps'][number] | undefined {
  const room = ([from, to]: readonly [number, number]): number => to - from;
  return gaps
    .filter(([from, to]) => alignedTo(from, size) + size <= to)
    .sort((a, b) => room(a) - room(b))
    .at(0);
}

/** Bytes of an instance in the heap. */
export function instanceBytes(space: FieldSpace): number {
  return alignedTo(space.end, ALIGNMENT);
}

/** Hands out addresses, one object behind the other. */
export class HeapSpace {
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** Address of the next object. */
  get next(): number {
    return this.#next;
  }

  take(bytes: number): number {
    const at = this.#next;
    this.#next += bytes;
    return at;
  }
}
