/**
 * Lines of an object tree → columns of a heap. The tree in the file says who refers to what; it is never rebuilt as objects.
 * Memory: 18 bytes an object, twice that while columns grow; each different type and name once; `tree-references.ts`, `tree-texts.ts`.
 */
import { ByteBuilder, Int32Builder, OffsetBuilder, offsetAt } from '../../base/columns/columns.js';
import { ByteInterner } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ProblemLog } from '../../base/problems.js';
import { decodeUtf8 } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { OBJECT_KINDS } from '../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS, ROOTS } from '../../models/heap/heap-graph.js';
import { recordedHeap } from '../../models/heap/recorded-heap.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { binaryTypeName, PRIMITIVES } from '../../models/program/names.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { IdRows } from '../shared/tree/id-rows.js';
import { NOTHING, TreeLevels } from '../shared/tree/levels.js';
import { LOST, OBJECT, type ObjectLine, REFERENCE, TEXT, VALUE } from './object-line.js';
import type { ObjectTreeResidue } from './residue.js';
import { usualShape } from './shapes.js';
import { more, TreeReferences } from './tree-references.js';
import { TreeTexts } from './tree-texts.js';

/** What a line at a depth is to the lines below it. */
const ROOT = 1;
const HOLDER = 2;
const FIELD = 3;

const FIELD_KIND = REFERENCE_KINDS.indexOf('field');
const ELEMENT_KIND = REFERENCE_KINDS.indexOf('element');
const STATIC_FIELD = ROOT_KINDS.indexOf('static-field');
const METHOD_CONSTANT = ROOT_KINDS.indexOf('method-constant');
const INSTANCE = OBJECT_KINDS.indexOf('instance');
const OBJECT_ARRAY = OBJECT_KINDS.indexOf('object-array');
const PRIMITIVE_ARRAY = OBJECT_KINDS.indexOf('primitive-array');
/** Marks objects that only references name. */
const UNLISTED = 255;
const COLON = 58;

type Kept = Pick<Recording, 'metadata' | 'sections' | 'program' | 'heaps' | 'complete' | 'residue'>;

export class TreeHeap {
  readonly #problems: ProblemLog;
  readonly #program = new ProgramBuilder();
  /** Types as the report spells them. */
  readonly #types = new ByteInterner();
  readonly #texts = new TreeTexts();
  readonly #ids = new IdRows();
  /** By object. `#shape`: of the line that lists it, or `UNLISTED`. */
  readonly #id = new Int32Builder();
  readonly #type = new Int32Builder();
  readonly #shape = new ByteBuilder();
  readonly #references = new TreeReferences();
  readonly #roots = ROOTS.builder();
  readonly #rootText = new Int32Builder();
  readonly #rootType = new Int32Builder();
  readonly #levels = new TreeLevels();
  readonly #openEnded = new Int32Builder();
  /** Objects that are referred to before they are listed, and where first. */
  readonly #early = new Int32Builder();
  readonly #earlyAt = new OffsetBuilder();
  #last = 0;
  #listed = 0;
  #lost = false;

  constructor(problems: ProblemLog) {
    this.#problems = problems;
  }

  add(line: ObjectLine, bytes: Uint8Array, offset: number): void {
    const { depth, isRoot } = line;
    if (depth > this.#levels.deepest + 1) this.#orphan(depth, offset);
    this.#close(depth, line.isLast, offset);
    this.#last = offset;
    this.#levels.set(depth, NOTHING, NONE);
    if (isRoot) this.#root(line, bytes, offset);
    else if (depth === 0) this.#lose('object-tree-parent', offset, 'expected a root at the left margin; line skipped');
    else if (line.kind === OBJECT || line.kind === REFERENCE) this.#object(line, bytes, offset);
    else this.#member(line, bytes, offset);
  }

  /** Makes room for `times` as many objects and references: as many as the file probably has. */
  expect(times: number): void {
    for (const column of [this.#id, this.#type, this.#shape]) column.reserve(more(column.length, times));
    this.#references.expect(times);
    this.#texts.expect(times);
  }

  finish(crlf: boolean): Kept {
    const openRoots = this.#levels.deepest >= 0 && this.#levels.lasts[0] === 0;
    this.#close(0, true, this.#last);
    const unlisted = this.#unlisted();
    const classes = Int32Array.from({ length: this.#types.length }, (_, type) => this.#classOf(type));
    const graph = this.#graph(classes);
    const residue: ObjectTreeResidue = {
      crlf,
      openEnded: this.#openEnded.finish(),
      openRoots,
      shapes: this.#shapes(graph),
      unlisted,
      rootText: this.#rootText.finish().map((text) => (text < 0 ? NONE : text + this.#id.length)),
      rootType: this.#rootType.finish().map((type) => (type < 0 ? NONE : classes[type])),
    };
    return {
      metadata: [],
      sections: [
        { name: 'roots', entries: graph.roots.length },
        { name: 'objects', entries: this.#listed },
      ],
      program: this.#program.finish(),
      heaps: [recordedHeap(graph)],
      complete: unlisted.length === 0 && !this.#lost,
      residue,
    };
  }

  #root(line: ObjectLine, bytes: Uint8Array, offset: number): void {
    const { object, kind, thread, frame, trace, detail } = this.#roots.builders;
    const { headFrom, headTo } = line;
    const isMethod = bytes.subarray(headFrom, headTo).includes(OPEN_BRACKET);
    const row = object.push(line.kind === REFERENCE ? this.#objectRow(line, bytes, offset) : NONE);
    kind.push(isMethod ? METHOD_CONSTANT : STATIC_FIELD);
    for (const column of [thread, frame, trace]) column.push(NONE);
    detail.push(this.#program.names.add(bytes, headFrom, headTo));
    this.#rootText.push(line.kind === TEXT ? this.#texts.addValue(bytes, line.textFrom, line.textTo) : NONE);
    this.#rootType.push(NONE);
    if (line.kind !== VALUE) return;
    this.#levels.set(0, ROOT, row);
  }

  /** An object below what holds it. */
  #object(line: ObjectLine, bytes: Uint8Array, offset: number): void {
    const { depth } = line;
    const row = this.#objectRow(line, bytes, offset);
    const above = this.#levels.rows[depth - 1];
    const kind = this.#levels.kinds[depth - 1];
    if (kind === HOLDER && line.index >= 0) this.#references.add(above, ELEMENT_KIND, line.index, row, NONE, NONE);
    else if (kind === ROOT && line.index < 0) this.#take(this.#roots.builders.object.values, above, row, offset);
    else if (kind === FIELD && line.index < 0) this.#take(this.#references.targets, above, row, offset);
    else
      this.#lose('object-tree-parent', offset, 'expected a value of a root, field or array above: unknown who refers');
    if (line.kind !== OBJECT) return;
    this.#list(row, line, offset);
    this.#levels.set(depth, HOLDER, row);
  }

  /** Sets the value of a root or field, which has one. */
  #take(column: Int32Array | Float64Array, at: number, row: number, offset: number): void {
    if (column[at] === NONE) column[at] = row;
    else this.#lose('object-tree-value', offset, 'a second value of the same root or field; the first one stays');
  }

  /** A field, or an element that is no object of the file; or the value of a suppressed type. */
  #member(line: ObjectLine, bytes: Uint8Array, offset: number): void {
    const { depth, kind, index, headFrom, headTo, textFrom, textTo } = line;
    const above = this.#levels.rows[depth - 1];
    const holder = this.#levels.kinds[depth - 1];
    const text = kind === TEXT ? this.#texts.addValue(bytes, textFrom, textTo) : NONE;
    if (holder === ROOT && kind === TEXT && index < 0) {
      this.#take(this.#rootText.values, above, text, offset);
      this.#rootType.values[above] = this.#types.add(bytes, headFrom, headTo);
    } else if (holder !== HOLDER)
      this.#lose('object-tree-parent', offset, 'expected an object above this field or element; line skipped');
    else if (kind === LOST || index >= 0) this.#references.add(above, ELEMENT_KIND, index, NONE, NONE, text);
    else {
      let colon = headTo - 1;
      while (colon > headFrom && bytes[colon] !== COLON) colon--;
      const end = colon > headFrom ? colon : headTo;
      const name = this.#program.names.add(bytes, headFrom, end);
      const declared = end === headTo ? NONE : this.#types.add(bytes, end + 1, headTo);
      const row = this.#references.add(above, FIELD_KIND, name, NONE, declared, text);
      if (kind !== VALUE) return;
      this.#levels.set(depth, FIELD, row);
    }
  }

  /** The row of the object that a line names. */
  #objectRow(line: ObjectLine, bytes: Uint8Array, offset: number): number {
    const { id, isRoot, headFrom, headTo, textFrom, textTo } = line;
    const types = this.#types;
    const known = this.#ids.rowOf(id);
    if (known < 0) {
      this.#ids.set(id, this.#id.push(id));
      this.#texts.addObject(bytes, textFrom, textTo);
      this.#shape.push(UNLISTED);
      const row = this.#type.push(isRoot ? NONE : types.add(bytes, headFrom, headTo));
      if (line.kind === REFERENCE) {
        this.#early.push(row);
        this.#earlyAt.push(offset);
      }
      return row;
    }
    const own = this.#type.values[known];
    if (own < 0 && !isRoot) this.#type.values[known] = types.add(bytes, headFrom, headTo);
    const isSameType = isRoot || own < 0 || types.equals(own, bytes, headFrom, headTo);
    if (!isSameType || !this.#texts.isOfObject(known, bytes, textFrom, textTo)) {
      const shown = decodeUtf8(bytes, textFrom, textTo).slice(0, 80);
      this.#lose('object-tree-id', offset, `id ${id} is that of another object, not of ${shown}`);
    }
    return known;
  }

  #list(row: number, { shape, id }: ObjectLine, offset: number): void {
    if (this.#shape.bytes[row] !== UNLISTED)
      this.#lose('object-tree-twice', offset, `id ${id} is listed before: its fields are added to those above`);
    else this.#listed++;
    this.#shape.bytes[row] = shape;
  }

  /** Lines from this depth on have no further children. */
  #close(depth: number, isLast: boolean, offset: number): void {
    const { deepest, kinds, lasts, rows } = this.#levels;
    for (let at = deepest; at > depth; at--)
      if (lasts[at] === 0 && kinds[at - 1] === HOLDER) this.#openEnded.push(rows[at - 1]);
    for (let at = deepest; at >= depth; at--) this.#checkValue(at, offset);
    this.#levels.close(depth, isLast);
  }

  /** Reports a root or field with `value:` and none below. */
  #checkValue(depth: number, offset: number): void {
    const row = this.#levels.rows[depth];
    const kind = this.#levels.kinds[depth];
    const isEmpty =
      (kind === FIELD && this.#references.targets[row] === NONE) ||
      (kind === ROOT && this.#roots.builders.object.values[row] === NONE && this.#rootText.values[row] === NONE);
    if (isEmpty) this.#lose('object-tree-value', offset, 'the value of the root or field above is missing');
  }

  /** A line deeper than its predecessor's children: the lines between are lost. */
  #orphan(depth: number, offset: number): void {
    this.#levels.skipTo(depth);
    this.#lose('object-tree-parent', offset, `no line at depth ${depth - 1} precedes this one: unknown who refers`);
  }

  /** Objects that are only referred to. */
  #unlisted(): Int32Array {
    const early = this.#early.finish();
    const rows = early.filter((row) => this.#shape.bytes[row] === UNLISTED);
    if (rows.length > 0)
      this.#problems.add({
        code: 'object-tree-missing',
        severity: 'error',
        offset: offsetAt(this.#earlyAt.finish(), early.indexOf(rows[0])),
        message: `${plural(rows.length, 'object is', 'objects are')} referred to and not listed, the first by id-ref=${this.#id.values[rows[0]]}: their fields are unknown`,
      });
    return rows;
  }

  #classOf(type: number): number {
    // One character a byte, so that names keep their bytes.
    const text = this.#typeText(type);
    const name = Uint8Array.from(/^[^[]+(?:\[\])+$/.test(text) ? binaryTypeName(text) : text, (one) =>
      one.charCodeAt(0),
    );
    return this.#program.class(this.#program.names.add(name, 0, name.length));
  }

  #graph(classes: Int32Array): HeapGraph {
    const { length } = this.#id;
    const kindOf = Uint8Array.from({ length: this.#types.length }, (_, type) => this.#kindOf(type));
    const types = this.#type.finish();
    const elements = new Int32Array(length).fill(NONE);
    const kind = new Uint8Array(length).fill(INSTANCE);
    const text = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      text[row] = row;
      if (types[row] < 0) continue;
      kind[row] = kindOf[types[row]];
      if (kind[row] !== INSTANCE) elements[row] = this.#texts.lengthOf(row);
      // From here on, the column holds classes.
      types[row] = classes[types[row]];
    }
    const { first, references } = this.#references.finish(length, classes, length);
    return {
      dump: 0,
      objects: {
        length,
        address: new Float64Array(this.#id.finish()),
        class: types,
        kind,
        elements,
        trace: new Int32Array(length).fill(NONE),
        text,
        first,
      },
      references,
      missing: new Float64Array(0),
      roots: this.#roots.finish(),
      texts: this.#texts.finish(),
      numbered: true,
    };
  }

  /** A type as the report spells it, one character a byte. */
  #typeText(type: number): string {
    const { bytes, offsets } = this.#types;
    let text = '';
    for (let at = offsets.values[type]; at < offsets.values[type + 1]; at++)
      text += String.fromCharCode(bytes.bytes[at]);
    return text;
  }

  #kindOf(type: number): number {
    const name = this.#typeText(type);
    if (!name.endsWith('[]')) return INSTANCE;
    return Object.values(PRIMITIVES).includes(name.slice(0, -2)) ? PRIMITIVE_ARRAY : OBJECT_ARRAY;
  }

  /** Objects with other words after their text than usual. */
  #shapes({ objects }: HeapGraph): Int32Array {
    const pairs = new Int32Builder(16);
    for (let row = 0; row < objects.length; row++) {
      const shape = this.#shape.bytes[row];
      if (shape === UNLISTED || shape === usualShape(objects.kind[row], objects.first[row + 1] > objects.first[row]))
        continue;
      pairs.push(row);
      pairs.push(shape);
    }
    return pairs.finish();
  }

  #lose(code: string, offset: number, message: string): void {
    this.#lost = true;
    this.#problems.add({ code, severity: 'error', offset, message });
  }
}

const OPEN_BRACKET = 40;
