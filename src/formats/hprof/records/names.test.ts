/** Names of binary HPROF: spellings of classes, modified UTF-8, look-ups by id. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProblemLog } from '../../../base/problems.js';
import { stringAt } from '../../../base/text.js';
import { memorySource } from '../../../bytes/byte-source.js';
import { toBinaryName } from '../../../models/program/binary-name.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import { runs } from '../../../testing/amount.js';
import { openInput } from './input.js';
import { NameTable } from './names.js';
import { walkRecords } from './outline.js';
import { RecordReader } from './reader.js';
import { headOfFile } from './record-heads.js';
import { binaryName } from './testing/plain-compare.js';
import { RecordBytes } from './testing/record-bytes.js';

const spelled = (name: string): string => {
  const bytes = Buffer.from(name);
  toBinaryName(bytes, bytes.length);
  return bytes.toString();
};

test('classes are spelled as Class.getName() does', () => {
  const pairs = [
    ['java/lang/String', 'java.lang.String'],
    ['java.lang.String', 'java.lang.String'],
    ['[B', '[B'],
    ['byte[]', 'byte[]'],
    ['[[Ljava/util/Map$Entry;', '[[Ljava.util.Map$Entry;'],
    ['a/A$$Lambda+0x00007f0001000a00', 'a.A$$Lambda/0x00007f0001000a00'],
    ['[La/A$$Lambda+0x1f;', '[La.A$$Lambda/0x1f;'],
    ['a/A$$Lambda$14/1234', 'a.A$$Lambda$14/1234'],
    ['a.A$$Lambda.0x1f', 'a.A$$Lambda.0x1f'],
    ['a/face', 'a.face'],
    ['A+B', 'A+B'],
  ] as const;
  for (const [name, wanted] of pairs) equal(spelled(name), wanted);
});

test('as a second implementation does', () => {
  const part = fc.constantFrom('a', 'Fade', '/', '.', '+', '0x', '1f', '12', '[', 'L', ';', '$', 'ж');
  const name = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(name, (text) => equal(spelled(text), binaryName(text))),
    runs(2000),
  );
});

test('names keep their bytes, and are decoded as modified UTF-8', () => {
  const program = new ProgramBuilder();
  const names = new NameTable(program);
  // U+1F525 as two surrogates, NUL as C0 80.
  const bytes = Buffer.from([0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb4, 0xa5, 0xc0, 0x80]);
  equal(names.define(0, 1, bytes, 0, bytes.length), 'new');
  equal(names.text(names.find(1)), 'a\u{1f525}\0');
  const id = names.name(names.find(1));
  equal(stringAt(program.finish().names, id), 'a\u{1f525}\0');
});

test('ids of 8 bytes are looked up as doubles, before and after their names come', () => {
  const ids = fc.uniqueArray(
    fc.maxSafeNat().filter((id) => id > 0),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(ids, (all) => {
      const names = new NameTable(new ProgramBuilder());
      const halves = (id: number): [number, number] => [Math.floor(id / 2 ** 32) | 0, id | 0];
      const before = all.map((id) => names.refer(...halves(id)));
      equal(names.missing, all.length);
      all.forEach((id, i) => {
        const text = Buffer.from(`name ${i}`);
        equal(names.define(...halves(id), text, 0, text.length), 'new');
      });
      deepEqual(
        all.map((id) => names.find(id)),
        before,
      );
      deepEqual(
        all.map((id) => names.text(names.find(id))),
        all.map((_, i) => `name ${i}`),
      );
      equal(names.missing, 0);
    }),
    runs(100),
  );
});

test('an id of 0 is no name, and the first of two names counts', () => {
  const names = new NameTable(new ProgramBuilder());
  equal(names.refer(0, 0), -1);
  const [one, two] = [Buffer.from('one'), Buffer.from('two')];
  deepEqual(
    [names.define(0, 5, one, 0, 3), names.define(0, 5, one, 0, 3), names.define(0, 5, two, 0, 3)],
    ['new', 'new', 'twice'],
  );
  equal(names.text(names.find(5)), 'one');
});

test('classes by id and serial: HotSpot 17 writes those of arrays twice', async () => {
  const bytes = new RecordBytes({ idSize: 8 })
    .loadClass(1, 0x7f0000001000, 'java/lang/Object')
    .loadClass(2, 0x7f0000002000, '[I')
    .loadClass(3, 0x7f0000002000, '[I')
    .finish();
  const input = await openInput(memorySource('x', bytes));
  const head = headOfFile(bytes);
  if (head === undefined) throw new Error('no head');
  const reader = new RecordReader(head, new ProblemLog());
  await walkRecords(input, head, reader, new ProblemLog());
  const { classes, program } = reader;
  equal(classes.serial(classes.ofId(0x7f0000002000)), 2);
  equal(classes.class(classes.ofSerial(3)), classes.class(classes.ofId(0x7f0000002000)));
  equal(classes.ofId(0x7f0000003000), -1);
  const object = classes.class(classes.ofSerial(1));
  const { names, classes: table } = program.finish();
  equal(stringAt(names, table.name[object] ?? -1), 'java.lang.Object');
});
