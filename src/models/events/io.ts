/** Input and output: bytes read or written, and how long it took. */
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

export const IO_EVENTS = defineEvents('io', 'Input and output', [
  STACK,
  optional(THREAD),
  optional(TIME),
  { key: 'operation', title: 'Operation', holds: 'number', unit: 'none', meaning: 'index into the operations' },
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
]);
export type IoEvents = RowsOf<typeof IO_EVENTS>;
