/** Input and output: bytes read or written, and how long it took. */
import type { Field } from '../table.js';
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

export const IO_OPERATIONS = [
  'file-read',
  'file-write',
  'file-force',
  'socket-read',
  'socket-write',
  'open',
  'close',
  'other-call',
] as const;
export type IoOperation = (typeof IO_OPERATIONS)[number];

const spentIn = <const Key extends string>(key: Key, title: string, meaning: string) =>
  optional({ key, title, holds: 'number', unit: 'ns', meaning, wide: true, nature: 'flow' } as const satisfies Field);
const counted = <const Key extends string>(key: Key, title: string, meaning: string) =>
  optional({
    key,
    title,
    holds: 'number',
    unit: 'count',
    meaning,
    wide: true,
    nature: 'flow',
  } as const satisfies Field);

/** Calls of the program, or operations of its runtime. Fields from `descriptor` on are of recorders that trace calls; a call that failed counts only as such. */
export const IO_EVENTS = defineEvents('io', 'Input and output', [
  STACK,
  optional(THREAD),
  optional(TIME),
  {
    key: 'operation',
    title: 'Operation',
    holds: 'number',
    unit: 'none',
    meaning: 'index into the operations',
    names: IO_OPERATIONS,
  },
  { key: 'target', title: 'Target', holds: 'string', unit: 'none', meaning: 'path of the file, or host; -1 unknown' },
  optional({ key: 'port', title: 'Port', holds: 'number', unit: 'none', meaning: 'port of the host; -1 of files' }),
  {
    key: 'spent',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'duration of the operation',
    wide: true,
    nature: 'flow',
  },
  optional({
    key: 'read',
    title: 'Read',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes read',
    wide: true,
    nature: 'flow',
  }),
  optional({
    key: 'written',
    title: 'Written',
    holds: 'number',
    unit: 'bytes',
    meaning: 'bytes written',
    wide: true,
    nature: 'flow',
  }),
  optional({ key: 'descriptor', title: 'Descriptor', holds: 'number', unit: 'none', meaning: 'file descriptor' }),
  optional({
    key: 'original',
    title: 'Original',
    holds: 'number',
    unit: 'none',
    meaning: 'descriptor that a call made another one of; 0 of other calls',
  }),
  optional({
    key: 'file_system',
    title: 'File system',
    holds: 'number',
    unit: 'none',
    meaning: "number of the recorder for the file system: 22 is ext3, 23 ext4, 24 unknown; Linux's recorder writes 0",
  }),
  optional({
    key: 'returned',
    title: 'Returned',
    holds: 'number',
    unit: 'none',
    meaning: 'bytes as the recorder wrote them; -1 of reads and writes that failed',
    wide: true,
  }),
  spentIn('read_time', 'Read time', 'in calls that read; 0 in others'),
  spentIn('write_time', 'Write time', 'in calls that wrote; 0 in others'),
  spentIn('other_time', 'Other I/O time', 'in calls that neither read nor wrote; 0 in others'),
  spentIn('error_time', 'I/O error time', 'in calls that failed; 0 in others'),
  counted('reads', 'Reads', '1 for calls that read'),
  counted('writes', 'Writes', '1 for calls that wrote'),
  counted('others', 'Other I/O calls', '1 for calls that neither read nor wrote'),
  counted('errors', 'I/O errors', '1 for calls that failed'),
]);
export type IoEvents = RowsOf<typeof IO_EVENTS>;
