/** The walk over records: files that are whole, cut, or damaged in the ways that docs/formats/hprof.md has. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ProblemLog } from '../../../base/problems.js';
import { type ByteSource, memorySource } from '../../../bytes/byte-source.js';
import { runs } from '../../../testing/amount.js';
import { readHprofFile } from '../read.js';
import { openInput, type RecordInput } from './input.js';
import { type Outline, type OutlineOptions, walkRecords } from './outline.js';
import { headOfFile } from './record-heads.js';
import { RecordBytes, u4 } from './testing/record-bytes.js';

const GIB4 = 2 ** 32;

interface Walked {
  readonly outline: Outline;
  readonly codes: readonly string[];
  readonly tags: readonly number[];
  readonly heap: string;
}

async function walk(source: ByteSource | Buffer, options: OutlineOptions = {}, passHeap = false): Promise<Walked> {
  const input = await openInput('open' in source ? source : memorySource('x', source));
  return walkInput(input, options, passHeap);
}

async function walkInput(input: RecordInput, options: OutlineOptions, passHeap = false): Promise<Walked> {
  const bytes = new Uint8Array(64);
  const head = headOfFile(bytes.subarray(0, await input.readAt(0, bytes)));
  if (head === undefined) throw new Error('no head');
  const problems = new ProblemLog();
  const tags: number[] = [];
  const heap: Buffer[] = [];
  const sink = { record: (tag: number) => void tags.push(tag) };
  const pass = { ...sink, heap: (piece: Uint8Array) => void heap.push(Buffer.from(piece)) };
  const outline = await walkRecords(input, head, passHeap ? pass : sink, problems, options);
  const codes = problems.finish().list.map(({ code, offset }) => `${code}@${offset}`);
  return { outline, codes, tags, heap: Buffer.concat(heap).toString('hex') };
}

const streamOf = (bytes: Buffer): ByteSource => ({ ...withoutAccess(memorySource('x', bytes)), size: undefined });
const withoutAccess = ({ name, open }: ByteSource) => ({ name, open });

const segmentsOf = ({ segments: { length, from, to, dump } }: Outline): number[][] =>
  Array.from({ length }, (_, i) => [from[i] ?? -1, to[i] ?? -1, dump[i] ?? -1]);

describe('dumps', () => {
  test('a 0x0C record is a dump; 0x1C records are one up to 0x2C', async () => {
    const file = new RecordBytes().segment(0x0c, [1, 2]);
    const [first, second] = [file.length, file.segment(0x1c, [3]).length];
    file.segment(0x1c, [4, 5]).end();
    const third = file.length;
    file.segment(0x1c, []).end();
    const bytes = file.finish();
    for (const source of [memorySource('x', bytes), streamOf(bytes)]) {
      const { outline, codes } = await walk(source);
      deepEqual(segmentsOf(outline), [
        [first - 10, first, 0],
        [first + 9, second, 1],
        [second + 9, second + 19, 1],
        [third + 9, third + 9, 2],
      ]);
      deepEqual([outline.dumps, outline.complete, codes], [3, true, []]);
    }
  });

  test('the bytes of segments are passed on, also of streams', async () => {
    const bytes = new RecordBytes().segment(0x1c, [1, 2]).utf8(7, 'x').segment(0x1c, [3]).end().finish();
    for (const source of [memorySource('x', bytes), streamOf(bytes)]) {
      const { heap, tags } = await walk(source, {}, true);
      equal(heap, 'ff00000001ff00000002ff00000003');
      deepEqual(tags, [1]);
    }
  });

  test('without an end record', async () => {
    const file = new RecordBytes().utf8(1, 'a');
    const { outline, codes } = await walk(file.segment(0x1c, [1]).finish());
    deepEqual([outline.complete, codes], [false, [`hprof-no-end@${file.length - 14}`]]);
  });

  test('goes on where a sub-record ended that ran over the edge', async () => {
    const file = new RecordBytes();
    const at = file.length;
    file.segment(0x1c, [1, 2], 7);
    const edge = file.length;
    const bytes = file.segment(0x1c, [3]).end().utf8(1, 'a').finish();
    const { outline, codes } = await walk(bytes, { from: edge, dump: 0 });
    deepEqual(segmentsOf(outline), [[edge + 9, edge + 14, 0]]);
    deepEqual(codes, []);
    // By its lengths alone, the file has a gap there.
    const whole = await walk(bytes);
    deepEqual(segmentsOf(whole.outline)[0], [at + 9, at + 16, 0]);
    deepEqual(whole.codes, [`hprof-gap@${at + 16}`]);
    deepEqual(segmentsOf(whole.outline)[1], [edge + 9, edge + 14, 0]);
  });
});

describe('lengths that are wrong', () => {
  for (const tag of [0x0c, 0x1c])
    test(`0 in the last record 0x${tag.toString(16)}`, async () => {
      const file = new RecordBytes({ idSize: 8 }).utf8(1, 'a');
      const at = file.length;
      const bytes = file.segment(tag, [0x7f0000000000, 0x7f0000000100, 0x7f0000000200], 0).finish();
      for (const source of [memorySource('x', bytes), streamOf(bytes)]) {
        const { outline, codes } = await walk(source);
        deepEqual(segmentsOf(outline), [[at + 9, bytes.length, 0]]);
        deepEqual([outline.complete, codes], [false, [`hprof-zero-length@${at}`]]);
      }
    });

  test('0 in a segment that is empty', async () => {
    const { outline, codes } = await walk(new RecordBytes().segment(0x1c, []).segment(0x1c, [1]).end().finish());
    deepEqual([outline.segments.length, outline.dumps, codes], [2, 1, []]);
  });

  test('modulo 2^32', async () => {
    const file = new RecordBytes({ idSize: 8 }).utf8(1, 'a');
    const at = file.length;
    const start = file.segment(0x0c, [1, 2, 3], 1000).finish();
    for (const rest of [GIB4 + 1000, 2 * GIB4 + 1000]) {
      const { outline, codes } = await walkInput(sparse(start, at + 9 + rest), {});
      deepEqual(segmentsOf(outline), [[at + 9, at + 9 + rest, 0]]);
      deepEqual([outline.complete, codes], [true, [`hprof-wrapped-length@${at}`]]);
    }
    const other = await walkInput(sparse(start, at + 9 + 3_000_000), {});
    match(other.codes.join(), /^hprof-gap@/);
  });

  test('beyond the end of the file: the segment is cut', async () => {
    const file = new RecordBytes().utf8(1, 'a');
    const at = file.length;
    const bytes = file.segment(0x1c, [1, 2], 1_000_000).finish();
    for (const source of [memorySource('x', bytes), streamOf(bytes)]) {
      const { outline, codes } = await walk(source);
      deepEqual(segmentsOf(outline), [[at + 9, bytes.length, 0]]);
      deepEqual([outline.complete, outline.end, codes], [false, bytes.length, [`hprof-cut@${at}`]]);
    }
  });

  test('of a name: the records behind it are found', async () => {
    const file = new RecordBytes().utf8(1, 'a');
    const at = file.length;
    file.record(0x01, [u4(2), Buffer.from('name')], { announced: 30 });
    const { codes, tags } = await walk(file.utf8(3, 'b').endThread(1).endThread(2).utf8(4, 'c').finish());
    deepEqual(codes, [`hprof-gap@${at}`]);
    deepEqual(tags, [1, 1, 11, 11, 1]);
  });
});

describe('tags', () => {
  test('unknown ones are skipped by their length', async () => {
    const file = new RecordBytes().utf8(1, 'a');
    const at = file.length;
    const { codes, tags, outline } = await walk(
      file
        .record(0x77, [Buffer.alloc(5000, 0x55)])
        .utf8(2, 'b')
        .utf8(3, 'c')
        .finish(),
    );
    deepEqual([codes, tags, outline.complete], [[`hprof-tag@${at}`], [1, 1, 1], true]);
  });

  test('bytes that are no records are a gap', async () => {
    const file = new RecordBytes().utf8(1, 'a');
    const at = file.length;
    const bytes = file.bytes(Buffer.alloc(700_000, 0xee)).utf8(2, 'b').utf8(3, 'c').utf8(4, 'd').finish();
    const { codes, tags, outline } = await walk(bytes);
    deepEqual([codes, tags, outline.complete], [[`hprof-gap@${at}`], [1, 1, 1, 1], false]);
  });
});

describe('large files', () => {
  test('a segment of 1 MiB costs one small read', async () => {
    const segment = new RecordBytes({ idSize: 8 }).finish();
    const count = 1000;
    const size = segment.length + count * (9 + (1 << 20)) + 9;
    let [reads, bytes] = [0, 0];
    const input = sparse(segment, size, (offset, target) => {
      reads++;
      bytes += target.length;
      for (let i = 0; i < target.length; i++) {
        const at = (offset + i - segment.length) % (9 + (1 << 20));
        const number = Math.floor((offset + i - segment.length) / (9 + (1 << 20)));
        if (offset + i >= segment.length) target[i] = headByte(at, number === count);
      }
    });
    const { outline, codes } = await walkInput(input, {});
    deepEqual([outline.segments.length, outline.dumps, codes], [count, 1, []]);
    equal(reads < count * 1.1, true, `${reads} reads`);
    equal(bytes < count * 5000, true, `${bytes} bytes`);
  });

  test('segments of 4 KiB are read through windows', async () => {
    const file = new RecordBytes();
    const body = [Buffer.alloc(4000, 0xff)];
    for (let i = 0; i < 2000; i++) file.record(0x1c, body);
    const bytes = file.end().finish();
    let reads = 0;
    const source = memorySource('x', bytes);
    const readAt = (at: number, target: Uint8Array): Promise<number> => {
      reads++;
      return source.readAt(at, target);
    };
    const { outline } = await walk({ ...source, readAt });
    equal(outline.segments.length, 2000);
    equal(reads < 25, true, `${reads} reads`);
  });
});

function headByte(at: number, isEnd: boolean): number {
  if (at === 0) return isEnd ? 0x2c : 0x1c;
  // The length, 0x00100000, or 0.
  return at === 6 && !isEnd ? 0x10 : 0;
}

/** A file of `size` bytes with `start` at its beginning; other bytes are 0xEE, or what `fill` sets. */
function sparse(start: Buffer, size: number, fill?: (offset: number, target: Uint8Array) => void): RecordInput {
  return {
    readAt: (offset, target) => {
      const count = Math.max(0, Math.min(target.length, size - offset));
      const part = target.subarray(0, count).fill(0xee);
      fill?.(offset, part);
      part.set(start.subarray(offset, offset + count));
      return count;
    },
    size: () => size,
    measure: async () => size,
    path: undefined,
    damage: () => undefined,
    close: async () => undefined,
  };
}

test('random access and streams give the same, wherever a file is cut', async () => {
  const shape = fc.array(
    fc.oneof(fc.constant('name'), fc.constant('segment'), fc.constant('end'), fc.constant('dump')),
    {
      maxLength: 30,
    },
  );
  await fc.assert(
    fc.asyncProperty(shape, fc.nat(), async (parts, cut) => {
      const file = new RecordBytes();
      parts.forEach((part, i) => {
        if (part === 'name') file.utf8(i + 1, 'n'.repeat(i * 7));
        else if (part === 'end') file.end();
        else
          file.segment(
            part === 'dump' ? 0x0c : 0x1c,
            Array.from({ length: i + 1 }, (_, root) => root + 1),
          );
      });
      const whole = file.finish();
      const head = 13 + 18;
      const bytes = whole.subarray(0, Math.max(head, whole.length - (cut % (whole.length + 1))));
      const [one, other] = [await walk(bytes), await walk(streamOf(bytes))];
      deepEqual(other, one);
      equal(one.outline.end, bytes.length);
      deepEqual(
        one.tags,
        parts
          .slice(0, one.tags.length + parts.length)
          .filter((part) => part === 'name')
          .slice(0, one.tags.length)
          .map(() => 1),
      );
    }),
    runs(200),
  );
});

test('other files are refused', async () => {
  const read = (text: string) => readHprofFile(memorySource('x', Buffer.from(text, 'latin1')));
  await rejects(read(''), /an empty file/);
  await rejects(read('JAVA PROFILE 1.0.1, created Sat Nov 21 01:42:25 2026'), /other bytes/);
  await rejects(read('JAVA PROFILE 1.0.2\0\0\0\0\u0005\0\0\0\0\0\0\0\0'), /ids of 5 bytes/);
  await rejects(read('JAVA PROFILE 1.0.2\0\0\0\0\u0004\0\0\0\0\0\0\0\0'), /no record/);
});

test('a part of a dump is read by itself', async () => {
  const head = new RecordBytes({ idSize: 8 });
  const from = head.length;
  const bytes = head.segment(0x1c, [0x7f0000000000, 0x7f0000000100]).segment(0x1c, [5]).finish().subarray(from);
  const { problems, metadata, sections, complete } = await readHprofFile(memorySource('x.hprof.p0', bytes));
  deepEqual(
    problems.list.map(({ code }) => code),
    ['hprof-part'],
  );
  equal(metadata.find(({ key }) => key === 'id size')?.value, '8 bytes');
  deepEqual(sections, [{ name: 'HEAP DUMP SEGMENT', entries: 2 }]);
  equal(complete, false);
});
