/** Look-up of methods and types in a set of classes; compared with a JVM if there is one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../../testing/random.js';
import { ROOT } from '../../../testing/shared-data.js';
import { ACCESS } from '../class-file/access.js';
import { classFixture } from '../testing/class-fixtures.js';
import { jdkHomes } from '../testing/jdks.js';
import { openClassPath } from './class-path.node.js';
import { ClassSet, loadClasses } from './class-set.js';

function fixtures(...names: readonly string[]): ClassSet {
  const set = new ClassSet();
  for (const name of names) set.add(`demo.${name}`, classFixture(`${name}.class`).bytes);
  return set;
}

test('methods are found by all details that are known', () => {
  const set = fixtures('Patterns', 'Patterns$Point');
  const found = set.method('demo.Patterns', 'text', ['java.lang.Object'], 'java.lang.String');
  assert.ok(found !== undefined && found !== 'ambiguous');
  assert.equal(found.descriptor, '(Ljava/lang/Object;)Ljava/lang/String;');
  assert.equal(set.method('demo.Patterns', 'text'), found);
  assert.equal(set.method('demo.Patterns', 'text', ['int']), undefined);
  assert.equal(set.method('demo.Patterns', 'nothing'), undefined);
  assert.equal(set.method('demo.Missing', 'text'), undefined);
  const other = fixtures('Marks$1');
  assert.equal(other.methodsNamed('demo.Marks$1', '<init>').length, 1);
});

test('several methods of a name are ambiguous unless types distinguish them', () => {
  const set = fixtures('Wide');
  assert.equal(set.method('demo.Wide', 'wide'), 'ambiguous');
  assert.equal(set.method('demo.Wide', 'wide', undefined, 'long'), 'ambiguous');
  const [first, second] = set.methodsNamed('demo.Wide', 'wide');
  assert.deepEqual([first?.descriptor, second?.descriptor], ['(I)J', '(J[I)J']);
  assert.equal(set.method('demo.Wide', 'wide', ['int']), first);
  assert.equal(set.method('demo.Wide', 'wide', ['long', 'int[]'], 'long'), second);
  assert.equal(set.method('demo.Wide', 'wide', ['long', 'int[]'], 'int'), undefined);
});

test('a missing class makes the answer unknown, never no', () => {
  const set = fixtures('Modern$Circle', 'Modern');
  assert.equal(set.isSubtype('demo.Modern$Circle', 'demo.Modern'), true);
  assert.equal(set.isSubtype('demo.Modern$Circle', 'java.lang.Record'), true);
  assert.equal(set.isSubtype('demo.Modern$Circle', 'java.lang.Runnable'), undefined);
  // Nothing is above Object, even if it is missing itself.
  assert.equal(set.isSubtype('demo.Modern', 'java.lang.Runnable'), false);
  assert.equal(set.isSubtype('int', 'java.lang.Object'), false);
  assert.equal(set.isSubtype('int[]', 'java.lang.Cloneable'), true);
  assert.equal(set.isSubtype('int[][]', 'java.lang.Object[]'), true);
  assert.equal(set.isSubtype('int[]', 'long[]'), false);
  assert.equal(set.isSubtype(`int${'[]'.repeat(30_000)}`, `long${'[]'.repeat(30_000)}`), false);
  assert.equal(set.declaring('demo.Modern$Circle', 'getClass', '()Ljava/lang/Class;'), 'unknown');
});

test('damaged classes are problems of the set', () => {
  const set = new ClassSet();
  set.add('demo.Cut', classFixture('Flow.class').bytes.subarray(0, 100));
  assert.equal(set.get('demo.Cut'), undefined);
  assert.deepEqual(
    set.problems.list.map(({ code, path }) => [code, path]),
    [['class-file-damaged', 'demo.Cut']],
  );
});

const PROGRAM = join(ROOT, 'src/code/java/fixtures/programs/Types.java');

test('subtypes and inherited methods are those of the JVM', async (t) => {
  const [home] = jdkHomes(t);
  if (home === undefined) return;
  const path = await openClassPath([join(home, 'lib', 'modules')]);
  t.after(() => path.close());
  const random = new Random(5);
  const all = [...path.names()].filter((name) => /^java\.(util|lang|io|nio)\.[^$]*$/.test(name)).sort();
  const chosen = Array.from({ length: 250 }, () => all[random.below(all.length)] ?? '');
  const names = [...new Set([...chosen, 'java.util.ArrayList', 'java.lang.invoke.MethodHandle', 'java.util.List'])];
  const said = spawnSync(join(home, 'bin', 'java'), ['-Xmx256m', PROGRAM], {
    input: names.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.equal(said.status, 0, said.stderr);
  const set = await loadClasses(path, names, {}, { supers: true });
  let subtypes = 0;
  let methods = 0;
  for (const line of said.stdout.trim().split('\n')) {
    const [kind, name = '', second = '', descriptor = '', owner = ''] = line.split(' ');
    if (kind === 'is' || kind === 'not') {
      assert.equal(set.isSubtype(name, second), kind === 'is', line);
      subtypes++;
      continue;
    }
    const found = set.declaring(name, second, descriptor);
    assert.ok(found !== undefined && found !== 'unknown', line);
    assert.equal(found.owner.name, owner, line);
    assert.equal(found.access & ACCESS.private, 0);
    methods++;
  }
  assert.ok(subtypes > 50_000 && methods > 2000, `${subtypes} pairs, ${methods} methods`);
  assert.deepEqual(set.problems.list, []);
  t.diagnostic(`${names.length} classes: ${subtypes} pairs, ${methods} inherited methods`);
});
