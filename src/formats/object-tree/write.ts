/**
 * Writes heaps as object trees (docs/formats/object-tree.md). A tree that was read comes out byte for byte, if GraalVM printed it: the
 * order of roots and fields is that of the graph, and an object is expanded where it is first reached.
 *
 * Memory: 5 bytes an object, 30 a level of the tree, and a chunk of 1 MiB.
 */
import { ByteBuilder } from '../../base/columns/columns.js';
import { UsageError } from '../../base/errors.js';
import { encodeUtf8 } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { type HeapGraph, REFERENCE_KINDS } from '../../models/heap/heap-graph.js';
import type { Recording } from '../../models/recording.js';
import type { ObjectOptions, Written } from '../capabilities/writer.js';
import { BAR, BLANKS, CHILD, LAST } from '../shared/tree/glyphs.js';
import { type Expander, expanderOf } from './expansion.js';
import { SHAPES, SUPPRESSED } from './object-line.js';
import { HEADING } from './read.js';
import { isResidue, type ObjectTreeResidue } from './residue.js';
import { usualShape } from './shapes.js';
import { type TreeRoot, treeRoots } from './tree-roots.js';
import { TreeText } from './tree-text.js';

const CHUNK = 1 << 20;
const ELEMENT = REFERENCE_KINDS.indexOf('element');
const LINE_FEED = encodeUtf8('\n');
const CR_LF = encodeUtf8('\r\n');
const UNSEEN = -1;
/** What GraalVM prints and no dump has. */
const NOT_IN_DUMPS = [
  'declared types of fields, which the dump lacks: the types of their values are in their place',
  'identity hash codes, which the dump lacks: addresses are in their place',
  'constants in methods, which the dump does not name: only static fields are roots',
];

/** Throws `UsageError` for recordings without the objects of a heap. */
export function writeObjectTree(recording: Recording, options: ObjectOptions = {}): Written {
  const heap = recording.heaps?.at(-1);
  const graph = heap?.recorded;
  if (graph === undefined)
    throw new UsageError('the recording has no objects of a heap: an object tree cannot be written from it', {
      code: 'no-objects',
    });
  const dropped: string[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new TreeWriter(recording, graph, options);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          yield chunk;
        }
        const others = (recording.heaps?.length ?? 1) - 1;
        dropped.splice(
          0,
          dropped.length,
          ...(graph.references.declared === undefined ? NOT_IN_DUMPS : []),
          ...(others > 0 ? [plural(others, 'earlier heap dump')] : []),
          ...writer.dropped(),
        );
      },
    },
  };
}

/** Lines that are still to be printed below a line: fields or elements of an object, or nothing. */
class Level {
  next = 0;
  end = 0;
  /** Whether the line above has no sibling after it. */
  isLast = false;
  /** Whether the last line here is drawn as if another one followed. */
  isOpen = false;
}

class TreeWriter {
  readonly #recording: Recording;
  readonly #graph: HeapGraph;
  readonly #text: TreeText;
  readonly #expansion: Expander;
  readonly #residue: ObjectTreeResidue | undefined;
  readonly #shapes: ReadonlyMap<number, number>;
  readonly #openEnded: ReadonlySet<number>;
  readonly #lineEnd: Uint8Array;
  /** By object: the number it was printed with, or `UNSEEN`. */
  readonly #number: Int32Array;
  #printed = 0;
  readonly #out = new ByteBuilder(CHUNK + (1 << 16));
  readonly #levels: Level[] = [];
  #depth = 0;

  constructor(recording: Recording, graph: HeapGraph, options: ObjectOptions) {
    const residue = residueOf(recording);
    this.#recording = recording;
    this.#graph = graph;
    this.#text = new TreeText(recording.program, graph);
    // What a report suppressed stays so: it has no fields of it.
    this.#expansion = expanderOf(options.expansion ?? {}, residue === undefined);
    this.#residue = residue;
    this.#shapes = pairsOf(residue?.shapes ?? new Int32Array());
    this.#openEnded = new Set(residue?.openEnded);
    this.#lineEnd = residue?.crlf === true ? CR_LF : LINE_FEED;
    this.#number = new Int32Array(graph.objects.length).fill(UNSEEN);
    for (const object of residue?.unlisted ?? []) this.#number[object] = graph.objects.address[object];
  }

  *chunks(): Iterable<Uint8Array> {
    const roots = treeRoots(this.#recording.program, this.#graph, this.#text, this.#residue);
    this.#put(HEADING).#end();
    for (let row = 0; row < roots.length; row++) {
      this.#root(roots.at(row), row === roots.length - 1 && this.#residue?.openRoots !== true);
      yield* this.#below();
    }
    this.#end();
    yield this.#out.finish();
  }

  /** Objects that no root reaches. */
  dropped(): string[] {
    const unreached = this.#graph.objects.length - this.#printed - (this.#residue?.unlisted.length ?? 0);
    return unreached > 0
      ? [`${plural(unreached, 'object')} that no root of the tree leads to, or only through what is suppressed`]
      : [];
  }

  #root({ name, object, text, type }: TreeRoot, isLast: boolean): void {
    this.#glyph(isLast).#put('root ').#put(name);
    const shown = text ?? (object >= 0 ? this.#text.ofObject(object) : undefined);
    if (shown === undefined) {
      // The report was cut behind such a line.
      this.#put(' value:').#end();
    } else if ((text !== undefined && type < 0) || this.#expansion.suppressesRoot(name)) {
      this.#put(' toString=').#bytes(shown).#put(SUPPRESSED).#end();
    } else if (object >= 0 && this.#number[object] !== UNSEEN) {
      this.#put(` id-ref=${this.#number[object]} toString=`).#bytes(shown).#end();
    } else {
      this.#put(' value:').#end();
      this.#open(isLast);
      const typeName = object >= 0 ? this.#text.typeOfObject(object) : this.#text.typeOf(type);
      if (object >= 0 && !this.#expansion.suppressesType(typeName)) this.#object(object, '', true);
      else this.#glyph(true).#put(`${typeName} toString=`).#bytes(shown).#put(SUPPRESSED).#end();
    }
  }

  /** Prints all lines below the root; the open levels are a stack. */
  *#below(): Iterable<Uint8Array> {
    while (this.#depth > 0) {
      const level = this.#levels[this.#depth - 1];
      if (level === undefined || level.next >= level.end) this.#depth--;
      else if (this.#text.isPrinted(level.next))
        this.#reference(level.next++, level.next >= level.end && !level.isOpen);
      else level.next++;
      if (this.#out.length >= CHUNK) {
        yield this.#out.finish();
        this.#out.length = 0;
      }
    }
  }

  #reference(reference: number, isLast: boolean): void {
    const { references } = this.#graph;
    const target = references.target[reference];
    const isElement = references.kind[reference] === ELEMENT;
    const isSuppressed = target >= 0 && this.#expansion.suppressesType(this.#text.typeOfObject(target));
    if (target >= 0 && !isSuppressed) {
      if (isElement) this.#object(target, `${this.#text.ofReference(reference)} `, isLast);
      else {
        this.#glyph(isLast).#put(this.#text.ofReference(reference)).#put(' value:').#end();
        this.#open(isLast);
        this.#object(target, '', true);
      }
      return;
    }
    const text = target >= 0 ? this.#text.ofObject(target) : this.#text.ofValue(reference);
    this.#glyph(isLast);
    if (text !== undefined)
      this.#put(this.#text.ofReference(reference)).#put(' toString=').#bytes(text).#put(SUPPRESSED).#end();
    else if (isElement) this.#put(' null').#end();
    else this.#put(this.#text.ofReference(reference)).#put(' value=null').#end();
  }

  /** The line of an object, with its fields or elements to follow where it is reached first. */
  #object(object: number, before: string, isLast: boolean): void {
    const known = this.#number[object];
    this.#glyph(isLast).#put(before).#put(this.#text.typeOfObject(object));
    if (known !== UNSEEN) {
      this.#put(` id-ref=${known} toString=`).#bytes(this.#text.ofObject(object)).#end();
      return;
    }
    const number = this.#residue === undefined ? this.#printed : this.#graph.objects.address[object];
    this.#number[object] = number;
    this.#printed++;
    const { first } = this.#graph.objects;
    const level = this.#open(isLast);
    level.isOpen = this.#openEnded.has(object);
    level.next = first[object];
    level.end = first[object + 1];
    while (level.end > level.next && !this.#text.isPrinted(level.end - 1)) level.end--;
    // Its own line is one level above.
    this.#put(` id=${number} toString=`)
      .#bytes(this.#text.ofObject(object))
      .#put(SHAPES[this.#shapeOf(object, level)] ?? '')
      .#end();
  }

  #shapeOf(object: number, { next, end }: Level): number {
    const { kind } = this.#graph.objects;
    return this.#shapes.get(object) ?? usualShape(kind[object], end > next);
  }

  #open(isLast: boolean): Level {
    const level = this.#levels[this.#depth] ?? new Level();
    this.#levels[this.#depth++] = level;
    level.isLast = isLast;
    level.isOpen = false;
    level.next = level.end = 0;
    return level;
  }

  #glyph(isLast: boolean): this {
    for (let depth = 0; depth < this.#depth; depth++) this.#bytes(this.#levels[depth]?.isLast === true ? BLANKS : BAR);
    return this.#bytes(isLast ? LAST : CHILD);
  }

  #put(text: string): this {
    const out = this.#out;
    out.reserve(text.length * 3);
    out.length += ENCODER.encodeInto(text, out.bytes.subarray(out.length)).written;
    return this;
  }

  #bytes(bytes: Uint8Array): this {
    this.#out.append(bytes, 0, bytes.length);
    return this;
  }

  #end(): void {
    this.#bytes(this.#lineEnd);
  }
}

const ENCODER = new TextEncoder();

function pairsOf(pairs: ArrayLike<number>): Map<number, number> {
  const map = new Map<number, number>();
  for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i] ?? 0, pairs[i + 1] ?? 0);
  return map;
}

/** The residue of a whole tree that was read. */
function residueOf({ format, residue }: Recording): ObjectTreeResidue | undefined {
  return format === 'object-tree' && isResidue(residue) ? residue : undefined;
}
