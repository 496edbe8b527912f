/**
 * A heap that is read from its source as one with all references by name, as reports list them: for writers of such reports.
 * Passes over the source: one a batch of objects, over the ranges that have some of them, and up to five for their texts.
 * Memory: 38 bytes an object, 13 a reference, the texts, and the values of a batch.
 */
import { ByteBuilder, Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { pause, type Work } from '../../../base/progress.js';
import { encodeUtf8 } from '../../../base/text.js';
import { type ByteSpan, type Heap, type HeapReader, OBJECT_KINDS, OBJECT_TYPE } from '../../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS, ROOTS } from '../../../models/heap/heap-graph.js';
import { idOfRow, NO_OBJECT, type ObjectId, RowLookup } from '../../../models/heap/object-ids.js';
import { idAt, numberAt, recordedBytes, staticBytes } from '../../../models/heap/values.js';
import type { Program } from '../../../models/program/program.js';
import { indexIn } from '../object-sizes.js';
import { fieldsOf, heapClassOf, type NamedHeap, type ReadValues, WHOLE } from '../object-values.js';
import { SHOWN_ELEMENTS } from './element-values.js';
import { shortTexts } from './short-texts.js';

const BATCH = 1 << 15;
const FIELD = REFERENCE_KINDS.indexOf('field');
const ELEMENT = REFERENCE_KINDS.indexOf('element');
const STATIC = REFERENCE_KINDS.indexOf('static');
const LOADER = REFERENCE_KINDS.indexOf('loader');
const CLASS = OBJECT_KINDS.indexOf('class');
const INSTANCE = OBJECT_KINDS.indexOf('instance');

/** Reads all objects of a heap with their references and short texts. Throws the signal's reason if `work` is aborted. */
export async function recordedGraph(
  program: Program,
  heap: Heap,
  reader: HeapReader,
  work: Work = {},
): Promise<HeapGraph> {
  const graph = await reader.graph(heap.dump, work);
  const named = { program, heap, graph };
  const builder = new GraphBuilder(named);
  const read: ReadValues = (wanted) => reader.values(heap.dump, graph, wanted, work);
  for (let from = 0; from < graph.ids.length; from += BATCH) {
    await pause(work, 'values of objects', from, graph.ids.length);
    const rows = Array.from({ length: Math.min(BATCH, graph.ids.length - from) }, (_, i) => from + i);
    const values = await read(new Map(rows.map((row) => [row, builder.spanOf(row)])));
    const texts = await shortTexts(named, read, rows, values);
    for (const row of rows) builder.add(row, values.get(row), texts.get(row) ?? '');
  }
  return builder.finish();
}

class GraphBuilder {
  readonly #named: NamedHeap;
  readonly #lookup: RowLookup;
  readonly #first: Int32Array;
  readonly #target = new Int32Builder();
  readonly #name = new Int32Builder();
  readonly #kind = new ByteBuilder();
  readonly #missing = new Float64Builder();
  readonly #texts = new ByteBuilder();
  readonly #offsets = new Int32Builder();
  readonly #columns: { address: Float64Array; class: Int32Array; kind: Uint8Array; elements: Int32Array };

  constructor(named: NamedHeap) {
    const { length } = named.graph.ids;
    this.#named = named;
    this.#lookup = new RowLookup(named.graph.ids);
    this.#first = new Int32Array(length + 1);
    this.#columns = {
      address: new Float64Array(length),
      class: new Int32Array(length).fill(NONE),
      kind: new Uint8Array(length),
      elements: new Int32Array(length).fill(NONE),
    };
    this.#offsets.push(0);
  }

  /** The values that are needed of an object: of arrays of primitives only the first elements. */
  spanOf(row: ObjectId): ByteSpan {
    const of = heapClassOf(this.#named, row);
    const type = of < 0 ? 0 : this.#named.heap.classes.element[of];
    return type === 0 || type === OBJECT_TYPE ? WHOLE : { from: 0, to: SHOWN_ELEMENTS * recordedBytes(type, 0) };
  }

  /** Adds an object; they come in the order of their rows. */
  add(row: ObjectId, bytes: Uint8Array | undefined, text: string): void {
    const { heap, graph } = this.#named;
    const { classes } = heap;
    const { address, class: classOf, kind, elements } = this.#columns;
    const of = heapClassOf(this.#named, row);
    const mirror = indexIn(graph.mirrorRow, row);
    address[row] = idOfRow(graph.ids, row);
    kind[row] = mirror >= 0 ? CLASS : of < 0 ? INSTANCE : classes.kind[of];
    const shown = mirror >= 0 ? graph.mirrorClass[mirror] : of;
    classOf[row] = shown < 0 ? NONE : Math.max(NONE, classes.class[shown]);
    if (kind[row] !== CLASS && kind[row] !== INSTANCE) elements[row] = graph.elements[row];
    if (mirror >= 0) this.#statics(graph.mirrorClass[mirror]);
    else if (bytes !== undefined) this.#members(row, of, new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    this.#first[row + 1] = this.#target.length;
    const own = encodeUtf8(text);
    this.#texts.append(own, 0, own.length);
    this.#offsets.push(this.#texts.length);
  }

  #members(row: ObjectId, of: number, view: DataView): void {
    const { idSize, classes } = this.#named.heap;
    if (of >= 0 && classes.element[of] === OBJECT_TYPE) {
      const length = Math.min(this.#named.graph.elements[row], Math.floor(view.byteLength / idSize));
      for (let i = 0; i < length; i++) {
        const id = idAt(view, i * idSize, idSize);
        if (id !== 0) this.#refer(ELEMENT, i, id);
      }
      return;
    }
    for (const { name, type, at } of fieldsOf(this.#named, row))
      if (type === OBJECT_TYPE && at + idSize <= view.byteLength) this.#refer(FIELD, name, idAt(view, at, idSize));
  }

  #statics(of: number): void {
    const { classes, idSize } = this.#named.heap;
    for (let field = classes.staticFirst[of]; field < classes.staticFirst[of + 1]; field++) {
      if (classes.staticType[field] !== OBJECT_TYPE) continue;
      const id = numberAt(staticBytes(classes, field, idSize), 0, OBJECT_TYPE, idSize);
      if (id !== 0) this.#refer(STATIC, classes.staticName[field], id);
    }
    if (classes.loader[of] > 0) this.#refer(LOADER, NONE, classes.loader[of]);
  }

  #refer(kind: number, name: number, id: number): void {
    const row = id === 0 ? NONE : this.#lookup.row(id);
    this.#kind.push(kind);
    this.#name.push(name);
    this.#target.push(id !== 0 && row === NO_OBJECT ? -2 - this.#missing.push(id) : row);
  }

  finish(): HeapGraph {
    const { length } = this.#columns.class;
    return {
      dump: this.#named.heap.dump,
      objects: {
        length,
        ...this.#columns,
        trace: new Int32Array(length).fill(NONE),
        text: Int32Array.from({ length }, (_, row) => row),
        first: this.#first,
      },
      references: {
        length: this.#target.length,
        target: this.#target.finish(),
        kind: this.#kind.finish(),
        name: this.#name.finish(),
      },
      missing: this.#missing.finish(),
      roots: ROOTS.builder().finish(),
      texts: { bytes: this.#texts.finish(), offsets: this.#offsets.finish() },
    };
  }
}
