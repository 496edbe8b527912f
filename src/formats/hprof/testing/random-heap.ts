/** Random small heaps for property tests, as plain lists; `dumpBytes` writes them, `plainGraph` says who refers to whom. */
import fc from 'fast-check';
import * as tags from '../tags.js';
import {
  arrayBytes,
  CLASS_BYTES,
  type FieldSpace,
  HeapSpace,
  instanceBytes,
  LAYOUTS,
  type Layout,
  placeFields,
} from './heap-layout.js';
import { ARRAY_LETTERS } from './plain-graph.js';
import { type PlainClass, type PlainHeap, type PlainObject, type PlainRoot, typesOf } from './plain-heap.js';

/** Types of fields: half of them references. */
const TYPES = [2, 2, 2, 2, 2, 2, 2, 2, 4, 5, 6, 7, 8, 9, 10, 11];
const PRIMITIVES = [4, 5, 6, 7, 8, 9, 10, 11];
/** Threads and their locals often. */
const ROOT_TAGS = [0xff, 8, 8, 3, 2, 1, 4, 5, 6, 7] as const;
const reference = fc.nat(1000);
const drawn = fc.record(
  {
    classes: fc.array(
      fc.record({
        parent: reference,
        fields: fc.array(fc.nat(TYPES.length - 1), { maxLength: 5, size: 'max' }),
        statics: fc.array(fc.tuple(fc.nat(TYPES.length - 1), reference), { maxLength: 2 }),
        loader: fc.option(reference, { nil: undefined }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    objects: fc.array(
      fc.record({
        kind: fc.nat(9),
        class: fc.nat(100),
        values: fc.array(reference, { maxLength: 8, size: 'max' }),
      }),
      { maxLength: 24, size: 'max' },
    ),
    roots: fc.array(fc.tuple(fc.nat(ROOT_TAGS.length - 1), reference, fc.nat(1)), { maxLength: 5, size: 'max' }),
    layout: fc.constantFrom(...Object.values(LAYOUTS)),
  },
  { noNullPrototype: true },
);
type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never;

export interface RandomHeap {
  readonly heap: PlainHeap;
  readonly layout: Layout;
}

/** References are null, dangling, to classes, to the object itself; objects are reachable or not. */
export const randomHeap: fc.Arbitrary<RandomHeap> = drawn.map((choice) => ({
  heap: new Builder(choice).heap(),
  layout: choice.layout,
}));

class Builder {
  readonly #choice: Drawn;
  readonly #layout: Layout;
  readonly #space: HeapSpace;
  readonly #classes: PlainClass[] = [];
  readonly #spaces = new Map<number, FieldSpace>();
  /** Addresses of all objects, those of classes first. */
  readonly #ids: number[] = [];

  constructor(choice: Drawn) {
    this.#choice = choice;
    this.#layout = choice.layout;
    this.#space = new HeapSpace(choice.layout.idSize === 4 ? 0x1000_0000 : 0x7_0000_0000);
  }

  heap(): PlainHeap {
    const { classes, objects, roots } = this.#choice;
    for (let i = 0; i < classes.length + 2 + PRIMITIVES.length; i++) this.#ids.push(this.#space.take(CLASS_BYTES));
    this.#drawClasses(() => 0);
    const sizes = objects.map((object) => this.#bytesOf(object));
    for (const bytes of sizes) this.#ids.push(this.#space.take(bytes));
    this.#drawClasses((value) => this.#reference(value));
    return {
      classes: this.#classes,
      objects: objects.map((object, i) =>
        this.#object(object, this.#ids[this.#classes.length + i] ?? 0, sizes[i] ?? 0),
      ),
      roots: roots.map(([tag, object, thread]) => rootOf(ROOT_TAGS[tag] ?? 0xff, this.#reference(object), thread)),
    };
  }

  /** Null, a class, an id that no object has; mostly an object. */
  #reference(value: number): number {
    const { length } = this.#choice.objects;
    const classes = this.#ids.length - length;
    if (value % 7 === 6) return 0;
    if (value % 11 === 10) return this.#ids[value % classes] ?? 0;
    return this.#ids[classes + (value % (length + 1))] ?? this.#space.next + 4096;
  }

  /** The classes, twice: their addresses come before those of the objects that their statics refer to. */
  #drawClasses(reference: (value: number) => number): void {
    const plain = { loader: 0, statics: [], fields: [] };
    const [object = 0] = this.#ids;
    this.#classes.length = 0;
    this.#classes.push({ ...plain, id: object, name: 'java/lang/Object', parent: 0 });
    for (const [i, choice] of this.#choice.classes.entries()) {
      const parent = this.#classes[choice.parent % this.#classes.length] ?? fail();
      const types = choice.fields.map((type) => TYPES[type] ?? 2);
      const id = this.#ids[i + 1] ?? 0;
      this.#spaces.set(id, placeFields(this.#layout, types, this.#spaces.get(parent.id)));
      this.#classes.push({
        id,
        name: `a/C${i}`,
        parent: parent.id,
        loader: choice.loader === undefined ? 0 : reference(choice.loader),
        fields: types.map((type, field) => ({ name: `f${i}${field}`, type })),
        statics: choice.statics.map(([code, value], field) => {
          const type = TYPES[code] ?? 2;
          return { name: `s${field}`, type, value: type === tags.TYPE_OBJECT ? reference(value) : value % 2 };
        }),
      });
    }
    const names = ['[Ljava/lang/Object;', ...Array.from(ARRAY_LETTERS, (letter) => `[${letter}`)];
    const first = this.#classes.length;
    for (const [i, name] of names.entries()) {
      const element = i === 0 ? { element: object } : {};
      this.#classes.push({ ...plain, id: this.#ids[first + i] ?? 0, name, parent: object, ...element });
    }
  }

  #classOf(choice: Drawn['objects'][number]): PlainClass {
    return this.#classes[choice.class % (this.#choice.classes.length + 1)] ?? fail();
  }

  #bytesOf(choice: Drawn['objects'][number]): number {
    if (choice.kind < 6)
      return instanceBytes(this.#spaces.get(this.#classOf(choice).id) ?? placeFields(this.#layout, []));
    const type = choice.kind < 8 ? tags.TYPE_OBJECT : primitiveOf(choice);
    return arrayBytes(this.#layout, type, choice.values.length);
  }

  #object(choice: Drawn['objects'][number], id: number, bytes: number): PlainObject {
    const { values } = choice;
    if (choice.kind >= 8)
      return {
        kind: 'primitive-array',
        id,
        bytes,
        type: primitiveOf(choice),
        values: values.map((value) => value % 2),
      };
    if (choice.kind >= 6) {
      const type = this.#classes[this.#choice.classes.length + 1] ?? fail();
      return { kind: 'object-array', id, bytes, class: type.id, values: values.map((value) => this.#reference(value)) };
    }
    const type = this.#classOf(choice);
    const types = typesOf(new Map(this.#classes.map((each) => [each.id, each])), type.id);
    const value = (i: number): number => values[i % (values.length || 1)] ?? 6;
    return {
      kind: 'instance',
      id,
      bytes,
      class: type.id,
      values: types.map((each, i) => (each === tags.TYPE_OBJECT ? this.#reference(value(i)) : value(i) % 2)),
    };
  }
}

function primitiveOf(choice: Drawn['objects'][number]): number {
  return PRIMITIVES[choice.class % PRIMITIVES.length] ?? 8;
}

function rootOf(tag: number, object: number, thread: number): PlainRoot {
  if (tag === tags.ROOT_JNI_GLOBAL) return { tag, object, numbers: [0x1234] };
  if (tag === tags.ROOT_NATIVE_STACK || tag === tags.ROOT_THREAD_BLOCK) return { tag, object, numbers: [thread] };
  const two = tag === tags.ROOT_JNI_LOCAL || tag === tags.ROOT_JAVA_FRAME || tag === tags.ROOT_THREAD_OBJECT;
  return { tag, object, numbers: two ? [thread, 1] : [] };
}

function fail(): never {
  throw new Error('no class');
}
