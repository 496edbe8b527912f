/** JVMPI's dumps: bytes as the document lays them out, written by hand here, and every record there and back. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FormatError } from '../../../base/errors.js';
import { runs } from '../../../testing/amount.js';
import type { DumpForm } from './dump-bytes.js';
import { type ClassShape, type HeapRecord, readKinds, readRecords, writeKinds, writeRecords } from './heap-dump.js';
import { type MonitorRecord, readMonitors, writeMonitors } from './monitor-dump.js';

const LITTLE: DumpForm = { idSize: 8, byteOrder: 'little' };
const BIG: DumpForm = { idSize: 4, byteOrder: 'big' };
const FORMS: readonly DumpForm[] = [LITTLE, BIG, { idSize: 4, byteOrder: 'little' }, { idSize: 8, byteOrder: 'big' }];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'hex'));

/** A class with two interfaces, and static fields of the types int, reference, byte. */
const SHAPE: ClassShape = { interfaces: 2, statics: [10, 0, 8] };
const CLASS = {
  tag: 0x20,
  class: 0x10,
  super: 0x11,
  loader: 0x12,
  signers: 0,
  domain: 0x13,
  name: 0x14,
  reserved: 0,
  instanceSize: 24,
  interfaces: [0x15, 0x16],
  constants: [{ index: 3, type: 9, bytes: new Uint8Array([0xff, 0xfe]) }],
} as const;

describe('heap dumps', () => {
  it('HEAP_DUMP level 0: kinds and ids', () => {
    const objects = [
      { kind: 0, object: 0x0102 },
      { kind: 10, object: 0x03 },
    ];
    equal(hex(writeKinds(objects, LITTLE)), '00 0201000000000000 0a 0300000000000000'.replaceAll(' ', ''));
    equal(hex(writeKinds(objects, BIG)), '00 00000102 0a 00000003'.replaceAll(' ', ''));
  });

  /** Each record of the document by the name of its tag, in big-endian bytes with ids of four. */
  const RECORDS: Readonly<Record<string, readonly [text: string, record: HeapRecord]>> = {
    JVMPI_GC_ROOT_UNKNOWN: ['ff 00000021', { tag: 0xff, object: 0x21 }],
    JVMPI_GC_ROOT_JNI_GLOBAL: ['01 00000022 00000032', { tag: 0x01, object: 0x22, handle: 0x32 }],
    JVMPI_GC_ROOT_JNI_LOCAL: ['02 00000021 00000031 00000002', { tag: 0x02, object: 0x21, thread: 0x31, frame: 2 }],
    JVMPI_GC_ROOT_JAVA_FRAME: ['03 00000021 00000031 ffffffff', { tag: 0x03, object: 0x21, thread: 0x31, frame: -1 }],
    JVMPI_GC_ROOT_NATIVE_STACK: ['04 00000021 00000031', { tag: 0x04, object: 0x21, thread: 0x31 }],
    JVMPI_GC_ROOT_STICKY_CLASS: ['05 00000010', { tag: 0x05, object: 0x10 }],
    JVMPI_GC_ROOT_THREAD_BLOCK: ['06 00000021 00000031', { tag: 0x06, object: 0x21, thread: 0x31 }],
    JVMPI_GC_ROOT_MONITOR_USED: ['07 00000021', { tag: 0x07, object: 0x21 }],
    JVMPI_GC_CLASS_DUMP: [
      `20 00000010 00000011 00000012 00000000 00000013 00000014 00000000 00000018 00000015 00000016
        0001 0003 09 fffe  0000002a 00000041 07`,
      { ...CLASS, statics: bytesOf('0000002a 00000041 07') },
    ],
    JVMPI_GC_INSTANCE_DUMP: [
      '21 00000023 00000010 00000002 0102',
      { tag: 0x21, object: 0x23, class: 0x10, fields: bytesOf('0102') },
    ],
    JVMPI_GC_OBJ_ARRAY_DUMP: [
      '22 00000024 00000002 00000010 00000023 00000000',
      { tag: 0x22, object: 0x24, class: 0x10, elements: [0x23, 0] },
    ],
    JVMPI_GC_PRIM_ARRAY_DUMP: [
      '23 00000025 00000002 05 00410042',
      { tag: 0x23, object: 0x25, length: 2, type: 5, elements: bytesOf('00410042') },
    ],
  };

  for (const [name, [text, record]] of Object.entries(RECORDS))
    it(`HEAP_DUMP level 2: ${name} has the bytes of the document`, () => {
      equal(hex(writeRecords([record], BIG)), text.replace(/\s/g, ''));
      deepEqual(
        readRecords(bytesOf(text), BIG, 2, () => SHAPE),
        [record],
      );
      deepEqual(
        readRecords(writeRecords([record], LITTLE), LITTLE, 2, () => ({ ...SHAPE, statics: [10, 10, 8] })),
        [record],
      );
    });

  it('are a sequence of records; OBJECT_DUMP is one of an object', () => {
    const all = Object.values(RECORDS);
    const bytes = bytesOf(all.map(([text]) => text).join(' '));
    deepEqual(
      readRecords(bytes, BIG, 2, () => SHAPE),
      all.map(([, record]) => record),
    );
  });

  it('HEAP_DUMP level 1: no values of primitive types', () => {
    const text = `20 00000010 00000011 00000012 00000000 00000013 00000014 00000000 00000018 00000015 00000016
        0001 0003 09 fffe  00000041  23 00000025 00000002 05`;
    deepEqual(
      readRecords(bytesOf(text), BIG, 1, () => SHAPE),
      [
        { ...CLASS, statics: bytesOf('00000041') },
        { tag: 0x23, object: 0x25, length: 2, type: 5, elements: new Uint8Array(0) },
      ],
    );
  });

  const id = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const root = fc.oneof(
    fc.record({ tag: fc.constantFrom(0xff, 0x05, 0x07), object: id }),
    fc.record({ tag: fc.constantFrom(0x02, 0x03), object: id, thread: id, frame: fc.integer({ min: -1, max: 9999 }) }),
    fc.record({ tag: fc.constantFrom(0x04, 0x06), object: id, thread: id }),
    fc.record({ tag: fc.constant(0x21), object: id, class: id, fields: fc.uint8Array({ maxLength: 20 }) }),
    fc.record({ tag: fc.constant(0x22), object: id, class: id, elements: fc.array(id, { maxLength: 5 }) }),
  );

  it('come back as they were, cut ones fail with an offset', () => {
    fc.assert(
      fc.property(
        fc.array(
          root.map((record): HeapRecord => ({ ...record })),
          { maxLength: 8 },
        ),
        fc.constantFrom(...FORMS),
        fc.nat(),
        (records, form, cut) => {
          const bytes = writeRecords(records, form);
          const read = (from: Uint8Array) => readRecords(from, form, 2, () => undefined);
          deepEqual(read(bytes), records);
          const part = bytes.subarray(0, cut % (bytes.length + 1));
          try {
            deepEqual(read(part), records.slice(0, read(part).length));
          } catch (error) {
            if (!(error instanceof FormatError)) throw error;
          }
        },
      ),
      runs(1000),
    );
  });

  it('that are damaged fail where the damage is', () => {
    const fails = (text: string, offset: number, level: 1 | 2 = 2) =>
      throws(
        () => readRecords(bytesOf(text), BIG, level, () => undefined),
        (error) => error instanceof FormatError && error.offset === offset,
      );
    fails('ff 00000001 99', 5);
    fails('22 00000001 ffffffff 00000000', 5);
    fails('23 00000001 ffffffff 0b', 10);
    fails('23 00000001 00000001 00', 0);
    fails('20 00000010', 1);
    throws(() => readKinds(bytesOf('03 00000001'), BIG), FormatError);
    throws(() => readRecords(bytesOf('ff 0000000000002000'), LITTLE, 2, () => undefined), FormatError);
  });
});

describe('MONITOR_DUMP', () => {
  // JVMPI_MONITOR_JAVA and JVMPI_MONITOR_RAW.
  const monitors: MonitorRecord[] = [
    { tag: 0x01, object: 0x21, owner: 0x31, entries: 3, entering: [0x32], waiting: [0x33, 0x34] },
    { tag: 0x02, name: 'ab', id: 7, owner: 0, entries: 0, entering: [], waiting: [0x33] },
  ];

  it('have the bytes of the document, with names in place of pointers', () => {
    const text = `01 00000021 00000031 00000003 00000001 00000032 00000002 00000033 00000034
      02 616200 00000007 00000000 00000000 00000000 00000001 00000033`;
    equal(hex(writeMonitors(monitors, BIG)), text.replace(/\s/g, ''));
    deepEqual(readMonitors(bytesOf(text), BIG), monitors);
    for (const form of FORMS) deepEqual(readMonitors(writeMonitors(monitors, form), form), monitors);
  });

  it('that are damaged fail where the damage is', () => {
    for (const [text, offset] of [
      ['03', 0],
      ['02 6162', 1],
      ['01 00000021 00000031 00000003 ffffffff', 13],
    ] as const)
      throws(
        () => readMonitors(bytesOf(text), BIG),
        (error) => error instanceof FormatError && error.offset === offset,
      );
  });
});
