/**
 * Tags and types of binary HPROF. Sources: `hprof_b_spec.h` and `heapDumper.cpp` of OpenJDK, `hprof.cc` of ART.
 * `docs/formats/hprof.md` describes the records.
 */

/** Records of the file. */
export const UTF8 = 0x01;
export const LOAD_CLASS = 0x02;
export const UNLOAD_CLASS = 0x03;
export const FRAME = 0x04;
export const TRACE = 0x05;
export const ALLOC_SITES = 0x06;
export const HEAP_SUMMARY = 0x07;
export const START_THREAD = 0x0a;
export const END_THREAD = 0x0b;
export const HEAP_DUMP = 0x0c;
export const CPU_SAMPLES = 0x0d;
export const CONTROL_SETTINGS = 0x0e;
export const LOCKSTATS_WAIT_TIME = 0x10;
export const LOCKSTATS_HOLD_TIME = 0x11;
export const HEAP_DUMP_SEGMENT = 0x1c;
export const HEAP_DUMP_END = 0x2c;

/** Sub-records of a heap dump. */
export const ROOT_UNKNOWN = 0xff;
export const ROOT_JNI_GLOBAL = 0x01;
export const ROOT_JNI_LOCAL = 0x02;
export const ROOT_JAVA_FRAME = 0x03;
export const ROOT_NATIVE_STACK = 0x04;
export const ROOT_STICKY_CLASS = 0x05;
export const ROOT_THREAD_BLOCK = 0x06;
export const ROOT_MONITOR_USED = 0x07;
export const ROOT_THREAD_OBJECT = 0x08;
export const CLASS_DUMP = 0x20;
export const INSTANCE_DUMP = 0x21;
export const OBJECT_ARRAY_DUMP = 0x22;
export const PRIMITIVE_ARRAY_DUMP = 0x23;
/** Android only. */
export const HEAP_DUMP_INFO = 0xfe;
export const ROOT_INTERNED_STRING = 0x89;
export const ROOT_FINALIZING = 0x8a;
export const ROOT_DEBUGGER = 0x8b;
export const ROOT_REFERENCE_CLEANUP = 0x8c;
export const ROOT_VM_INTERNAL = 0x8d;
export const ROOT_JNI_MONITOR = 0x8e;
export const UNREACHABLE = 0x90;
export const PRIMITIVE_ARRAY_NODATA = 0xc3;

/** Types of values. */
export const TYPE_OBJECT = 2;
export const TYPE_BOOLEAN = 4;
export const TYPE_CHAR = 5;
export const TYPE_FLOAT = 6;
export const TYPE_DOUBLE = 7;
export const TYPE_BYTE = 8;
export const TYPE_SHORT = 9;
export const TYPE_INT = 10;
export const TYPE_LONG = 11;

/** By type: its name in Java; objects have no name of their own. */
export const TYPE_NAMES: readonly (string | undefined)[] = Array.from({ length: 12 }, (_, type) =>
  new Map([
    [TYPE_BOOLEAN, 'boolean'],
    [TYPE_CHAR, 'char'],
    [TYPE_FLOAT, 'float'],
    [TYPE_DOUBLE, 'double'],
    [TYPE_BYTE, 'byte'],
    [TYPE_SHORT, 'short'],
    [TYPE_INT, 'int'],
    [TYPE_LONG, 'long'],
  ]).get(type),
);

/** By type: bytes of a value in the file, where ids have `idSize` bytes; 0 for numbers that are no type. */
export function typeSizes(idSize: number): Uint8Array {
  const sizes = new Uint8Array(256);
  sizes[TYPE_OBJECT] = idSize;
  sizes[TYPE_BOOLEAN] = 1;
  sizes[TYPE_CHAR] = 2;
  sizes[TYPE_FLOAT] = 4;
  sizes[TYPE_DOUBLE] = 8;
  sizes[TYPE_BYTE] = 1;
  sizes[TYPE_SHORT] = 2;
  sizes[TYPE_INT] = 4;
  sizes[TYPE_LONG] = 8;
  // An array is a reference, too. Version 1.0 has the characters of signatures in place of the numbers.
  sizes[1] = idSize;
  for (const [letter, type] of SIGNATURE_TYPES) sizes[letter.charCodeAt(0)] = sizes[type];
  return sizes;
}

const SIGNATURE_TYPES: readonly (readonly [string, number])[] = [
  ['L', TYPE_OBJECT],
  ['[', TYPE_OBJECT],
  ['Z', TYPE_BOOLEAN],
  ['C', TYPE_CHAR],
  ['F', TYPE_FLOAT],
  ['D', TYPE_DOUBLE],
  ['B', TYPE_BYTE],
  ['S', TYPE_SHORT],
  ['I', TYPE_INT],
  ['J', TYPE_LONG],
];

/** By number in the file: the type it stands for; characters of version 1.0 too; 0 for all others. */
export const TYPE_OF: Uint8Array = (() => {
  const types = new Uint8Array(256);
  for (let type = TYPE_OBJECT; type <= TYPE_LONG; type++) types[type] = type === 3 ? 0 : type;
  types[1] = TYPE_OBJECT;
  for (const [letter, type] of SIGNATURE_TYPES) types[letter.charCodeAt(0)] = type;
  return types;
})();
