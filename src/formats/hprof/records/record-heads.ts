/** The head of a file, and which heads of records are plausible: known tags with lengths that fit them. */
import { FormatError } from '../../../base/errors.js';
import {
  ALLOC_SITES,
  CONTROL_SETTINGS,
  CPU_SAMPLES,
  END_THREAD,
  FRAME,
  HEAP_DUMP,
  HEAP_DUMP_END,
  HEAP_DUMP_SEGMENT,
  HEAP_SUMMARY,
  LOAD_CLASS,
  LOCKSTATS_HOLD_TIME,
  LOCKSTATS_WAIT_TIME,
  START_THREAD,
  TRACE,
  UNLOAD_CLASS,
  UTF8,
} from '../tags.js';

export interface FileHead {
  /** `1.0`, `1.0.1`, `1.0.2` or `1.0.3`; empty for a part without a head. */
  readonly version: string;
  readonly idSize: number;
  /** Milliseconds since 1970; NaN for a part. */
  readonly created: number;
  /** Offset of the first record. */
  readonly length: number;
}

/** `JAVA PROFILE 1.0.2` NUL, u4 size of ids, u8 milliseconds. */
export const LONGEST_HEAD = 31;
/** u1 tag, u4 microseconds, u4 length. */
export const RECORD_HEAD = 9;

/** Names of records, as `hprof_b_spec.h` spells them. */
export const RECORD_NAMES: ReadonlyMap<number, string> = new Map([
  [UTF8, 'UTF8'],
  [LOAD_CLASS, 'LOAD CLASS'],
  [UNLOAD_CLASS, 'UNLOAD CLASS'],
  [FRAME, 'FRAME'],
  [TRACE, 'TRACE'],
  [ALLOC_SITES, 'ALLOC SITES'],
  [HEAP_SUMMARY, 'HEAP SUMMARY'],
  [START_THREAD, 'START THREAD'],
  [END_THREAD, 'END THREAD'],
  [HEAP_DUMP, 'HEAP DUMP'],
  [CPU_SAMPLES, 'CPU SAMPLES'],
  [CONTROL_SETTINGS, 'CONTROL SETTINGS'],
  [LOCKSTATS_WAIT_TIME, 'LOCKSTATS WAIT TIME'],
  [LOCKSTATS_HOLD_TIME, 'LOCKSTATS HOLD TIME'],
  [HEAP_DUMP_SEGMENT, 'HEAP DUMP SEGMENT'],
  [HEAP_DUMP_END, 'HEAP DUMP END'],
]);

/** `UTF8`, or `0x7f` for a tag without a name. */
export function recordName(tag: number): string {
  return RECORD_NAMES.get(tag) ?? `0x${tag.toString(16).padStart(2, '0')}`;
}

export function isHeap(tag: number): boolean {
  return tag === HEAP_DUMP || tag === HEAP_DUMP_SEGMENT;
}

/** Length of a record: that of its fixed part, and that of each of its elements; 0 if there are none. */
export class RecordLengths {
  /** By tag; -1: no record. */
  readonly #fixed = new Int32Array(256).fill(-1);
  readonly #each = new Int32Array(256);

  constructor(idSize: number) {
    const set = (tag: number, fixed: number, each = 0): void => {
      this.#fixed[tag] = fixed;
      this.#each[tag] = each;
    };
    set(UTF8, idSize, 1);
    set(LOAD_CLASS, 8 + 2 * idSize);
    set(UNLOAD_CLASS, 4);
    set(FRAME, 8 + 4 * idSize);
    set(TRACE, 12, idSize);
    set(ALLOC_SITES, 34, 25);
    set(HEAP_SUMMARY, 24);
    set(START_THREAD, 8 + 4 * idSize);
    set(END_THREAD, 4);
    set(CPU_SAMPLES, 8, 8);
    set(CONTROL_SETTINGS, 6);
    set(HEAP_DUMP_END, 0);
    for (const tag of [HEAP_DUMP, HEAP_DUMP_SEGMENT, LOCKSTATS_WAIT_TIME, LOCKSTATS_HOLD_TIME]) set(tag, 0, 1);
  }

  isKnown(tag: number): boolean {
    return this.#fixed[tag] >= 0;
  }

  /** Whether a record with this tag may have this length. */
  fits(tag: number, length: number): boolean {
    const fixed = this.#fixed[tag];
    const each = this.#each[tag];
    if (fixed < 0 || length < fixed) return false;
    return each === 0 ? length === fixed : (length - fixed) % each === 0;
  }
}

const PROFILE = /^JAVA PROFILE (1\.0(?:\.[123])?)\0/;

/** The head at the beginning of `bytes`; undefined if there is none. Throws `FormatError` for a size of ids that is no size. */
export function headOfFile(bytes: Uint8Array): FileHead | undefined {
  const version = PROFILE.exec(new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEAD)))?.[1];
  if (version === undefined) return undefined;
  const at = 'JAVA PROFILE '.length + version.length + 1;
  if (bytes.length < at + 12) throw refused(bytes.length, 'the file ends within its head');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const idSize = view.getUint32(at);
  if (idSize !== 4 && idSize !== 8) throw refused(at, `ids of ${idSize} bytes`);
  const created = view.getUint32(at + 4) * 2 ** 32 + view.getUint32(at + 8);
  return { version, idSize, created, length: at + 12 };
}

export function refused(offset: number, found: string): FormatError {
  return new FormatError({
    format: 'hprof',
    offset,
    expected: 'JAVA PROFILE 1.0, 1.0.1, 1.0.2 or 1.0.3, a NUL, the size of ids (4 or 8) and the time',
    found,
    advice: 'Heap dumps of the JVM and of Android, and -agentlib:hprof with format=b, are binary HPROF.',
  });
}
