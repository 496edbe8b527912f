/**
 * Heaps for tests, an object a line: kind, class, bytes and, of an array, elements.
 *
 *   instance         app.Node  24
 *   primitive-array  byte[]    1016  1000
 *   class            app.Node  112
 *
 * Without references and roots: what needs those draws them itself.
 */
import { type Heap, OBJECT_KINDS } from '../../models/heap/heap.js';
import { ROOTS } from '../../models/heap/heap-graph.js';
import { recordedHeap } from '../../models/heap/recorded-heap.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';

export function heapPicture(program: ProgramBuilder, text: string, dump = 0): Heap {
  const rows = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells.length > 1);
  const length = rows.length;
  const cell = (column: number) => rows.map((cells) => cells[column]);
  return recordedHeap({
    objects: {
      length,
      address: Float64Array.from(rows.keys()),
      class: Int32Array.from(cell(1), (name) => (name === '-' ? -1 : program.class(program.name(name ?? '')))),
      kind: Uint8Array.from(cell(0), (kind) => kindIndex(kind)),
      size: Float64Array.from(cell(2), Number),
      elements: Int32Array.from(cell(3), (elements) => Number(elements ?? -1)),
      trace: new Int32Array(length).fill(-1),
      first: new Int32Array(length + 1),
    },
    references: { length: 0, target: new Int32Array(), kind: new Uint8Array(), name: new Int32Array() },
    missing: new Float64Array(),
    dump,
    roots: ROOTS.builder().finish(),
  });
}

function kindIndex(kind: string | undefined): number {
  const names: readonly string[] = OBJECT_KINDS;
  const index = names.indexOf(kind ?? '');
  if (index < 0) throw new Error(`${kind} is no kind of object`);
  return index;
}
