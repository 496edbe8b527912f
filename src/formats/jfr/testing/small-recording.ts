/** A recording with each encoding that the reader knows, of a few hundred bytes a chunk. */
import { jfrBytes, type WrittenChunk, type WrittenType } from './jfr-writer.js';

const pooled = (name: string, type: string) => ({ name, type, pooled: true });
const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;

export const SMALL_TYPES: readonly WrittenType[] = [
  {
    name: 'jdk.ExecutionSample',
    label: 'Method Profiling Sample',
    event: true,
    fields: [START, pooled('sampledThread', 'java.lang.Thread'), pooled('stackTrace', 'jdk.types.StackTrace')],
  },
  {
    name: 'jdk.ObjectAllocationSample',
    event: true,
    fields: [
      START,
      pooled('eventThread', 'java.lang.Thread'),
      pooled('stackTrace', 'jdk.types.StackTrace'),
      pooled('objectClass', 'java.lang.Class'),
      { name: 'weight', type: 'long', content: ['DataAmount', 'BYTES'] },
    ],
  },
  {
    name: 'shop.Order',
    label: 'Order',
    event: true,
    fields: [
      START,
      { name: 'text', type: 'java.lang.String' },
      { name: 'letter', type: 'char' },
      { name: 'small', type: 'short' },
      { name: 'flag', type: 'boolean' },
      { name: 'price', type: 'double' },
      { name: 'share', type: 'float', content: ['Percentage', ''] },
      { name: 'parts', type: 'shop.Part', array: true },
      { name: 'part', type: 'shop.Part' },
    ],
  },
  {
    name: 'shop.Part',
    fields: [
      { name: 'id', type: 'int' },
      { name: 'size', type: 'byte' },
    ],
  },
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
    ],
  },
  { name: 'java.lang.Class', fields: [pooled('name', 'jdk.types.Symbol')] },
  { name: 'jdk.types.Symbol', simple: true, fields: [{ name: 'string', type: 'java.lang.String' }] },
  { name: 'jdk.types.FrameType', simple: true, fields: [{ name: 'description', type: 'java.lang.String' }] },
  {
    name: 'java.lang.Thread',
    fields: [
      { name: 'osName', type: 'java.lang.String' },
      { name: 'osThreadId', type: 'long' },
      { name: 'javaName', type: 'java.lang.String' },
      { name: 'javaThreadId', type: 'long' },
    ],
  },
];

/** A key that no double holds. */
const WIDE = 0x7000_0000_0000_0001n;

const frame = (method: bigint, lineNumber: number, type = 1) => ({ method, lineNumber, bytecodeIndex: 3, type });

const CONSTANTS = [
  {
    type: 'jdk.types.FrameType',
    constants: [
      [0n, { description: 'Interpreted' }],
      [1n, { description: 'JIT compiled' }],
    ],
  },
  {
    type: 'jdk.types.Symbol',
    constants: [
      [1n, { string: 'shop/Main' }],
      [2n, { string: 'main' }],
      [3n, { string: '([Ljava/lang/String;)V' }],
      [WIDE, { string: 'latin-é' }],
      [-5n, { string: 'chars-日本' }],
      [6n, { string: '()V' }],
    ],
  },
  { type: 'java.lang.Class', constants: [[1n, { name: 1 }]] },
  {
    type: 'jdk.types.Method',
    constants: [
      [WIDE, { type: 1, name: 2, descriptor: 3 }],
      [2n, { type: 1, name: WIDE, descriptor: 6 }],
      [-1n, { type: 1, name: -5n, descriptor: 6 }],
    ],
  },
  {
    type: 'jdk.types.StackTrace',
    constants: [
      [1n, { truncated: false, frames: [frame(2n, 20), frame(WIDE, 10, 0)] }],
      [300n, { truncated: true, frames: [frame(-1n, 30), frame(2n, 21)] }],
    ],
  },
  {
    type: 'java.lang.Thread',
    constants: [
      [1n, { osName: 'main', osThreadId: 4711, javaName: 'main', javaThreadId: 1 }],
      [2n, { osName: 'GC', osThreadId: 4712, javaName: null, javaThreadId: 0 }],
    ],
  },
] as const;

export function smallChunk(more: Partial<WrittenChunk> = {}): WrittenChunk {
  const at = (ticks: number): bigint => (more.startTicks ?? 1000n) + BigInt(ticks);
  return {
    types: SMALL_TYPES,
    records: [
      { type: 'jdk.ExecutionSample', values: { startTime: at(10), sampledThread: 1, stackTrace: 1 } },
      { type: 'jdk.ExecutionSample', values: { startTime: at(20), sampledThread: 2, stackTrace: 300 } },
      {
        type: 'jdk.ObjectAllocationSample',
        values: { startTime: at(30), eventThread: 1, stackTrace: 300, objectClass: 1, weight: 123456789012 },
      },
      { checkpoint: CONSTANTS },
      { type: 'jdk.ExecutionSample', values: { startTime: at(40), sampledThread: 1, stackTrace: 0 } },
      {
        type: 'shop.Order',
        values: {
          startTime: at(50),
          text: 'chars-日本',
          letter: 65,
          small: -2,
          flag: true,
          price: 1.5,
          share: 0.25,
          parts: [
            { id: 1, size: -1 },
            { id: -2, size: 2 },
          ],
          part: { id: 7, size: 8 },
        },
      },
      ...Array.from({ length: 8 }, (_, i) => ({
        type: 'jdk.ExecutionSample',
        values: { startTime: at(60 + i), sampledThread: 1, stackTrace: i % 2 === 0 ? 1 : 300 },
      })),
    ],
    ...more,
  };
}

/** By name of the fixture. */
export const SMALL_RECORDINGS: Readonly<Record<string, () => Uint8Array>> = {
  'compressed.jfr': () => jfrBytes([smallChunk({ startTicks: 0x7fff_ffff_ffffn })]),
  'raw.jfr': () => jfrBytes([smallChunk({ compressed: false, version: [1, 0] })]),
  'two-chunks.jfr': () =>
    jfrBytes([smallChunk(), smallChunk({ startNanos: 1_700_000_001_000_000_000n, startTicks: 5000n })]),
};
