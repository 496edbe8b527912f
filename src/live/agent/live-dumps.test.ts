/** Dumps of a running JVM, read by the document's decoders: objects, threads and monitors are those of Dumps.java. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnCommand } from '../../cli/testing/spawn-command.js';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import {
  type ClassShape,
  type DumpForm,
  type HeapRecord,
  readKinds,
  readMonitors,
  readRecords,
} from '../jvmpi/index.js';
import { compiledFor, folder, runAgent } from './testing/probed.js';

const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };
const TYPES: Readonly<Record<string, number>> = { Z: 4, C: 5, F: 6, D: 7, B: 8, S: 9, I: 10, J: 11 };

interface Loaded {
  readonly class_name: string;
  readonly num_interfaces: number;
  readonly statics: readonly { readonly field_signature: string }[];
}

interface Told {
  readonly codes: readonly number[];
  readonly thread: number;
  readonly threads: Readonly<Record<number, string>>;
  readonly classes: Readonly<Record<number, Loaded>>;
  readonly status: readonly (readonly [string, number])[];
  readonly [dump: string]: unknown;
}

const bytesOf = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'hex'));
const id = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.toString('hex');
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** By CLASS_LOAD; classes of arrays have no such event. */
function shapeOf({ classes }: Told, of: number): ClassShape {
  const { num_interfaces = 0, statics = [] } = classes[of] ?? {};
  return { interfaces: num_interfaces, statics: statics.map(({ field_signature }) => TYPES[field_signature] ?? 0) };
}

function only<Tag extends HeapRecord['tag']>(
  records: readonly HeapRecord[],
  tag: Tag,
  which: (record: Extract<HeapRecord, { tag: Tag }>) => boolean,
): Extract<HeapRecord, { tag: Tag }> {
  const isOf = (record: HeapRecord): record is Extract<HeapRecord, { tag: Tag }> => record.tag === tag;
  const found = records.filter(isOf).filter(which);
  assert.equal(found.length, 1, `records ${tag}`);
  return found[0] ?? assert.fail();
}

/** The heap at levels 2, 1 and 0; gives the object of the book. */
function heapOf(told: Told): void {
  const idOf = (name: string): number =>
    Number(Object.entries(told.classes).find(([, { class_name }]) => class_name === name)?.[0]);
  const [bookClass, itemClass] = [idOf('Dumps$Book'), idOf('Dumps$Item')];
  const read = (level: 1 | 2): HeapRecord[] =>
    readRecords(bytesOf(told[`level ${level}`]), FORM, level, (of) => shapeOf(told, of));
  const records = read(2);
  const book = only(records, 0x21, (record) => record.class === bookClass);
  const pages = only(records, 0x23, ({ elements }) => hex(elements) === '00000001fffffffe00000003').object;
  const sequels = only(records, 0x22, (record) => record.class === bookClass && record.elements.length === 2);
  assert.deepEqual(sequels.elements, [0, book.object]);
  // grade, weight, pages, sequels, sold; of Item: kind, price, next.
  const price = '0000011f71fb04cb';
  const references = id(pages) + id(sequels.object);
  assert.equal(hex(book.fields), `00413fe0000000000000${references}0105${price}${id(book.object)}`);
  const item = only(records, 0x20, (record) => record.class === itemClass);
  assert.deepEqual([item.interfaces, hex(item.statics)], [[idOf('Dumps$Priced')], `${id(book.object)}0000002a`]);
  const bookRecord = only(records, 0x20, (record) => record.class === bookClass);
  assert.deepEqual([bookRecord.super, bookRecord.loader], [itemClass, item.loader]);
  // 2 + 8 + 2 references + 1, and 1 + 8 + 1 reference above.
  assert.equal(bookRecord.instanceSize, 44);
  const priced = only(records, 0x20, (record) => record.class === idOf('Dumps$Priced'));
  assert.equal(hex(priced.statics), '00000007');
  const first = records.findIndex(({ tag }) => tag >= 0x20 && tag !== 0xff);
  assert.ok(
    records.slice(first).every(({ tag }) => tag >= 0x20 && tag !== 0xff),
    'roots come first',
  );
  // The frame of main has the book; its outermost frame is 1.
  const frames = records.filter((record) => record.tag === 0x03 && record.object === book.object);
  assert.ok(frames.length >= 1);
  for (const frame of frames)
    assert.deepEqual('frame' in frame && [told.threads[frame.thread], frame.frame], ['main', 1]);
  const parts = read(1);
  assert.equal(hex(only(parts, 0x21, (record) => record.class === bookClass).fields), references + id(book.object));
  const kinds = new Map(readKinds(bytesOf(told['level 0']), FORM).map(({ kind, object }) => [object, kind]));
  assert.deepEqual(
    [book.object, bookClass, pages, sequels.object].map((of) => kinds.get(of)),
    [0, 0, 10, 2],
  );
}

describe('dumps of a running JVM', () => {
  for (const version of amount(['17', '25'], ['17']))
    it(`JDK ${version}`, (t) => {
      const home = compiledFor(t, version, 'Dumps');
      if (home === undefined) return;
      const file = join(folder, `dumps-${version}.json`);
      const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Dumps'];
      const { status, stdout, stderr } = runAgent(`${join(ROOT, 'agent/testing/dump.mts')}:${file}`, command);
      assert.deepEqual([status, stderr, stdout], [0, '', '7\n']);
      const told: Told = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual(told.codes, [0, 0, 0, 0, 0]);
      heapOf(told);
      const [object] = readRecords(bytesOf(told.object), FORM, 2, (of) => shapeOf(told, of));
      assert.deepEqual(object?.tag === 0x21 && object.object, told.thread);
      const thread = (name: string): number =>
        Number(Object.entries(told.threads).find(([, each]) => each === name)?.[0]);
      const monitors = readMonitors(bytesOf(told.monitors), FORM);
      const held = monitors.filter(({ entering }) => entering.length > 0);
      assert.deepEqual(
        held.map(({ owner, entries, entering, waiting }) => ({ owner, entries, entering, waiting })),
        [{ owner: thread('main'), entries: 1, entering: [thread('entering')], waiting: [] }],
      );
      // JDK 25 does not say which monitor a thread in Object.wait waits for: its frames do.
      assert.ok(monitors.some(({ waiting }) => waiting.includes(thread('waiting'))));
      // JVMPI_THREAD_CONDVAR_WAIT, JVMPI_THREAD_MONITOR_WAIT
      const status3 = new Map(told.status);
      assert.deepEqual([status3.get('waiting'), status3.get('entering')], [3, 2]);
    });
});

it('dumps of a recording are written as its agent got them', (t) => {
  const home = compiledFor(t, '25', 'Dumps');
  if (home === undefined) return;
  const [agent, recording, heap, monitors] = ['mts', 'jvmpi', 'heap', 'monitors'].map((end) =>
    join(folder, `kept.${end}`),
  );
  writeFileSync(
    agent ?? '',
    `import { writeFileSync } from 'node:fs';
    import { agent, EVENTS } from 'kansoku/jvmpi';
    export const { JVM_OnLoad } = agent(({ jvmpi, on, onRequested }) => {
      onRequested('HEAP_DUMP', ({ data }) => writeFileSync(${JSON.stringify(heap)}, data));
      onRequested('MONITOR_DUMP', ({ data }) => writeFileSync(${JSON.stringify(monitors)}, data));
      on('JVM_INIT_DONE', () => {
        jvmpi.DisableGC();
        for (const event of ['HEAP_DUMP', 'MONITOR_DUMP']) jvmpi.RequestEvent(EVENTS[event].type);
        jvmpi.EnableGC();
      }, { blocking: true });
    });`,
  );
  const env = { JAVA_TOOL_OPTIONS: undefined };
  const words = ['jvmpi', 'record', '-o', recording ?? '', '--agent', agent ?? '', '--'];
  const recorded = spawnCommand([...words, join(home, 'bin/java'), '--version'], { env });
  assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
  assert.ok(statSync(heap ?? '').size > 100_000);
  for (const [file, ...more] of [[heap], [monitors, '--monitors']]) {
    const written = spawnCommand(['jvmpi', 'dump', recording ?? '', '-o', `${file}-again`, ...more]);
    assert.deepEqual([written.status, written.stderr], [0, '']);
    const bytes = readFileSync(`${file}-again`);
    assert.ok(bytes.equals(readFileSync(file ?? '')), file);
  }
});
