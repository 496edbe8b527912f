/** Class files as recordings: what they need, which inputs they are, and results that are kept. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { plainText } from '../../base/phrase.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes } from '../../code/java/testing/jdks.js';
import type { AnalysisRequest } from '../../questions/options/analysis.js';
import { ROOT } from '../../testing/shared-data.js';
import { openAnalysed, openInputs } from '../open.node.js';
import { ask, type Session } from '../session.js';
import { directWorkspace } from '../workspace/direct.node.js';
import { workerWorkspace } from '../workspace/worker.node.js';
import { isProgram } from './program-input.node.js';

const SHOP = join(ROOT, 'examples/points-to/shop.jar');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-program-'));
after(() => rmSync(folder, { recursive: true }));

function codeOf(code: string) {
  return (error: unknown) => error instanceof Error && 'code' in error && error.code === code;
}

function silent(): void {}

/** A folder with the classes of a path that match, changed long ago. */
async function classesOf(path: string, name: RegExp, target: string): Promise<string> {
  const classes = await openClassPath([path]);
  const names = [...classes.names()].filter((each) => name.test(each));
  await classes.load(names, (each, bytes) => addFile(join(target, `${each.replaceAll('.', '/')}.class`), bytes), {});
  await classes.close();
  return target;
}

function addFile(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  utimesSync(path, 1e9, 1e9);
}

/** The classes that a JDK has at least: an analysis of them takes no time. */
async function smallJdk(t: TestContext): Promise<string | undefined> {
  const [home] = jdkHomes(t);
  if (home === undefined) return undefined;
  return classesOf(
    home,
    /^java\.(?:lang\.(?:Object|String|Thread|Throwable|System|Class)|util\.ArrayList)$/,
    join(folder, 'jdk'),
  );
}

test('a program needs a main class and a JDK', async () => {
  const open = (request: AnalysisRequest) =>
    openAnalysed([SHOP], request, { cache: false, announce: silent, work: {} });
  await rejects(open({}), codeOf('no-main-class'));
  await rejects(open({ main: 'shop.Main', jdk: SHOP }), codeOf('no-jdk'));
  await rejects(open({ main: 'shop.Main', algo: 'rta', cutoff: '3' }), codeOf('no-cutoff'));
  await rejects(open({ main: 'shop.Main', cutoff: '-1' }), codeOf('no-cutoff'));
});

test('archives and folders with classes are programs, recordings are not', async () => {
  const classes = await classesOf(SHOP, /./, join(folder, 'shop'));
  const mixed = await classesOf(SHOP, /Main/, join(folder, 'mixed'));
  writeFileSync(join(mixed, 'app.collapsed'), 'a;b 1\na;c 2\n');
  const names = [
    SHOP,
    classes,
    `${SHOP}:${classes}`,
    mixed,
    join(ROOT, 'examples/points-to'),
    'no-such.jar',
    'no:such',
  ];
  deepEqual(await Promise.all(names.map(isProgram)), [true, true, true, false, false, false, false]);
});

interface Kept {
  readonly session: Session;
  readonly messages: readonly string[];
}

async function openKept(name: string, analysis: AnalysisRequest): Promise<Kept> {
  const messages: string[] = [];
  const announce = (message: Parameters<typeof plainText>[0]): void => void messages.push(plainText(message));
  const session = await openInputs([name], { cache: true, announce, work: {}, analysis });
  return { session, messages };
}

/** What its questions say; the session is closed. */
async function answersOf({ session }: Kept): Promise<string> {
  const why = await ask(session, { view: 'calls-why', options: { method: 'shop.Toy.price', paths: 0 } });
  const entries = await ask(session, { view: 'calls-entries', page: { limit: 0 } });
  const unreached = await ask(session, { view: 'calls-unreached', options: { by: 'method' }, page: { limit: 0 } });
  await session.close();
  return JSON.stringify([why.rows, entries.rows, unreached.rows.map(({ name }) => name)]);
}

test('a result is kept by the content of classes, JDK and options', async (t) => {
  const jdk = await smallJdk(t);
  if (jdk === undefined) return;
  const before = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  t.after(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });
  const keptFolder = join(folder, 'cache/kansoku/recordings');
  const files = () => readdirSync(keptFolder).sort();
  const program = await classesOf(SHOP, /./, join(folder, 'program'));
  const request = { main: 'shop.Main', jdk };
  const first = await openKept(program, request);
  const fresh = await answersOf(first);
  match(fresh, /shop\.Main\.main\(java\.lang\.String\[\]\)/);
  // `Report` is only printed by other programs: `javap -c shop.Main` does not name it. The JDK's own classes are not the program's.
  match(fresh, /shop\.Report\.print/);
  ok(!fresh.includes('java.util.ArrayList.trimToSize'));
  const count = files().length;
  ok(count > 0);

  const again = await openKept(program, request);
  equal(await answersOf(again), fresh);
  equal(files().length, count);

  // Another algorithm, and other bytes of a class, are other results.
  const other = await openKept(program, { ...request, algo: 'cha' });
  await other.session.close();
  const afterOther = files().length;
  ok(afterOther > count);
  addFile(join(program, 'shop/Toy.class'), readFileSync(join(program, 'shop/Book.class')));
  const changedProgram = await openKept(program, request);
  await rejects(ask(changedProgram.session, { view: 'calls-why', options: { method: 'shop.Toy.price' } }));
  await changedProgram.session.close();
  addFile(join(program, 'shop/Toy.class'), readFileSync(join(folder, 'shop/shop/Toy.class')));

  // Every file damaged: what is wrong is said, and the answer is that of the classes.
  for (const name of files()) {
    const bytes = readFileSync(join(keptFolder, name));
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64);
    writeFileSync(join(keptFolder, name), bytes);
  }
  const fromDamaged = await openKept(program, request);
  equal(await answersOf(fromDamaged), fresh);
  match(fromDamaged.messages.join('\n'), /the cached copy is damaged; rebuilding it/);
  const afterDamage = await openKept(program, request);
  equal(await answersOf(afterDamage), fresh);
  deepEqual(afterDamage.messages, []);
});

test('what a recording saw is reachable from its methods', async (t) => {
  const jdk = await smallJdk(t);
  if (jdk === undefined) return;
  // `Report` is the class that `main` never reaches (see above); the recording has one stack of it.
  const recording = join(folder, 'seen.collapsed');
  writeFileSync(recording, 'shop.Report.print 1\n');
  const options = { cache: false, announce: silent, work: {} };
  const unreached = async (analysis: AnalysisRequest) => {
    const session = await openInputs([SHOP], { ...options, analysis: { main: 'shop.Main', jdk, ...analysis } });
    const { rows } = await ask(session, { view: 'calls-unreached', options: { by: 'method' }, page: { limit: 0 } });
    const reasons = await ask(session, { view: 'calls-entries', page: { limit: 0 } });
    await session.close();
    return { names: rows.map(({ name }) => name), reasons: JSON.stringify(reasons.rows) };
  };
  const without = await unreached({});
  const beside = await unreached({ entryObserved: [recording] });
  const gone = without.names.filter((name) => !beside.names.includes(name));
  ok(
    gone.some((name) => name.startsWith('shop.Report.print(')),
    gone.join(', '),
  );
  deepEqual(
    beside.names.filter((name) => !without.names.includes(name)),
    [],
  );
  match(beside.reasons, /shop\.Report\.print/);
});

test('a workspace opens class files in a thread of its own', async (t) => {
  const jdk = await smallJdk(t);
  if (jdk === undefined) return;
  const workspaces = [directWorkspace(), workerWorkspace()];
  const request = { names: [SHOP], cache: false, analysis: { main: 'shop.Main', jdk } };
  const [direct, worker] = await Promise.all(workspaces.map((each) => each.open(request)));
  deepEqual(worker, direct);
  deepEqual(
    direct?.map(({ name, models }) => [name, models]),
    [[SHOP, ['call-graph']]],
  );
  await Promise.all(workspaces.map((each) => each.end()));
});

test('an analysis ends when it is aborted', async (t) => {
  const [home] = jdkHomes(t);
  if (home === undefined) return;
  const controller = new AbortController();
  const work = { signal: controller.signal, progress: () => controller.abort() };
  const options = { cache: false, announce: silent, work, analysis: { main: 'shop.Main', jdk: home } };
  await rejects(openInputs([SHOP], options), { name: 'AbortError' });
});
