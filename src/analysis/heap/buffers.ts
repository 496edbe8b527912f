/**
 * Memory outside the heap that buffers of `java.nio` hold. A direct buffer with a cleaner owns its memory: mapped files have a
 * descriptor, others were allocated. Without a cleaner it is a view of another one, or native code owns the memory.
 *
 * Source: DirectByteBuffer and MappedByteBuffer of the JDK (6 to 25); the sums are those of its BufferPoolMXBean.
 */
import { stringAt } from '../../base/text.js';
import type { Heap } from '../../models/heap/heap.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { heapOf } from './stages.js';

/** Buffers, and bytes of the memory behind them. */
export interface BufferMemory {
  readonly buffers: number;
  readonly bytes: number;
}

export interface OutsideMemory {
  readonly direct: BufferMemory;
  readonly mapped: BufferMemory;
  /** Buffers that own no memory. */
  readonly others: number;
}

/** Direct and mapped buffers are of these classes, and views of them as bytes. */
const DIRECT = /^java\.nio\.DirectByteBufferR?$/;
const FIELDS = ['capacity', 'cleaner', 'fd'] as const;

/** Heap classes of direct buffers that have instances. */
export function bufferClasses(program: Program, { classes }: Heap): number[] {
  return Array.from({ length: classes.length }, (_, row) => row).filter(
    (row) => classes.objects[row] > 0 && classes.class[row] >= 0 && DIRECT.test(className(program, classes.class[row])),
  );
}

/** Undefined if the dump has no values. */
const bufferStage: Stage<OutsideMemory | undefined, number> = {
  name: 'buffers',
  version: 1,
  key: String,
  run: async ([subject], dump, _get, work) => {
    const { program } = subject.snapshot.recording;
    const { heaps } = subject.source;
    const heap = heapOf(subject, dump);
    const names = FIELDS.map((field) => nameOf(program, heap, field));
    if (heaps === undefined || names[0] < 0) return undefined;
    const [capacity, cleaner, fd] = await heaps.fields(dump, bufferClasses(program, heap), names, work);
    const sums = { direct: { buffers: 0, bytes: 0 }, mapped: { buffers: 0, bytes: 0 }, others: 0 };
    for (let i = 0; i < capacity.length; i++) {
      if (!(cleaner[i] > 0)) sums.others++;
      else {
        const kind = fd[i] > 0 ? sums.mapped : sums.direct;
        kind.buffers++;
        if (capacity[i] > 0) kind.bytes += capacity[i];
      }
    }
    return sums;
  },
  bytes: () => 0,
};

/** The number of a field's name in the program; -1 if no class has such a field. */
function nameOf({ names }: Program, { classes }: Heap, field: string): number {
  return classes.fieldName.find((name) => name >= 0 && stringAt(names, name) === field) ?? -1;
}

export function buffersUse({ source, snapshot }: Subject, dump: number): StageUse<OutsideMemory | undefined> {
  return use(bufferStage, [{ source, snapshot, scope: [] }], dump);
}
