/** Memory that was not freed: sampled objects of the Java heap, and native memory. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { CLASS, DUMP, STACK, THREAD, TIME } from './shared-fields.js';

/** Objects that were sampled when they were allocated, and alive when the recording was written. */
export const OLD_OBJECT_EVENTS = defineEvents('old-object', 'Old objects', [
  STACK,
  optional(THREAD),
  optional({ ...TIME, meaning: 'when it was allocated, since the start of the recording' }),
  CLASS,
  optional({ key: 'age', title: 'Age', holds: 'number', unit: 'ns', meaning: 'time since its allocation', wide: true }),
  optional({
    ...DUMP,
    meaning: 'number of the moment at which the recorder wrote the objects that were alive, from 0',
  }),
  optional({
    key: 'found',
    title: 'Found',
    holds: 'number',
    unit: 'ns',
    meaning: 'when it was found alive, since the start of the recording',
    wide: true,
  }),
  optional({
    key: 'heap_use',
    title: 'Heap used',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes of the heap in use after the last collection before its allocation',
    wide: true,
  }),
  optional({
    key: 'description',
    title: 'Description',
    holds: 'string',
    unit: 'none',
    meaning: 'of the object, such as the name of a thread; -1 none',
  }),
  optional({
    key: 'elements',
    title: 'Elements',
    holds: 'number',
    unit: 'none',
    meaning: 'of an array; negative for other objects',
  }),
  optional({
    key: 'root',
    title: 'Root',
    holds: 'string',
    unit: 'none',
    meaning: 'kind of the root that keeps it; -1 unknown',
  }),
  optional({
    key: 'root_system',
    title: 'Root of',
    holds: 'string',
    unit: 'none',
    meaning: 'part of the VM that the root belongs to; -1 unknown',
  }),
  optional({
    key: 'root_description',
    title: 'Root is',
    holds: 'string',
    unit: 'none',
    meaning: 'the root itself, such as a thread; -1 unknown',
  }),
  optional({
    key: 'reference',
    title: 'Reference',
    holds: 'row',
    unit: 'none',
    meaning: 'row in the references of the recording: how it is held; -1 unknown',
  }),
  { key: 'objects', title: 'Objects', holds: 'number', unit: 'count', meaning: '1', wide: true, nature: 'level' },
  optional({
    key: 'bytes',
    title: 'Bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'shallow size of the object',
    wide: true,
    nature: 'level',
  }),
]);
export type OldObjectEvents = RowsOf<typeof OLD_OBJECT_EVENTS>;

/** Functions that change native memory; calloc and memalign are recorded as malloc. */
export const MEMORY_STEPS = ['malloc', 'free', 'realloc', 'mmap', 'munmap'] as const;

/** Native memory: a row is an allocation, or the end of one, whose numbers are 0. */
export const NATIVE_MEMORY_EVENTS = defineEvents('native-memory', 'Native memory', [
  STACK,
  optional(THREAD),
  optional(TIME),
  { key: 'address', title: 'Address', holds: 'number', unit: 'none', meaning: 'of the memory', wide: true },
  {
    key: 'allocations',
    title: 'Allocations',
    holds: 'number',
    unit: 'count',
    meaning: '1 for allocations, 0 for freed memory',
    nature: 'flow',
  },
  {
    key: 'bytes',
    title: 'Bytes',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes of the allocation',
    wide: true,
    nature: 'flow',
  },
  {
    key: 'live',
    title: 'Not freed',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes of allocations that the recording does not show as freed',
    wide: true,
    nature: 'level',
  },
  optional({
    key: 'step',
    title: 'Function',
    holds: 'number',
    unit: 'none',
    meaning: 'kind of the function that was called',
    names: MEMORY_STEPS,
  }),
  optional({
    key: 'unmapped',
    title: 'Unmapped',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes that munmap was to unmap; 0 of other calls',
    wide: true,
  }),
  optional({
    key: 'previous',
    title: 'Old address',
    holds: 'number',
    unit: 'address',
    meaning: 'address passed to realloc; 0 where it was not recorded',
    wide: true,
  }),
  optional({
    key: 'leaks',
    title: 'Leaks',
    holds: 'number',
    unit: 'count',
    meaning: '1 for allocations of which something was not freed',
    nature: 'level',
  }),
]);
export type NativeMemoryEvents = RowsOf<typeof NATIVE_MEMORY_EVENTS>;
