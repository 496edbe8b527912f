/** Calls of the Message Passing Interface: how long they took, and what they sent and received. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

const moved = <const Key extends string, const Unit extends 'bytes' | 'count'>(
  key: Key,
  title: string,
  unit: Unit,
  meaning: string,
) => ({ key, title, holds: 'number', unit, meaning, wide: true, nature: 'flow' }) as const;

/** Bytes are the sizes of buffers that a call names: a recorder does not see what arrives. */
export const MPI_EVENTS = defineEvents('mpi', 'MPI calls', [
  STACK,
  optional(THREAD),
  optional(TIME),
  {
    key: 'call',
    title: 'Function',
    holds: 'string',
    unit: 'none',
    meaning: 'function of MPI, such as MPI_Send; -1 unknown',
  },
  {
    key: 'spent',
    title: 'Time',
    holds: 'number',
    unit: 'ns',
    meaning: 'duration of the call',
    wide: true,
    nature: 'flow',
  },
  moved('sends', 'Sends', 'count', 'messages sent'),
  moved('sent', 'Sent', 'bytes', 'bytes sent'),
  moved('receives', 'Receives', 'count', 'messages received'),
  moved('received', 'Received', 'bytes', 'bytes received'),
  moved('others', 'Other calls', 'count', '1 for calls that neither send nor receive'),
]);
export type MpiEvents = RowsOf<typeof MPI_EVENTS>;
