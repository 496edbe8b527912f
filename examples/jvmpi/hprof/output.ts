/** What the HPROF agent writes: text or binary records. */
import type { Class, Thread, Trace } from './profile.ts';

/** A row of a section: `value` decides its rank and share. */
export interface Row {
  readonly trace: Trace;
  readonly value: number;
  readonly count: number;
  readonly name: string;
}

/** What a trace allocated of a type. */
export interface Site {
  readonly type: string;
  readonly classId: number;
  /** JVMPI's code of the elements; 0: no array. */
  readonly array: number;
  readonly trace: Trace;
  liveBytes: number;
  liveObjects: number;
  bytes: number;
  objects: number;
}

/** Waiting and having waited: `monitor` undefined is `Thread.sleep`; times in ms. */
export interface Wait {
  readonly monitor: string | undefined;
  readonly timeout?: number;
  readonly waited?: number;
  readonly thread: number;
}

/** Threads are serials. */
export interface Monitor {
  readonly raw: boolean;
  readonly name: string;
  readonly owner: number;
  readonly entries: number;
  readonly entering: readonly number[];
  readonly waiting: readonly number[];
}

export interface ThreadState {
  readonly thread: number;
  readonly trace: Trace;
  readonly status: string;
}

/** A row of cpu=old: time in ms. */
export interface Arc {
  readonly callee: string;
  readonly caller: string;
  calls: number;
  time: number;
}

export interface Root {
  readonly kind: 'unknown' | 'thread' | 'global' | 'local' | 'frame' | 'class' | 'stack' | 'monitor';
  readonly object: number;
  /** Serial of the thread; 0 if it is unknown. */
  readonly thread: number;
  /** Of the JNI reference. */
  readonly handle: number;
  readonly frame: number;
}

/** A value of a field, in big-endian bytes of its type; ids have 8. */
export interface Value {
  readonly name: string;
  /** HPROF's code: 2 for references. */
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** A class or object of a dump, by its id. */
export type Dumped =
  | {
      readonly kind: 'class';
      readonly type: Class;
      readonly super: number;
      readonly loader: number;
      readonly signers: number;
      readonly domain: number;
      /** Bytes of the values of an instance. */
      readonly bytes: number;
      readonly statics: readonly Value[];
    }
  | (DumpedObject & { readonly kind: 'object'; readonly type: Class; readonly values: readonly Value[] })
  | (DumpedObject & {
      readonly kind: 'objects';
      /** Class of the array, or of its elements if the dump has none. */
      readonly classId: number;
      readonly element: string;
      readonly elements: readonly number[];
    })
  | (DumpedObject & {
      readonly kind: 'primitives';
      readonly element: number;
      readonly length: number;
      readonly elements: Uint8Array;
    });

interface DumpedObject {
  readonly id: number;
  readonly size: number;
  readonly trace: Trace;
}

export interface Heap {
  readonly roots: readonly Root[];
  readonly objects: readonly Dumped[];
}

export interface Output {
  threadStart(thread: Thread): void;
  threadEnd(thread: Thread): void;
  classLoad(type: Class): void;
  wait(wait: Wait): void;
  /** The sections of a dump, in their order. */
  monitors(states: readonly ThreadState[], monitors: readonly Monitor[]): void;
  contended(rows: readonly Row[]): void;
  heap(heap: Heap): void;
  sites(sites: readonly Site[]): void;
  samples(rows: readonly Row[]): void;
  times(rows: readonly Row[]): void;
  arcs(arcs: readonly Arc[]): void;
  /** Everything so far goes to the file. */
  flush(): void;
}

/** Rows by value, those that are smaller than a part of the total left out. */
export function ranked<Any>(rows: readonly Any[], value: (row: Any) => number, cutoff: number): Any[] {
  const least = cutoff * sumOf(rows, value);
  return rows.filter((row) => value(row) > 0 && value(row) >= least).sort((a, b) => value(b) - value(a));
}

export function sumOf<Any>(rows: readonly Any[], value: (row: Any) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
