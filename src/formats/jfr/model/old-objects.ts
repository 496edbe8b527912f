/**
 * How old objects are held: chains of constants, from the object through its referrer to one that a root holds, as rows of the
 * recording's references.
 */
import { NONE } from '../../../base/flavor.js';
import type { StringId } from '../../../base/text.js';
import type { REFERENCES } from '../../../models/heap/references.js';
import type { ClassId } from '../../../models/program/program.js';
import type { BuilderOf } from '../../../models/table-kind.js';
import { type Constants, type ConstantValues, UNKNOWN } from './constant-rows.js';

export const OLD_OBJECT = 'jdk.types.OldObject';
const REFERENCE = 'jdk.types.Reference';
const FIELD = 'jdk.types.OldObjectField';
const ARRAY = 'jdk.types.OldObjectArray';
const CLASS = 'java.lang.Class';

/** On the way to its root. */
const VISITED = -3;

/** Rows of the recording for classes and strings of the chunk. */
interface Names {
  class(row: number): ClassId;
  name(id: number): StringId;
}

export class OldObjects {
  readonly #names: Names;
  readonly #rows: BuilderOf<typeof REFERENCES>;
  readonly #constants: Constants;
  readonly #objects: {
    readonly class: ConstantValues;
    readonly description: ConstantValues;
    readonly address: ConstantValues;
    readonly referrer: ConstantValues;
  };
  readonly #references: {
    readonly object: ConstantValues;
    readonly field: ConstantValues;
    readonly array: ConstantValues;
    readonly skip: ConstantValues;
  };
  readonly #fields: ConstantValues;
  readonly #indices: ConstantValues;

  /** `of`: the constants of a type of the chunk. */
  constructor(of: (type: string) => Constants, names: Names, rows: BuilderOf<typeof REFERENCES>) {
    this.#names = names;
    this.#rows = rows;
    const objects = of(OLD_OBJECT);
    this.#constants = objects;
    this.#objects = {
      class: objects.rows('type', CLASS),
      description: objects.strings('description'),
      address: objects.numbers('address'),
      referrer: objects.rows('referrer', REFERENCE),
    };
    const references = of(REFERENCE);
    this.#references = {
      object: references.rows('object', OLD_OBJECT),
      field: references.rows('field', FIELD),
      array: references.rows('array', ARRAY),
      skip: references.numbers('skip'),
    };
    this.#fields = of(FIELD).strings('name');
    this.#indices = of(ARRAY).numbers('index');
  }

  /** The row of an object in the references of the recording; -1 if it is unknown. A chain that ends in itself ends there. */
  row(object: number): number {
    // By object: the row of its reference.
    const { known: rows, length } = this.#constants;
    if (object < 0 || object >= length) return NONE;
    const path: number[] = [];
    let at = object;
    while (at >= 0 && at < length && rows[at] === UNKNOWN) {
      rows[at] = VISITED;
      path.push(at);
      at = this.#above(at);
    }
    let above = at >= 0 && at < length ? Math.max(NONE, rows[at]) : NONE;
    for (const each of path.reverse()) {
      above = this.#add(each, above);
      rows[each] = above;
    }
    return rows[object];
  }

  /** The object that refers to an object; -1 if it is the last one recorded. */
  #above(object: number): number {
    const reference = this.#objects.referrer[object] ?? NONE;
    return reference < 0 ? NONE : (this.#references.object[reference] ?? NONE);
  }

  #add(object: number, above: number): number {
    const { referrer, address, description } = this.#objects;
    const reference = referrer[object] ?? NONE;
    const of = (values: ConstantValues): number => (reference < 0 ? NONE : (values[reference] ?? NONE));
    const [field, array] = [of(this.#references.field), of(this.#references.array)];
    this.#rows.add({
      above,
      class: this.#names.class(this.#objects.class[object] ?? NONE),
      field: field < 0 ? NONE : this.#names.name(this.#fields[field] ?? NONE),
      index: array < 0 ? NONE : (this.#indices[array] ?? NONE),
      skipped: Math.max(0, of(this.#references.skip)),
      description: this.#names.name(description[object] ?? NONE),
      address: address[object] ?? NONE,
    });
    return this.#rows.length - 1;
  }
}
