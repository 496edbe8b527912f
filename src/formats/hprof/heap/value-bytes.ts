/** Bytes of header and fields of instances, before rounding, by the layout of a VM. */
import { type HeapClasses, OBJECT_TYPE, type ObjectLayout } from '../../../models/heap/heap.js';
import { recordedBytes, roundedUp } from '../../../models/heap/values.js';
import { levelEnd } from './field-levels.js';
import { FieldSpace, type SpacedField } from './field-space.js';
import type { ReadClasses } from './heap-classes.js';
import { addedTypes, type Contention, contentionOf, type Declares, isPlacedByName } from './vm-fields.js';

export class ValueBytes {
  readonly #classes: HeapClasses;
  readonly #read: ReadClasses;
  readonly #layout: ObjectLayout;
  readonly #declares: Declares;
  /** By heap class: the fields as they are placed since JDK 15; the end of the fields before, -1 unknown. */
  readonly #spaces: (FieldSpace | undefined)[];
  readonly #levels: Float64Array;

  constructor(read: ReadClasses, layout: ObjectLayout) {
    const { length } = read.classes;
    this.#classes = read.classes;
    this.#read = read;
    this.#layout = layout;
    this.#declares = declaresOf(read);
    this.#spaces = new Array(length);
    this.#levels = new Float64Array(length).fill(-1);
  }

  /** The end of the fields since JDK 15: they fill what those of super classes left free. */
  placed(row: number): number {
    return this.#spaceOf(row).end;
  }

  /** The end of the fields before JDK 15: those of each class begin behind those of its super class. */
  levels(row: number): number {
    const { header, reference } = this.#layout;
    for (const at of this.#pathOf(row, (level) => this.#levels[level] >= 0)) {
      const parent = this.#classes.parent[at];
      const start = parent < 0 ? header : Math.max(header, this.#levels[parent]);
      const isFixed = isPlacedByName(this.#read.names[at]);
      this.#levels[at] = levelEnd(start, { ...this.#fieldsOf(at), isFixed }, reference);
    }
    return this.#levels[row];
  }

  #spaceOf(row: number): FieldSpace {
    const { header, reference } = this.#layout;
    const empty = new FieldSpace(header);
    for (const at of this.#pathOf(row, (level) => this.#spaces[level] !== undefined)) {
      const parent = this.#classes.parent[at];
      const above = (parent < 0 ? undefined : this.#spaces[parent]) ?? empty;
      const { fields, contention } = this.#fieldsOf(at);
      this.#spaces[at] =
        fields.length === 0 && contention === undefined ? above : above.with(fields, reference, contention);
    }
    return this.#spaces[row] ?? empty;
  }

  /** A class and those above it that are not known yet, from the top. A circle of super classes in damaged data ends. */
  #pathOf(row: number, isKnown: (row: number) => boolean): number[] {
    const { parent } = this.#classes;
    if (isKnown(row)) return [];
    const path = new Set<number>();
    for (let at = row; at >= 0 && !isKnown(at) && !path.has(at); at = parent[at]) path.add(at);
    return [...path].reverse();
  }

  /** The fields that a class declares, and those that the VM adds. */
  #fieldsOf(row: number): { readonly fields: readonly SpacedField[]; readonly contention?: Contention } {
    const { fieldFirst, fieldType, fieldName } = this.#classes;
    const { names, stringNamed } = this.#read;
    const fields: SpacedField[] = [];
    for (let i = fieldFirst[row]; i < fieldFirst[row + 1]; i++) fields.push({ type: fieldType[i], name: fieldName[i] });
    const name = names[row];
    if (name === undefined) return { fields };
    const added = addedTypes(name, this.#declares).map((type) => ({ type }));
    const contention = contentionOf(name, this.#declares, stringNamed);
    return { fields: [...fields, ...added], ...(contention && { contention }) };
  }

  /** References come first, then larger values; what alignment leaves free between them is not filled. */
  statics(row: number): number {
    const { staticFirst, staticName, staticType } = this.#classes;
    let references = 0;
    let values = 0;
    let isWide = false;
    for (let i = staticFirst[row]; i < staticFirst[row + 1]; i++) {
      const bytes = recordedBytes(staticType[i], this.#layout.reference);
      if (staticType[i] !== OBJECT_TYPE) values += bytes;
      else if (!this.#read.pseudoStatics.has(staticName[i])) references += bytes;
      if (staticType[i] !== OBJECT_TYPE && bytes === 8) isWide = true;
    }
    return (isWide ? roundedUp(references, 8) : references) + values;
  }
}

/** Whether classes of a dump declare fields. */
export function declaresOf({ classes: { fieldFirst, fieldName }, names, stringNamed }: ReadClasses): Declares {
  return (className, field) => {
    const row = names.indexOf(className);
    return row >= 0 && fieldName.subarray(fieldFirst[row], fieldFirst[row + 1]).includes(stringNamed(field));
  };
}
