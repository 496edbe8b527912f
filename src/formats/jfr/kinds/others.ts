/** Input and output, exceptions, traced calls. */
import { ERROR_EVENTS, EXCEPTION_EVENTS } from '../../../models/events/exception.js';
import { IO_EVENTS, IO_OPERATIONS, type IoOperation } from '../../../models/events/io.js';
import { METHOD_TIMING_EVENTS, METHOD_TRACE_EVENTS } from '../../../models/events/time.js';
import type { Facts } from './facts.js';
import type { KindColumns, KindOfEvents, KindSource } from './kind-source.js';

const HAPPENED = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime' };

const io = (type: string, operation: IoOperation, more: KindSource['columns']): KindSource => ({
  type,
  columns: { ...HAPPENED, operation: IO_OPERATIONS.indexOf(operation), spent: 'duration', ...more },
});
const thrown = (type: string): KindSource => ({
  type,
  columns: { ...HAPPENED, class: 'thrownClass', message: 'message', count: 1 },
});

export const OTHERS: readonly KindOfEvents[] = [
  {
    kind: IO_EVENTS,
    sources: [
      io('jdk.FileRead', 'file-read', { target: 'path', read: 'bytesRead' }),
      io('jdk.FileWrite', 'file-write', { target: 'path', written: 'bytesWritten' }),
      io('jdk.FileForce', 'file-force', { target: 'path' }),
      io('jdk.SocketRead', 'socket-read', { target: 'host', port: 'port', read: 'bytesRead' }),
      io('jdk.SocketWrite', 'socket-write', { target: 'host', port: 'port', written: 'bytesWritten' }),
    ],
    metrics: [
      IO_EVENTS.metric('spent', { id: 'io-time', title: 'Time of input and output' }),
      IO_EVENTS.metric('read', { id: 'bytes-read', title: 'Bytes read' }),
      IO_EVENTS.metric('written', { id: 'bytes-written', title: 'Bytes written' }),
    ],
  },
  {
    kind: EXCEPTION_EVENTS,
    sources: [thrown('jdk.JavaExceptionThrow')],
    metrics: [EXCEPTION_EVENTS.metric('count', { id: 'exceptions', title: 'Exceptions' })],
  },
  {
    kind: ERROR_EVENTS,
    sources: [thrown('jdk.JavaErrorThrow')],
    metrics: [ERROR_EVENTS.metric('count', { id: 'errors', title: 'Errors' })],
  },
  {
    kind: METHOD_TRACE_EVENTS,
    sources: [{ type: 'jdk.MethodTrace', columns: { ...HAPPENED, function: 'method', spent: 'duration' } }],
    metrics: [METHOD_TRACE_EVENTS.metric('spent', { id: 'traced', title: 'Time of traced calls, by their callers' })],
  },
  {
    kind: METHOD_TIMING_EVENTS,
    sources: [
      {
        type: 'jdk.MethodTiming',
        columns: {
          stack: 'method',
          time: 'startTime',
          invocations: 'invocations',
          timed: 'average',
          minimum: 'minimum',
          maximum: 'maximum',
        },
      },
    ],
    metrics: [
      METHOD_TIMING_EVENTS.metric('timed', { id: 'timed', title: 'Time of timed methods' }),
      METHOD_TIMING_EVENTS.metric('invocations', { id: 'timed-calls', title: 'Calls of timed methods' }),
    ],
    complete: sinceBefore,
  },
];

/**
 * The recorder counts from its start on, and has the average of all calls so far. A count that falls began anew. If the recorder ran before
 * the file began, what it counted until the first event may be of that time.
 */
export function sinceBefore(columns: KindColumns, facts: Pick<Facts, 'stretches'>): void {
  const { stack, time, invocations, timed } = columns;
  const before = new Map<number, { readonly calls: number; readonly time: number }>();
  const earlier = new Float64Array(time.length);
  const order = Int32Array.from(time, (_, row) => row).sort((a, b) => time[a] - time[b] || a - b);
  for (const row of order) {
    const calls = Math.max(0, invocations[row]);
    const all = calls * Math.max(0, timed[row]);
    const last = before.get(stack[row]);
    const isNew = last === undefined || calls < last.calls;
    before.set(stack[row], { calls, time: all });
    const isEarlier = last === undefined && isContinued(facts, time[row]);
    if (isEarlier) earlier[row] = calls;
    invocations[row] = isEarlier ? 0 : isNew ? calls : calls - last.calls;
    timed[row] = isEarlier ? 0 : isNew ? all : Math.max(0, all - last.time);
  }
  if (earlier.some((calls) => calls > 0)) columns.earlier = earlier;
}

/** Whether the recorder ran before the stretch that a time is in. */
function isContinued({ stretches }: Pick<Facts, 'stretches'>, time: number): boolean {
  return stretches.findLast(({ start }) => start <= time)?.isContinued === true;
}
