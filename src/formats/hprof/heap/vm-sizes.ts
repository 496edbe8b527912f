/**
 * Sizes of objects as in the VM, which no dump has. The distance to the next object bounds a size from above, and is exact
 * where two objects touch; the layout rule of HotSpot bounds it from below. Which layout it is, follows from the distances.
 *
 * Sources: `instanceKlass`, `arrayOop.hpp`, `fieldLayoutBuilder.cpp` and `javaClasses.cpp` of OpenJDK 8 to 25.
 */
import {
  type HeapClasses,
  type HeapSizes,
  OBJECT_KINDS,
  OBJECT_TYPE,
  type ObjectLayout,
  type OwnSizes,
  SIZE_SOURCES,
  VALUE_BYTES,
} from '../../../models/heap/heap.js';
import { recordedBytes, roundedUp } from '../../../models/heap/values.js';
import { chunkSizes } from './chunk-sizes.js';
import type { ReadClasses } from './heap-classes.js';
import { ARRAY_GAPS, GAP_LENGTHS, PRIMITIVE_RESIDUES, RESIDUES, type ScanPart } from './passes/scan-part.js';
import { STACK_CHUNK } from './passes/stack-chunks.js';
import { declaresOf, ValueBytes } from './value-bytes.js';
import { hasShortArrays, isSince15 } from './vm-fields.js';

const INSTANCE = OBJECT_KINDS.indexOf('instance');
const RULE = SIZE_SOURCES.indexOf('rule');
const GAP = SIZE_SOURCES.indexOf('gap');

/** Header, reference, arrays of references, of 8-byte values, of smaller ones. */
type Candidate = readonly [number, number, number, number, number];

/**
 * Compressed references; compressed class pointers alone; neither, before and since JDK 22; compressed references alone, likewise; compact
 * headers with and without compressed references.
 */
const WIDE: readonly Candidate[] = [
  [12, 4, 16, 16, 16],
  [12, 8, 16, 16, 16],
  [16, 8, 24, 24, 24],
  [16, 8, 24, 24, 20],
  [16, 4, 24, 24, 24],
  [16, 4, 20, 24, 20],
  [8, 4, 12, 16, 12],
  [8, 8, 16, 16, 12],
];
const NARROW: readonly Candidate[] = [[8, 4, 12, 16, 12]];

/** A gap between fewer objects may be one between objects that do not touch. */
const MANY = 16;

/** The sizes of all objects of a dump by the VM's rule. */
export function vmSizes(scan: ScanPart, read: ReadClasses, idSize: number): HeapSizes {
  const gaps = instanceGaps(scan, read, idAlignment(scan));
  const layout = layoutOf(scan, read, gaps, idSize);
  const { classes } = read;
  const values = new ValueBytes(read, layout);
  const levels = usesLevels(read, gaps, values, layout);
  const endOf = (row: number): number => (levels ? values.levels(row) : values.placed(row));
  const base = new Float64Array(classes.length);
  const width = new Uint8Array(classes.length);
  const source = new Uint8Array(classes.length).fill(RULE);
  for (let row = 0; row < classes.length; row++) {
    if (classes.kind[row] !== INSTANCE) {
      width[row] = recordedBytes(classes.element[row], layout.reference);
      base[row] = arrayBase(classes.element[row], layout);
      continue;
    }
    const rule = roundedUp(endOf(row), layout.alignment);
    base[row] = Math.min(rule, gaps[row]);
    if (layout.from === 'gaps' && gaps[row] <= rule) source[row] = GAP;
  }
  const instanceSizes = ownSizes(scan, read, { base, layout, idSize });
  const ownBytes = roundedUp(read.classClass < 0 ? layout.header : endOf(read.classClass), layout.alignment);
  const classObject = classObjects(classes, values, ownBytes, layout);
  return {
    rule: 'vm',
    base,
    width,
    classObject,
    bytes: bytesOf(scan, read, {
      base,
      width,
      classObject,
      alignment: layout.alignment,
      ...(instanceSizes && { instanceSizes }),
    }),
    alignment: layout.alignment,
    source,
    layout,
    ...(instanceSizes && { instanceSizes }),
  };
}

/** Sizes of stacks of virtual threads, if the dump has such. */
function ownSizes(
  { chunks }: ScanPart,
  { classes, names, stringNamed }: ReadClasses,
  { base, layout, idSize }: Pick<HeapSizes, 'base' | 'layout'> & { readonly idSize: number },
): OwnSizes | undefined {
  if (chunks.id.length === 0) return undefined;
  const heapClass = names.indexOf(STACK_CHUNK.replaceAll('/', '.'));
  const sizeName = stringNamed('size');
  return heapClass < 0
    ? undefined
    : chunkSizes(chunks, classes, { heapClass, sizeName, idSize, base: base[heapClass], layout });
}

function arrayBase(element: number, layout: ObjectLayout): number {
  if (element === OBJECT_TYPE) return layout.referenceArray;
  return VALUE_BYTES[element] === 8 ? layout.wideArray : layout.narrowArray;
}

/** What all ids are multiples of. Below 4 they are numbers of an agent, no addresses. */
function idAlignment({ bits }: ScanPart): number {
  return bits === 0 ? 8 : (bits & -bits) >>> 0;
}

/** By heap class: the smallest distance from an instance to the next object; numbers have none. */
function instanceGaps({ id, gaps }: ScanPart, { classes, ofInstances }: ReadClasses, aligned: number): Float64Array {
  const smallest = new Float64Array(classes.length).fill(Number.POSITIVE_INFINITY);
  if (aligned < 4) return smallest;
  for (let number = 0; number < id.length; number++) {
    const row = ofInstances[number];
    if (row >= 0) smallest[row] = Math.min(smallest[row], gaps[ARRAY_GAPS + number]);
  }
  return smallest;
}

/** The layout whose sizes fit the distances best: never larger, as often equal as possible. */
function layoutOf(scan: ScanPart, read: ReadClasses, gaps: Float64Array, idSize: number): ObjectLayout {
  const aligned = idAlignment(scan);
  const short = hasShortArrays(declaresOf(read));
  const isPossible = ([header, , , wide, narrow]: Candidate): boolean =>
    header < 16 || short === undefined || narrow < wide === short;
  const candidates = idSize === 8 ? WIDE.filter(isPossible) : NARROW;
  // The VM of agents had 64 bits, since JDK 5 at least.
  if (aligned < 4) return toLayout(WIDE[0], 8, 'ids');
  const alignment = Math.max(8, Math.min(aligned, 256));
  let best: { readonly layout: ObjectLayout; readonly score: number } | undefined;
  for (const candidate of candidates) {
    const layout = toLayout(candidate, alignment, 'gaps');
    const score = scoreOf(layout, scan, read, gaps);
    if (best === undefined || score > best.score) best = { layout, score };
  }
  const chosen = best?.layout ?? toLayout(candidates[0], alignment, 'ids');
  return best !== undefined && best.score > 0 ? chosen : { ...chosen, from: 'ids' };
}

function toLayout(
  [header, reference, referenceArray, wideArray, narrowArray]: Candidate,
  alignment: number,
  from: ObjectLayout['from'],
): ObjectLayout {
  return { header, reference, referenceArray, wideArray, narrowArray, alignment, from };
}

/** One for each size that equals a distance; minus more for each that is larger, which is impossible. */
function scoreOf(layout: ObjectLayout, { gaps: all }: ScanPart, read: ReadClasses, gaps: Float64Array): number {
  const { classes } = read;
  let score = 0;
  const compare = (size: number, gap: number): void => {
    if (gap === Number.POSITIVE_INFINITY) return;
    if (size === gap) score++;
    else if (size > gap) score -= 3;
  };
  for (let type = OBJECT_TYPE; type < VALUE_BYTES.length; type++) {
    const base = arrayBase(type, layout);
    for (let length = 0; length < GAP_LENGTHS; length++)
      compare(
        roundedUp(base + length * recordedBytes(type, layout.reference), layout.alignment),
        all[type * GAP_LENGTHS + length],
      );
  }
  const values = new ValueBytes(read, layout);
  for (let row = 0; row < classes.length; row++)
    if (classes.kind[row] === INSTANCE && classes.objects[row] >= MANY)
      compare(roundedUp(values.placed(row), layout.alignment), gaps[row]);
  return score;
}

/** Whether the fields of each class begin behind those of its super class, rounded up to a reference: before JDK 15. */
function usesLevels(read: ReadClasses, gaps: Float64Array, values: ValueBytes, layout: ObjectLayout): boolean {
  const { classes } = read;
  const is15 = isSince15(declaresOf(read));
  if (is15 !== undefined) return !is15;
  let equal = 0;
  for (let row = 0; row < classes.length; row++) {
    if (classes.kind[row] !== INSTANCE || gaps[row] === Number.POSITIVE_INFINITY) continue;
    const placed = roundedUp(values.placed(row), layout.alignment);
    const levels = roundedUp(values.levels(row), layout.alignment);
    if (placed === levels) continue;
    if (gaps[row] < levels) return false;
    if (gaps[row] === levels) equal++;
  }
  return equal > 0;
}

/** Class objects: `ownBytes` of the fields of `java.lang.Class`. The statics of their class follow that, so both are rounded up. */
function classObjects(classes: HeapClasses, values: ValueBytes, ownBytes: number, layout: ObjectLayout): Float64Array {
  const sizes = new Float64Array(classes.length);
  for (let row = 0; row < classes.length; row++)
    if (classes.address[row] >= 0) sizes[row] = ownBytes + roundedUp(values.statics(row), layout.alignment);
  return sizes;
}

type Rule = Pick<HeapSizes, 'base' | 'width' | 'classObject' | 'alignment' | 'instanceSizes'>;

/** By heap class: bytes of its objects. How far the size of an array is rounded up depends on its length modulo a number. */
export function bytesOf(
  scan: ScanPart,
  read: ReadClasses,
  { base, width, classObject, alignment, instanceSizes }: Rule,
): Float64Array {
  const { classes, ofInstances, ofArrays, fields } = read;
  const bytes = new Float64Array(classes.length);
  const arrays = (row: number, counts: Float64Array, elements: number): void => {
    let all = elements * width[row];
    counts.forEach((count, residue) => {
      const values = residue * width[row];
      all += count * (roundedUp(base[row] + values, alignment) - values);
    });
    bytes[row] += all;
  };
  scan.id.forEach((_, number) => {
    const row = ofInstances[number];
    if (row >= 0) bytes[row] += scan.instances[number] * base[row];
    if (ofArrays[number] >= 0)
      arrays(
        ofArrays[number],
        scan.residues.subarray(number * RESIDUES, (number + 1) * RESIDUES),
        scan.elements[number],
      );
  });
  fields.primitiveClass.forEach((row, type) => {
    if (row >= 0)
      arrays(
        row,
        scan.primitiveResidues.subarray(type * PRIMITIVE_RESIDUES, (type + 1) * PRIMITIVE_RESIDUES),
        scan.primitiveElements[type],
      );
  });
  if (instanceSizes !== undefined)
    bytes[instanceSizes.heapClass] = instanceSizes.bytes.reduce((sum, one) => sum + one, 0);
  const { classClass } = read;
  if (classClass >= 0) for (const size of classObject) bytes[classClass] += size;
  return bytes;
}
