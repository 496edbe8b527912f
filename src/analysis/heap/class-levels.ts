/**
 * Objects and bytes of each class at one moment: of a class histogram (event table `class`) or of a heap dump.
 * Cost: one pass over the rows of the table, or the objects of the heap.
 */
import { CLASS_EVENTS, type ClassEvents } from '../../models/events/class.js';
import { CLASS_OBJECTS, type Heap, OBJECT_KINDS } from '../../models/heap/heap.js';
import { lastDump, shownDump } from '../../models/profile/moment.js';
import type { ClassId } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { ScopedRecording } from '../scope/scoped.js';

export interface ClassLevel {
  /** `CLASS_OBJECTS` for the row of all class objects. */
  readonly class: ClassId;
  readonly objects: number;
  /** Shallow: without the objects they refer to; null of all classes where sizes are not recorded. */
  readonly bytes: number | null;
  /** Elements of all arrays of the class; null if unknown or not an array class. */
  readonly elements: number | null;
}

export interface ClassLevels {
  /** Number of the dump, from 1, and how many dumps the recording has. */
  readonly dump: number;
  readonly dumps: number;
  readonly classes: readonly ClassLevel[];
  /** Classes with several rows, loaded by several loaders; they are combined here. */
  readonly repeated: number;
}

/** The parts of a scoped recording that have objects. */
export type Objects = Pick<ScopedRecording, 'recording' | 'profile' | 'heap' | 'dump'>;

/** The levels at the moment of the scope, else those of the last dump; undefined if that dump has no objects. */
export function classLevels({ recording, profile, heap, dump }: Objects): ClassLevels | undefined {
  const events = CLASS_EVENTS.of(profile);
  const whole = CLASS_EVENTS.of(recording.profile);
  if (events !== undefined && whole !== undefined) {
    const shown = shownDump(dump, whole.dump);
    // Besides histograms, a log may have more dumps of another kind.
    const dumps = lastDump(whole.dump) + 1;
    return whole.dump.includes(shown - 1) ? { dump: shown, dumps, ...ofTable(recording, events, shown) } : undefined;
  }
  return heap && { dump: heap.dump + 1, dumps: dump.of, ...ofHeap(heap, recording.program.classes.length) };
}

function ofTable(recording: Recording, events: ClassEvents, shown: number) {
  const { length, dump, class: classes, objects, bytes } = events;
  const count = recording.program.classes.length;
  const sums = new Sums(count);
  const rows = new Int32Array(count);
  let repeated = 0;
  for (let row = 0; row < length; row++) {
    if (dump[row] !== shown - 1) continue;
    if (++rows[classes[row]] === 2) repeated++;
    sums.add(classes[row], objects[row], bytes?.[row] ?? 0, -1);
  }
  return { classes: sums.finish(bytes !== undefined), repeated };
}

function ofHeap({ classes, sizes }: Heap, count: number) {
  // Row `count` is for objects of unknown class, the row behind it for class objects.
  const sums = new Sums(count + 2);
  const rows = new Int32Array(count + 2);
  let repeated = 0;
  for (let row = 0; row < classes.length; row++) {
    if (classes.objects[row] === 0) continue;
    const of = classes.class[row];
    const at = of === CLASS_OBJECTS ? count + 1 : of < 0 ? count : of;
    if (++rows[at] === 2) repeated++;
    const isArray = classes.kind[row] !== INSTANCE;
    sums.add(at, classes.objects[row], sizes.bytes[row], isArray ? classes.elements[row] : -1);
    if (Number.isNaN(classes.elements[row])) sums.lacksElements(at);
  }
  const levels = sums.finish(sizes.rule !== 'unknown').map((level) => {
    if (level.class < count) return level;
    return { ...level, class: level.class === count ? -1 : CLASS_OBJECTS };
  });
  return { classes: levels, repeated };
}

const INSTANCE = OBJECT_KINDS.indexOf('instance');

class Sums {
  readonly #objects: Float64Array;
  readonly #bytes: Float64Array;
  readonly #elements: Float64Array;

  constructor(length: number) {
    this.#objects = new Float64Array(length);
    this.#bytes = new Float64Array(length);
    this.#elements = new Float64Array(length).fill(-1);
  }

  add(row: number, objects: number, bytes: number, elements: number): void {
    this.#objects[row] += objects;
    this.#bytes[row] += bytes;
    if (elements >= 0) this.#elements[row] = Math.max(this.#elements[row], 0) + elements;
  }

  /** Marks the number of elements of a row as unknown. */
  lacksElements(row: number): void {
    this.#elements[row] = NaN;
  }

  finish(hasBytes: boolean): ClassLevel[] {
    const levels: ClassLevel[] = [];
    for (let row = 0; row < this.#objects.length; row++) {
      if (this.#objects[row] === 0 && this.#bytes[row] === 0) continue;
      const elements = this.#elements[row];
      levels.push({
        class: row,
        objects: this.#objects[row],
        bytes: hasBytes ? this.#bytes[row] : null,
        elements: elements >= 0 ? elements : null,
      });
    }
    return levels;
  }
}
