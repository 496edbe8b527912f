/** Column files: values are restored with any window; any damage and any wrong size is detected. */
import { deepStrictEqual, equal, notEqual, ok, rejects, strictEqual, throws } from 'node:assert/strict';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Progress } from '../base/progress.js';
import { amount, kindsAt, runs } from '../testing/amount.js';
import { DamagedFileError, draftColumns, readColumns } from './column-file.node.js';
import { SMALLEST_SECTION, takeApart } from './column-skeleton.node.js';

let folder = '';
let file = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kansoku-columns-'));
  file = join(folder, 'value.columns');
});
after(() => rmSync(folder, { recursive: true }));

async function roundTrip(value: unknown, windows: readonly (number | undefined)[] = []): Promise<unknown> {
  const draft = draftColumns(value, windows[0]);
  await draft.write(file);
  equal(statSync(file).size, draft.size);
  return readColumns(file, {}, windows[1]);
}

const TYPES = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/** Views of all types over a few buffers, so that some have the same bytes and some overlap. */
const buffers = [0, 8, 1024, 4096].map((length, i) => Uint8Array.from({ length }, (_, at) => at * 31 + i).buffer);
const drawnView = fc
  .record({
    buffer: fc.constantFrom(...buffers),
    type: fc.constantFrom(...TYPES),
    from: fc.constantFrom(0, 0, 8, 16, 1000),
    to: fc.constantFrom(0, 8, 1008, 1024, 4096),
  })
  .map(({ buffer, type, from, to }) => {
    const start = Math.min(from, buffer.byteLength);
    const bytes = Math.max(0, Math.min(to, buffer.byteLength) - start);
    return new type(buffer, start, bytes / type.BYTES_PER_ELEMENT);
  });
const drawn = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(
      drawnView,
      fc.constantFrom(null, undefined, true, false, NaN, -0, 0, Infinity, -Infinity, 2 ** 53, 0.1),
      fc.integer(),
      fc.double(),
      fc.bigInt(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', 'a\udfff', '\0', '\u{1f600}'),
      fc.date(),
    ),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.sparseArray(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 6, noNullPrototype: true }),
    fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => new Set(values)),
  ),
}));

describe('column files', () => {
  it('restore random plain data', async () => {
    const windows = fc.constantFrom(64, 1000, 4096, undefined);
    await fc.assert(
      fc.asyncProperty(drawn.value, windows, windows, async (value, write, read) => {
        deepStrictEqual(await roundTrip(value, [write, read]), value);
      }),
      runs(500),
    );
  });

  it('restore arrays of each type, in the skeleton and as sections, with any number of bytes', async () => {
    for (const bytes of [0, 8, SMALLEST_SECTION - 8, SMALLEST_SECTION, 8 * SMALLEST_SECTION]) {
      const content = Uint8Array.from({ length: bytes }, (_, i) => i * 73 + 11);
      const values = [...TYPES.map((type) => new type(content.slice().buffer)), new DataView(content.slice().buffer)];
      deepStrictEqual(await roundTrip(values), values);
    }
    const odd = Array.from({ length: 10 }, (_, i) => new Uint8Array(SMALLEST_SECTION + i).fill(i + 1));
    deepStrictEqual(await roundTrip(odd, [100, 90]), odd);
    const buffer = Buffer.alloc(2 * SMALLEST_SECTION, 'bytes of Node');
    deepStrictEqual(await roundTrip(buffer), buffer);
  });

  it('keep every bit of doubles', async () => {
    const bits = Uint32Array.from({ length: 1024 }, (_, i) => 0x7ff00000 | (i * 0x01000193));
    const back = await roundTrip(new Float64Array(bits.buffer));
    ok(back instanceof Float64Array);
    deepStrictEqual(new Uint32Array(back.buffer), bits);
  });

  it('write shared memory once and restore it shared', async () => {
    const column = Float64Array.from({ length: 1000 }, (_, i) => i);
    const value = {
      column,
      same: column,
      window: column.subarray(0),
      bytes: new Uint8Array(column.buffer),
      part: column.subarray(100, 300),
      equalPart: column.subarray(100, 300),
      small: column.subarray(3, 5),
    };
    const alone = draftColumns({ column }).size;
    ok(draftColumns(value).size < alone + 200 * 8 + 500, 'the column once, the part once');
    const back = await roundTrip(value);
    deepStrictEqual(back, value);
    ok(isSame(back, value));
    strictEqual(back.same, back.column);
    notEqual(back.window, back.column);
    strictEqual(back.window.buffer, back.column.buffer);
    strictEqual(back.bytes.buffer, back.column.buffer);
    strictEqual(back.part.buffer, back.equalPart.buffer);
    equal(back.part.buffer.byteLength, 200 * 8, 'of a part only its own bytes are kept');
  });

  it('keep cycles and objects with several owners', async () => {
    const node: { self?: unknown; column: Int32Array } = { column: new Int32Array(1000) };
    node.self = node;
    const back = await roundTrip([node, node]);
    ok(Array.isArray(back));
    strictEqual(back[0], back[1]);
    strictEqual(back[0].self, back[0]);
  });

  it('have little overhead for many small arrays', async () => {
    const parts = Array.from({ length: 20_000 }, (_, i) => new Uint8Array(i % 16).fill(i));
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    ok(draftColumns(parts).size < bytes + parts.length * 8);
    deepStrictEqual(await roundTrip(parts), parts);
  });

  it('transfer more sections than one system call accepts', async () => {
    const columns = Array.from({ length: 3000 }, (_, i) => new Int16Array(SMALLEST_SECTION / 2 + (i % 5)).fill(i));
    deepStrictEqual(await roundTrip(columns), columns);
  });

  it('split sections at windows of any size', async () => {
    // No list: the engine has two ways to write one, and chooses by what it knows of the list, which may change.
    const value = {
      bytes: Uint8Array.from({ length: 5000 }, (_, i) => i * 7),
      pi: new Float64Array(700).fill(Math.PI),
    };
    for (const window of [13, 64, 4096, 4097]) {
      deepStrictEqual(await roundTrip(value, [window, undefined]), value);
      const written = readFileSync(file);
      deepStrictEqual(await roundTrip(value, [undefined, window]), value);
      deepStrictEqual(readFileSync(file), written, 'the file does not depend on the window');
    }
  });

  it('reject values that are not data', () => {
    throws(() => draftColumns({ method: () => 1 }), /could not be cloned/);
    class Named extends Int32Array {}
    throws(() => draftColumns(new Named(4)), /arrays of type Named cannot be written/);
  });
});

function isSame<Value>(back: unknown, value: Value): back is Value {
  deepStrictEqual(back, value);
  return true;
}

/** A file by the layout that is documented, without the writer: sections as given, the checksums right. */
function forge(sections: readonly Uint8Array[], lengths: readonly number[] = sections.map((each) => each.length)) {
  const padded = sections.map((each) => Buffer.concat([each, Buffer.alloc((8 - (each.length % 8)) % 8)]));
  const start = Buffer.alloc(24);
  start.write('kcolumns');
  new Uint32Array(start.buffer, start.byteOffset + 8, 3).set([1, 0x01020304, lengths.length]);
  const directory = Buffer.from(Float64Array.from(lengths.flatMap((each, i) => [each, crc32(padded[i] ?? '')])).buffer);
  const checksum = crc32(Buffer.concat([start.subarray(0, 20), directory]));
  new Uint32Array(start.buffer, start.byteOffset + 20, 1)[0] = checksum;
  return Buffer.concat([start, directory, ...padded]);
}

const COLUMN = Int32Array.from({ length: 257 }, (_, i) => i * i);
const VALUE = { name: 'a small file', column: COLUMN, counts: Float64Array.of(1, 2, NaN), missing: undefined };
const COLUMN_BYTES = new Uint8Array(COLUMN.buffer);

async function isDamaged(what: string): Promise<void> {
  await rejects(readColumns(file), DamagedFileError, what);
}

describe('damaged column files', () => {
  it('have the documented layout if sound', async () => {
    const { skeleton, arrays } = takeApart(VALUE);
    deepStrictEqual(arrays, [COLUMN]);
    await draftColumns(VALUE).write(file);
    deepStrictEqual(readFileSync(file), forge([skeleton, COLUMN_BYTES]));
    deepStrictEqual(await readColumns(file), VALUE);
  });

  it('are detected for a change of any byte', async () => {
    await draftColumns(VALUE).write(file);
    const bytes = readFileSync(file);
    const handle = openSync(file, 'r+');
    try {
      for (const [at, byte] of bytes.entries()) {
        if (at % amount(1, 4) > 0) continue;
        for (const damaged of kindsAt(at, [byte ^ 1, byte ^ 0x80, byte ^ 0xff])) {
          writeSync(handle, Uint8Array.of(damaged), 0, 1, at);
          await isDamaged(`byte ${at} is ${damaged}`);
        }
        writeSync(handle, Uint8Array.of(byte), 0, 1, at);
      }
    } finally {
      closeSync(handle);
    }
    deepStrictEqual(await readColumns(file), VALUE);
  });

  it('are detected when cut or extended anywhere', async () => {
    await draftColumns(VALUE).write(file);
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length += amount(1, 3)) {
      writeFileSync(file, bytes.subarray(0, length));
      await isDamaged(`cut to ${length}`);
    }
    for (const more of [1, 8, 24]) {
      writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(more)]));
      await isDamaged(`${more} more`);
    }
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), bytes.subarray(108)]));
    await isDamaged('8 bytes missing');
  });

  it('are detected by wrong sizes, before memory is allocated', async () => {
    const { skeleton } = takeApart(VALUE);
    const lengths = [skeleton.length, COLUMN_BYTES.length];
    for (const lie of [-8, 8, 0.5, NaN, Infinity, 2 ** 31, 2 ** 40, 2 ** 53, 1e300, -1e300]) {
      writeFileSync(file, forge([skeleton, COLUMN_BYTES], [lengths[0], lengths[1] + lie]));
      await isDamaged(`the last section ${lie} longer`);
      writeFileSync(file, forge([skeleton, COLUMN_BYTES], [lengths[0] + lie, lengths[1] - lie]));
      await isDamaged(`one ${lie} longer, the other shorter`);
    }
    for (const count of [0, 1, 3, 2 ** 16, 2 ** 32 - 1]) {
      const bytes = forge([skeleton, COLUMN_BYTES]);
      bytes.writeUInt32LE(count, 16);
      const directory = bytes.subarray(24, Math.min(bytes.length, 24 + 16 * count));
      bytes.writeUInt32LE(crc32(directory, crc32(bytes.subarray(0, 20))), 20);
      writeFileSync(file, bytes);
      await isDamaged(`${count} sections`);
    }
  });

  it('are detected if sections and skeleton do not match', async () => {
    const { skeleton } = takeApart(VALUE);
    for (const sections of [
      [],
      [skeleton],
      [skeleton, COLUMN_BYTES.subarray(1)],
      [COLUMN_BYTES, skeleton],
      [new Uint8Array(0)],
    ]) {
      writeFileSync(file, forge(sections));
      await isDamaged(`${sections.length} sections`);
    }
    for (let length = 0; length < skeleton.length; length++) {
      writeFileSync(file, forge([skeleton.subarray(0, length), COLUMN_BYTES]));
      await isDamaged(`a skeleton of ${length} bytes`);
    }
  });

  it('are a different error from files that cannot be opened or read', async () => {
    await rejects(readColumns(join(folder, 'missing')), { code: 'ENOENT' });
    await rejects(readColumns(folder), { code: 'EISDIR' });
  });
});

describe('work on column files', () => {
  it('reports progress', async () => {
    const seen: Progress[] = [];
    const progress = (each: Progress): void => void seen.push(each);
    const draft = draftColumns(VALUE, 100);
    for (const phase of ['saving', 'loading']) {
      seen.length = 0;
      await (phase === 'saving' ? draft.write(file, { progress }) : readColumns(file, { progress }, 100));
      ok(seen.length > 5 && seen.every((each) => each.phase === phase && each.total === draft.size));
      ok(seen.every((each, i) => i === 0 || each.done >= (seen[i - 1]?.done ?? 0)));
      equal(seen.at(-1)?.done, draft.size);
    }
  });

  it('says when it is under way, here and in another thread', async () => {
    const order: string[] = [];
    const begun = (): void => void order.push('begun');
    const progress = (): void => void order.push('written');
    await draftColumns(VALUE).write(file, { progress }, begun);
    equal(order[0], 'begun');

    order.length = 0;
    const shared = new Float64Array(new SharedArrayBuffer(16 << 20));
    let end = (): void => undefined;
    const run = (): Promise<unknown> => new Promise<void>((resolve) => (end = resolve));
    const threads = { count: 2, prepare: () => undefined, run };
    const writing = draftColumns({ shared }).write(file, { threads }, begun);
    deepStrictEqual(order, ['begun']);
    end();
    await writing;
  });

  it('stops when aborted, and keeps the existing file', async () => {
    await draftColumns('before').write(file);
    for (let windows = 0; windows < 8; windows++) {
      const abort = new AbortController();
      let left = windows;
      const progress = (): void => {
        if (left-- === 0) abort.abort();
      };
      const work = { signal: abort.signal, progress };
      await rejects(draftColumns(VALUE, 100).write(file, work), { name: 'AbortError' });
      deepStrictEqual(readdirSync(folder), ['value.columns']);
    }
    equal(await readColumns(file), 'before');
    await rejects(readColumns(file, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('leaves nothing behind if the file cannot be moved into place', async () => {
    await rejects(draftColumns(VALUE).write(join(file, 'below')), { code: 'ENOTDIR' });
    await rejects(draftColumns(VALUE).write(folder), { code: 'EISDIR' });
    deepStrictEqual(readdirSync(folder), ['value.columns']);
    equal(statSync(file).mode & 0o777, 0o600);
  });
});
