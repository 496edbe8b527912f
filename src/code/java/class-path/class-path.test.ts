/** Class paths of all kinds of entries; `java` itself decides which class is used. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FormatError, UnreadableError, UsageError } from '../../../base/errors.js';
import { commandLineText } from '../../../cli/render/spelling.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { ROOT } from '../../../testing/shared-data.js';
import { jdkHomes } from '../testing/jdks.js';
import { type MemberContent, makeZip } from '../testing/made-zip.js';
import { openClassPath } from './class-path.node.js';
import type { JoinedClassPath } from './joined-class-path.js';

/** Writes files below a folder. */
async function write(folder: string, files: Readonly<Record<string, MemberContent>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function contents(path: JoinedClassPath, names: readonly string[] | 'all' = 'all'): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await path.load(names, (name, bytes) => found.set(name, Buffer.from(bytes).toString()), {});
  return found;
}

const WHERE = `public class Where {
  public static void main(String[] names) {
    for (String name : names) System.out.println(ClassLoader.getSystemResource(name.replace('.', '/') + ".class"));
  }
}`;

let whereFolder: string | undefined;
after(() => whereFolder !== undefined && rmSync(whereFolder, { recursive: true }));

/** The folder of `Where`, compiled once for all tests. */
function compiledWhere(): string {
  if (whereFolder !== undefined) return whereFolder;
  whereFolder = mkdtempSync(join(tmpdir(), 'kansoku-where-'));
  const source = join(whereFolder, 'Where.java');
  writeFileSync(source, WHERE);
  const compiled = spawnSync('javac', ['-d', whereFolder, source], { encoding: 'utf8' });
  assert.equal(compiled.status, 0, compiled.stderr);
  return whereFolder;
}

/** Where `java` finds classes on a class path, as files; undefined if it does not. */
function whereJavaFinds(path: string, names: readonly string[]): (string | undefined)[] {
  const folder = compiledWhere();
  const said = spawnSync('java', ['-cp', `${path}:${folder}`, 'Where', ...names], { encoding: 'utf8' });
  assert.equal(said.status, 0, said.stderr);
  return said.stdout.trim().split('\n').map(fileOfUrl);
}

/** `jar:file:/x.jar!/p/A.class` as a path. */
function fileOfUrl(url: string): string | undefined {
  if (url === 'null') return undefined;
  const [file = '', ...inside] = url.replace(/^jar:/, '').split('!');
  return [fileURLToPath(file), ...inside].join('!');
}

/** Compares the origin of classes with `java`; `java` has no classes of modules on its class path. */
async function assertAsJava(t: TestContext, entries: readonly string[]): Promise<JoinedClassPath> {
  const [home] = jdkHomes(t);
  const release = Number(/"(\d+)/.exec(await readFile(join(home ?? '', 'release'), 'utf8'))?.[1]);
  const path = await openClassPath(entries, undefined, { release });
  const names = [...path.names()];
  const truth = whereJavaFinds(entries.join(':'), [...names, 'p.Missing']);
  const seen = names.map((name) => path.originOf(name));
  assert.deepEqual([...seen, undefined], truth);
  return path;
}

const cls = (text: string): string => `class file of ${text}`;

test('the first entry that has a class wins: directories, jars, wildcards, Class-Path of manifests', async (t) => {
  if (jdkHomes(t).length === 0) return;
  const folder = await realpath(await temporaryFolder(t));
  await write(folder, { 'classes/p/A.class': cls('a'), 'classes/p/B$C.class': cls('inner'), 'classes/note.txt': '' });
  const manifest = (names: string): string => `Manifest-Version: 1.0\r\nClass-Path: ${names}\r\n\r\nName: p/\r\n`;
  makeZip(join(folder, 'one.jar'), {
    'META-INF/MANIFEST.MF': manifest('lib/two.jar nowhere.jar more%20\r\n classes/ file:/no/such.jar'),
    'p/A.class': cls('one'),
    'q/Only.class': cls('only'),
  });
  await mkdir(join(folder, 'lib'));
  makeZip(join(folder, 'lib/two.jar'), {
    // A cycle.
    'META-INF/MANIFEST.MF': manifest('../one.jar'),
    'q/Only.class': cls('shadowed'),
    'q/Two.class': cls('two'),
  });
  await write(folder, { 'more classes/r/More.class': cls('more') });
  await mkdir(join(folder, 'jars'));
  makeZip(join(folder, 'jars/first.JAR'), { 's/First.class': cls('first') });
  makeZip(join(folder, 'jars/second.jar'), { 's/Second.class': cls('second') });
  await write(folder, { 'jars/Loose.class': cls('loose'), 'jars/deeper/third.jar': 'not looked at' });

  const path = await assertAsJava(t, [join(folder, 'one.jar'), join(folder, 'classes'), join(folder, 'jars/*')]);
  const found = await contents(path);
  assert.deepEqual([...found].sort(), [
    ['p.A', cls('one')],
    ['p.B$C', cls('inner')],
    ['q.Only', cls('only')],
    ['q.Two', cls('two')],
    ['r.More', cls('more')],
    ['s.First', cls('first')],
    ['s.Second', cls('second')],
  ]);
  assert.equal(path.size, 7);
  assert.deepEqual(
    path.problems.map(({ code, severity }) => [code, severity]),
    [
      ['class-path-manifest', 'info'],
      ['class-path-twice', 'info'],
      ['class-path-twice', 'info'],
    ],
  );
  assert.match(path.problems[0].message, /2 of 4 .*: nowhere\.jar/);
  assert.deepEqual([path.has('p.A'), path.has('p.Missing'), path.originOf('p.Missing')], [true, false, undefined]);
  assert.deepEqual([...(await contents(path, ['q.Two', 'p.Missing', 'q.Two']))], [['q.Two', cls('two')]]);
  await path.close();

  await assertAsJava(t, [join(folder, 'classes'), join(folder, 'one.jar')]);
  const joined = await openClassPath([`${join(folder, 'classes')}:${join(folder, 'one.jar')}`]);
  assert.equal((await contents(joined, ['p.A'])).get('p.A'), cls('a'));
});

test('multi-release jars: the newest version up to the release', async (t) => {
  if (jdkHomes(t).length === 0) return;
  const folder = await realpath(await temporaryFolder(t));
  const members = {
    'p/A.class': cls('base'),
    'p/B.class': cls('base only'),
    'META-INF/versions/9/p/A.class': cls('9'),
    'META-INF/versions/11/p/A.class': cls('11'),
    'META-INF/versions/11/p/Added.class': cls('added'),
    'META-INF/versions/10/p/A.class': cls('10'),
    'META-INF/versions/8/p/A.class': cls('no version'),
    'META-INF/versions/999/p/A.class': cls('999'),
    'META-INF/versions/999/p/Future.class': cls('future'),
    'META-INF/versions/9/META-INF/p/A.class': cls('nothing'),
    'META-INF/versions/9/module-info.class': cls('module'),
  };
  const jar = join(folder, 'm.jar');
  makeZip(jar, { 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\nMULTI-release: True\n', ...members });
  const path = await assertAsJava(t, [jar]);
  assert.deepEqual([...path.names()].sort(), ['p.A', 'p.Added', 'p.B']);
  assert.equal((await contents(path)).get('p.A'), cls('11'));
  assert.deepEqual(path.moduleInfos, [`${jar}!/META-INF/versions/9/module-info.class`]);
  assert.equal((await contents(path, path.moduleInfos)).get(path.moduleInfos[0]), cls('module'));
  for (const [release, text] of [
    [8, 'base'],
    [9, '9'],
    [10, '10'],
    [998, '11'],
    [999, '999'],
    [undefined, '999'],
  ] as const) {
    const other = await openClassPath([jar], undefined, { release });
    assert.equal((await contents(other)).get('p.A'), cls(text), String(release));
    assert.equal(other.has('p.Future'), release === undefined || release === 999);
  }
  makeZip(join(folder, 'plain.jar'), members);
  const plain = await assertAsJava(t, [join(folder, 'plain.jar')]);
  assert.deepEqual([...plain.names()].sort(), ['p.A', 'p.B']);
  assert.match(plain.problems[0].message, /9 classes in META-INF\/versions are ignored/);
});

test('a class with another name than its file is left out, and reported once', async (t) => {
  const folder = await temporaryFolder(t);
  const loops = join(ROOT, 'examples', 'loops');
  const names = ['Loops', 'Loops$Square', 'Loops$Strip'];
  const files = await Promise.all(names.map((name) => readFile(join(loops, `${name}.class`))));
  const within = (place: string) => Object.fromEntries(names.map((name, i) => [`${place}${name}.class`, files[i]]));
  await write(folder, { 'too-high/classes/Loops.class': files[0], 'other/Round.class': files[0], ...within('right/') });
  const high = await openClassPath([join(folder, 'too-high')]);
  assert.deepEqual([...(await contents(high))], []);
  await contents(high);
  assert.deepEqual(
    high.problems.map(({ code, severity }) => [code, severity]),
    [['class-path-place', 'warning']],
  );
  assert.match(high.problems[0].message, /contains class Loops, expected classes\.Loops.*1 folder deeper\?/);
  const other = await openClassPath([join(folder, 'other')]);
  assert.deepEqual([...(await contents(other))], []);
  assert.match(other.problems[0].message, /contains class Loops, expected Round; skipped/);
  const right = await openClassPath([join(folder, 'right')]);
  assert.deepEqual([[...(await contents(right)).keys()].sort(), right.problems], [names, []]);

  await write(folder, { 'source/app/Work.java': 'package app; class Work { class Part {} }' });
  const javac = spawnSync('javac', ['-d', join(folder, 'built'), join(folder, 'source/app/Work.java')]);
  if (javac.status !== 0) return t.skip('no javac');
  const deep = await openClassPath([join(folder, 'built', 'app')]);
  assert.deepEqual([...(await contents(deep))], []);
  assert.match(
    deep.problems[0].message,
    /contains class app\.Work(\$Part)?, expected Work(\$Part)?; is the class path root 1 folder higher\?; 2 classes/,
  );
});

test('homes of JDKs, exploded ones, jmods, old ones, and folders without classes', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, {
    'exploded/modules/java.base/java/lang/Object.class': cls('object'),
    'exploded/modules/java.base/module-info.class': cls('info'),
    'exploded/modules/my.app/p/A.class': cls('a'),
  });
  const exploded = await openClassPath([join(folder, 'exploded')]);
  assert.deepEqual([...exploded.names()].sort(), ['java.lang.Object', 'p.A']);
  assert.deepEqual([exploded.moduleOf('java.lang.Object'), exploded.moduleOf('p.A')], ['java.base', 'my.app']);
  assert.equal(exploded.moduleInfos.length, 1);

  await mkdir(join(folder, 'home/jmods'), { recursive: true });
  const jmod = join(folder, 'home/jmods/my.app.jmod');
  makeZip(jmod, { 'classes/p/A.class': cls('a'), 'classes/module-info.class': cls('info'), 'bin/p/B.class': 'none' });
  await writeFile(jmod, Buffer.concat([Buffer.from('JM\x01\x00'), await readFile(jmod)]));
  for (const entry of [jmod, join(folder, 'home'), join(folder, 'home/jmods')]) {
    const path = await openClassPath([entry]);
    assert.deepEqual([[...path.names()], path.moduleOf('p.A'), path.problems], [['p.A'], 'my.app', []]);
    assert.deepEqual([...(await contents(path))], [['p.A', cls('a')]]);
  }

  await mkdir(join(folder, 'old/jre/lib/ext'), { recursive: true });
  makeZip(join(folder, 'old/jre/lib/rt.jar'), { 'java/lang/Object.class': cls('object') });
  makeZip(join(folder, 'old/jre/lib/ext/more.jar'), { 'x/Y.class': cls('y') });
  assert.deepEqual([...(await openClassPath([join(folder, 'old')])).names()], ['java.lang.Object', 'x.Y']);

  const noClasses = await openClassPath([join(folder, 'old/jre/lib/ext')]);
  assert.match(noClasses.problems[0].message, /contains no classes; to use its 1 jar, give .*\*/);
});

test('archives with libraries in them: stored, deflated and damaged ones', async (t) => {
  const folder = await temporaryFolder(t);
  makeZip(join(folder, 'a.jar'), { 'a/A.class': cls('stored'), 'app/Main.class': cls('shadowed') });
  makeZip(join(folder, 'b.jar'), { 'b/B.class': cls('deflated') });
  const boot = join(folder, 'boot.jar');
  const members = {
    'org/loader/Start.class': cls('loader'),
    'BOOT-INF/classes/app/Main.class': cls('main'),
    'BOOT-INF/lib/a.jar': await readFile(join(folder, 'a.jar')),
    'BOOT-INF/lib/b.jar': await readFile(join(folder, 'b.jar')),
    'BOOT-INF/lib/c.jar': 'no archive',
  };
  makeZip(boot, members, ['BOOT-INF/lib/a.jar']);
  const path = await openClassPath([boot]);
  assert.deepEqual([...(await contents(path))].sort(), [
    ['a.A', cls('stored')],
    ['app.Main', cls('main')],
    ['b.B', cls('deflated')],
    ['org.loader.Start', cls('loader')],
  ]);
  assert.equal(path.originOf('a.A'), `${boot}!/BOOT-INF/lib/a.jar!/a/A.class`);
  assert.deepEqual(path.problems.map(({ code }) => code).sort(), ['class-path-entry', 'class-path-twice']);
  await path.close();

  const war = join(folder, 'web.war');
  makeZip(war, { 'WEB-INF/classes/s/Servlet.class': cls('s'), 'WEB-INF/lib/a.jar': members['BOOT-INF/lib/a.jar'] });
  assert.deepEqual([...(await openClassPath([war])).names()].sort(), ['a.A', 'app.Main', 's.Servlet']);
});

test('libraries within libraries are not searched, so an archive that contains itself is read in finite time', async (t) => {
  const folder = await temporaryFolder(t);
  let held: Buffer | undefined;
  for (const level of [3, 2, 1]) {
    const jar = join(folder, `level-${level}.jar`);
    makeZip(jar, {
      [`p/L${level}.class`]: cls(`${level}`),
      ...(held === undefined ? {} : { 'BOOT-INF/lib/x.jar': held }),
    });
    held = await readFile(jar);
  }
  const path = await openClassPath([join(folder, 'level-1.jar')]);
  assert.deepEqual([...path.names()].sort(), ['p.L1', 'p.L2']);
  await path.close();
});

test('unreadable entries are reported; if all are unreadable, that is an error', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, {
    'c/p/A.class': cls('a'),
    'A.class': Buffer.from('cafebabe00000034', 'hex'),
    'note.txt': 'text',
  });
  await write(folder, { 'broken.jar': 'PK\x03\x04 cut', modules: Buffer.from('dadafeca0000', 'hex') });
  const open = (...names: string[]): Promise<JoinedClassPath> =>
    openClassPath(names.map((name) => (name === '' ? '' : join(folder, name))));
  await assert.rejects(open('nowhere'), UnreadableError);
  await assert.rejects(
    open('A.class'),
    (error) => error instanceof UnreadableError && /directory/.test(commandLineText(error.advice ?? '')),
  );
  await assert.rejects(open('note.txt'), UnreadableError);
  await assert.rejects(open('broken.jar'), FormatError);
  await assert.rejects(open('modules'), FormatError);
  await assert.rejects(open('c', ''), UsageError);
  await assert.rejects(open('nothing/*'), UsageError);
  await assert.rejects(openClassPath([]), UsageError);
  const path = await open('nowhere', 'broken.jar', 'c', 'modules');
  assert.deepEqual([...path.names()], ['p.A']);
  assert.deepEqual(
    path.problems.map(({ code, severity }) => [code, severity]),
    Array(3).fill(['class-path-entry', 'error']),
  );
});

test('one damaged class does not affect the others', async (t) => {
  const folder = await temporaryFolder(t);
  const jar = join(folder, 'x.jar');
  const names = Array.from({ length: 20 }, (_, i) => `p/C${i}.class`);
  makeZip(jar, Object.fromEntries(names.map((name) => [name, cls(name).repeat(9)])), names.slice(0, 10));
  const bytes = await readFile(jar);
  for (const name of ['p/C3.class', 'p/C13.class']) bytes[bytes.indexOf(name) + name.length + 3] ^= 0xff;
  await writeFile(jar, bytes);
  await write(folder, { 'd/q/D.class': cls('d') });
  await symlink(join(folder, 'nowhere'), join(folder, 'd/q/Gone.class'));
  const path = await openClassPath([jar, join(folder, 'd')]);
  const found = await contents(path);
  assert.deepEqual([found.size, found.has('p.C3'), found.has('p.C13'), found.has('q.D')], [19, false, false, true]);
  for (const [name, text] of found)
    if (name !== 'q.D') assert.equal(text, cls(`${name.replace('.', '/')}.class`).repeat(9));
  assert.match(path.problems.map(({ message }) => message).join('\n'), /x\.jar!\/p\/C3\.class: checksum mismatch/);
  assert.match(path.problems.map(({ message }) => message).join('\n'), /x\.jar!\/p\/C13\.class: /);
});
