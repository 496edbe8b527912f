/** Attributes that the installed compilers do not write; all others are compared with javap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError } from '../../../base/errors.js';
import { ClassSet } from '../class-path/class-set.js';
import { type Assembled, assembleClass } from '../testing/assembled.js';
import { checkClassFile } from '../testing/class-check/check.js';
import { encodeClass } from '../testing/class-encoder.js';
import { attributeOf } from './attributes.js';
import { readClassFile } from './class-file.js';

const RETURN = [0xb1];

function withAttribute(name: string, contents: readonly number[], options: Assembled = {}) {
  const bytes = assembleClass(RETURN, { ...options, attribute: { name, contents } });
  return { bytes, file: readClassFile(bytes, 'Hand.class') };
}

test('SourceDebugExtension is text, and attributes that are not in JVMS are kept by extent', () => {
  const { file } = withAttribute('SourceDebugExtension', [...Buffer.from('SMAP\nHand.jsp\n')]);
  const found = attributeOf(file, file.pool, 'SourceDebugExtension');
  assert.deepEqual(found, { kind: 'SourceDebugExtension', text: 'SMAP\nHand.jsp\n' });
  const unknown = withAttribute('org.example.Own', [1, 2, 3]);
  const [raw] = unknown.file.attributes;
  assert.deepEqual([raw?.name, raw?.length, raw?.offset], ['org.example.Own', 3, unknown.bytes.length - 3]);
  assert.deepEqual(checkClassFile(unknown.file).list, []);
  assert.deepEqual(encodeClass(unknown.file), unknown.bytes);
});

test('endlessly nested values are rejected', () => {
  const deep = Array.from({ length: 20_000 }, () => [0x5b, 0, 1]).flat();
  const { file } = withAttribute('RuntimeVisibleAnnotations', [0, 1, 0, 6, 0, 1, 0, 5, ...deep, 0x49, 0, 8]);
  const found = attributeOf(file, file.pool, 'RuntimeVisibleAnnotations');
  assert.ok(found instanceof FormatError);
  assert.match(found.message, /nested at most 100 deep/);
  assert.deepEqual(
    checkClassFile(file).list.map(({ code }) => code),
    ['class-file-damaged'],
  );
});

test('counts larger than the attribute are rejected before memory is allocated', () => {
  for (const name of ['InnerClasses', 'BootstrapMethods', 'NestMembers', 'Record', 'RuntimeVisibleTypeAnnotations']) {
    const { file } = withAttribute(name, [0xff, 0xff, 0, 2]);
    const [problem] = checkClassFile(file).list;
    assert.equal(problem?.code, 'class-file-damaged', name);
    assert.equal(problem?.offset, (file.attributes[0]?.offset ?? 0) + 2, name);
  }
});

test('a dynamic constant names a row of BootstrapMethods', () => {
  const dynamic = [
    [17, 0, 0, 0, 11],
    [12, 0, 5, 0, 12],
    [1, 0, 1, 0x49],
    [15, 6, 0, 14],
    [10, 0, 2, 0, 15],
    [12, 0, 5, 0, 6],
  ];
  const { file } = withAttribute('BootstrapMethods', [0, 1, 0, 13, 0, 1, 0, 10], {
    constants: dynamic,
    major: 55,
    minor: 0,
  });
  assert.deepEqual(checkClassFile(file).list, []);
  assert.deepEqual(file.pool.dynamic(10), { tag: 17, bootstrap: 0, name: 'run', descriptor: 'I' });
  assert.deepEqual(file.pool.methodHandle(13), { kind: 6, reference: 14 });
  assert.deepEqual(file.pool.member(14), { tag: 10, owner: 'Hand', name: 'run', descriptor: '()V' });
});

test('a newer version is read with a warning', () => {
  const file = readClassFile(assembleClass(RETURN, { major: 70, minor: 0 }), 'Hand.class');
  assert.equal(file.name, 'Hand');
  assert.deepEqual(
    file.problems.map(({ code, severity, offset }) => [code, severity, offset]),
    [['class-file-newer', 'warning', 6]],
  );
});

test('classes that are their own superclass end the search', () => {
  const bytes = assembleClass(RETURN);
  // The superclass becomes the class itself; behind the pool stand flags, this and super.
  const at = readClassFile(bytes, 'Hand.class').pool.end + 4;
  bytes[at + 1] = 2;
  const set = new ClassSet();
  set.add('Hand', bytes);
  assert.equal(set.get('Hand')?.superName, 'Hand');
  assert.equal(set.isSubtype('Hand', 'java.lang.Runnable'), false);
  assert.equal(set.declaring('Hand', 'nothing', '()V'), undefined);
});
