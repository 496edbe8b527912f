/** The types of generated recordings, as those of a JVM, and the names of their code. */
import type { WrittenType } from '../../src/formats/jfr/testing/jfr-writer.js';

const pooled = (name: string, type: string) => ({ name, type, pooled: true });
const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const ticks = (name: string) => ({ name, type: 'long', content: ['Timespan', 'TICKS'] }) as const;
const bytes = (name: string) => ({ name, type: 'long', content: ['DataAmount', 'BYTES'] }) as const;
const THREAD = pooled('eventThread', 'java.lang.Thread');
const STACK = pooled('stackTrace', 'jdk.types.StackTrace');
const text = (name: string) => ({ name, type: 'java.lang.String' });

/** Types of events by name; the fields are written in this order. */
const EVENTS: Readonly<Record<string, WrittenType['fields']>> = {
  'jdk.ExecutionSample': [
    START,
    pooled('sampledThread', 'java.lang.Thread'),
    STACK,
    pooled('state', 'jdk.types.ThreadState'),
  ],
  'jdk.ObjectAllocationInNewTLAB': [
    ...[START, THREAD, STACK, pooled('objectClass', 'java.lang.Class')],
    ...[bytes('allocationSize'), bytes('tlabSize')],
  ],
  'jdk.JavaMonitorEnter': [
    ...[START, ticks('duration'), THREAD, STACK, pooled('monitorClass', 'java.lang.Class')],
    ...[pooled('previousOwner', 'java.lang.Thread'), { name: 'address', type: 'long' }],
  ],
  'jdk.ThreadPark': [START, ticks('duration'), THREAD, STACK, pooled('parkedClass', 'java.lang.Class')],
  'jdk.GarbageCollection': [
    ...[START, ticks('duration'), { name: 'gcId', type: 'int' }, text('name'), text('cause')],
    ...[ticks('sumOfPauses'), ticks('longestPause')],
  ],
  'jdk.GCHeapSummary': [START, { name: 'gcId', type: 'int' }, text('when'), bytes('heapUsed')],
};

export const EVENT_NAMES = Object.keys(EVENTS);

export const TYPES: readonly WrittenType[] = [
  ...Object.entries(EVENTS).map(([name, fields]): WrittenType => ({ name, event: true, fields })),
  {
    name: 'jdk.types.StackTrace',
    fields: [
      { name: 'truncated', type: 'boolean' },
      { name: 'frames', type: 'jdk.types.StackFrame', array: true },
    ],
  },
  {
    name: 'jdk.types.StackFrame',
    fields: [
      pooled('method', 'jdk.types.Method'),
      { name: 'lineNumber', type: 'int' },
      { name: 'bytecodeIndex', type: 'int' },
      pooled('type', 'jdk.types.FrameType'),
    ],
  },
  {
    name: 'jdk.types.Method',
    fields: [
      pooled('type', 'java.lang.Class'),
      pooled('name', 'jdk.types.Symbol'),
      pooled('descriptor', 'jdk.types.Symbol'),
      { name: 'modifiers', type: 'int' },
      { name: 'hidden', type: 'boolean' },
    ],
  },
  {
    name: 'java.lang.Class',
    fields: [
      pooled('classLoader', 'jdk.types.ClassLoader'),
      pooled('name', 'jdk.types.Symbol'),
      pooled('package', 'jdk.types.Package'),
      { name: 'modifiers', type: 'int' },
    ],
  },
  { name: 'jdk.types.ClassLoader', fields: [pooled('name', 'jdk.types.Symbol')] },
  { name: 'jdk.types.Package', fields: [pooled('name', 'jdk.types.Symbol')] },
  { name: 'jdk.types.Symbol', simple: true, fields: [text('string')] },
  { name: 'jdk.types.FrameType', simple: true, fields: [text('description')] },
  { name: 'jdk.types.ThreadState', simple: true, fields: [text('name')] },
  {
    name: 'java.lang.Thread',
    fields: [
      text('osName'),
      { name: 'osThreadId', type: 'long' },
      text('javaName'),
      { name: 'javaThreadId', type: 'long' },
    ],
  },
];
