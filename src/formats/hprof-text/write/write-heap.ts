/** HEAP DUMP sections as text: roots, then the objects in their order, each with its references. */
import { OBJECT_KINDS } from '../../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS, type ReferenceKind, ROOTS } from '../../../models/heap/heap-graph.js';
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import { TRACES } from '../../../models/profile/tables.js';
import type { Recording } from '../../../models/recording.js';
import type { RowsOf } from '../../../models/table-kind.js';
import { HPROF_THREADS } from '../../shared/hprof/threads.js';
import type { TextResidue } from '../residue.js';
import {
  arrayLine,
  classLine,
  classPartLine,
  elementLine,
  fieldLine,
  objectLine,
  rootLine,
  staticLine,
} from './lines.js';
import type { TextOut } from './text-out.js';

const ROOT_WORDS: Readonly<Partial<Record<RootKind, string>>> = {
  unknown: 'unknown',
  thread: 'thread',
  'jni-global': 'JNI global ref',
  'jni-local': 'JNI local ref',
  'java-frame': 'Java stack',
  'native-stack': 'native stack',
  'system-class': 'system class',
  'thread-block': 'thread block',
  'busy-monitor': 'busy monitor',
};
const CLASS_OBJECT = OBJECT_KINDS.indexOf('class');

export function* writeHeap(
  out: TextOut,
  recording: Recording,
  graph: HeapGraph,
  residue: TextResidue,
  index: number,
): Generator<Uint8Array> {
  const heap = new HeapText(out, recording, graph, residue, index);
  for (let row = 0; row < graph.roots.length; row++) {
    heap.root(row);
    if (out.full) yield out.take();
  }
  for (let object = 0; object < graph.objects.length; object++) {
    heap.object(object);
    if (out.full) yield out.take();
  }
}

class HeapText {
  readonly #out: TextOut;
  readonly #graph: HeapGraph;
  readonly #indexed: boolean;
  readonly #roots: RowsOf<typeof ROOTS>;
  readonly #spelling: Int32Array;
  readonly #size: Float64Array;
  readonly #names: { offsets: Int32Array };
  readonly #className: Int32Array;
  readonly #serial: (trace: number) => number;
  readonly #number: (thread: number) => number;

  constructor(out: TextOut, recording: Recording, graph: HeapGraph, residue: TextResidue, index: number) {
    this.#out = out;
    this.#graph = graph;
    if (graph.objects.size === undefined) throw new Error('a heap of HPROF text without sizes');
    this.#size = graph.objects.size;
    this.#indexed = residue.heaps[index]?.indexedConstants ?? !residue.jvmti;
    this.#spelling = residue.heaps[index]?.classSpelling ?? new Int32Array(0);
    this.#names = recording.program.names;
    this.#className = recording.program.classes.name;
    const { traces, threads } = recording.profile ?? {};
    const serial = traces && TRACES.rows(traces).serial;
    const number = threads && HPROF_THREADS.rows(threads).number;
    this.#serial = (trace) => (serial === undefined ? 0 : serial[trace]);
    this.#number = (thread) => (number === undefined ? 0 : number[thread]);
    this.#roots = ROOTS.rows(graph.roots);
  }

  #id(object: number): string {
    const { objects, missing } = this.#graph;
    return (object >= 0 ? objects.address[object] : missing[-2 - object]).toString(16);
  }

  root(row: number): void {
    const { object, kind: kinds, thread: threads, frame, trace: traces, detail } = this.#roots;
    const kind = ROOT_KINDS[kinds[row]] ?? 'unknown';
    const trace = traces[row];
    const thread = threads[row];
    rootLine(this.#out, {
      object: this.#id(object[row]),
      kind: ROOT_WORDS[kind] ?? ROOT_WORDS.unknown ?? '',
      isThread: kind === 'thread',
      thread: kind === 'thread' || thread >= 0 ? this.#number(thread) : undefined,
      handle: kind === 'jni-global' ? detail[row].toString(16) : undefined,
      frame: kind === 'jni-local' || kind === 'java-frame' ? frame[row] : undefined,
      className: kind === 'system-class' ? detail[row] : undefined,
      trace: trace >= 0 ? this.#serial(trace) : undefined,
    });
  }

  object(object: number): void {
    const { objects } = this.#graph;
    const serial = this.#serial(objects.trace[object]);
    const out = this.#out;
    const id = this.#id(object);
    const type = this.#spelling[object];
    switch (OBJECT_KINDS[objects.kind[object]]) {
      case 'class':
        classLine(out, id, this.#className[objects.class[object]], serial);
        break;
      case 'instance':
        objectLine(out, id, this.#size[object], serial, type);
        break;
      default:
        arrayLine(out, [id, this.#size[object], serial, objects.elements[object]], type);
    }
    for (let row = objects.first[object]; row < objects.first[object + 1]; row++)
      this.#reference(row, objects.kind[object] === CLASS_OBJECT);
  }

  #reference(row: number, ofClass: boolean): void {
    const { references } = this.#graph;
    const kind: ReferenceKind = REFERENCE_KINDS[references.kind[row]] ?? 'field';
    const name = references.name[row];
    const out = this.#out;
    const target = this.#id(references.target[row]);
    if (kind === 'element') elementLine(out, name, target);
    else if (kind === 'static') staticLine(out, name, target);
    else if (kind === 'constant')
      out.text(this.#indexed ? `\tconstant[${name}]\t${target}\n` : `\tconstant pool entry ${name}\t${target}\n`);
    else if (ofClass) classPartLine(out, kind, target);
    else fieldLine(out, name, this.#length(name), target);
  }

  #length(name: number): number {
    return this.#names.offsets[name + 1] - this.#names.offsets[name];
  }
}
