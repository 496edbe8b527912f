/**
 * Small programs, one for each kind of call, on each JDK of this machine: all methods that say that they ran are reachable in the analysis of
 * their program; methods of classes called Never… are not.
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { analyze } from './analyze.js';

const FOLDER = join(ROOT, 'src/analysis/pointsto/fixtures/micro');
const SUFFIX = '.java.txt';
/** Programs that older JDKs do not compile. */
const FIRST_RELEASE: Readonly<Record<string, number>> = { Newer: 21 };
const PROVIDERS = 'micro.Services$First # the first\n\nmicro.Services$Second\n';
/** The fewest methods that the programs run: fewer mean that the test no longer tests. */
const FEWEST = 280;

/** Programs that are analysed by themselves: what a class constant means depends on how many others there are. */
const ALONE: readonly string[] = ['Proxies', 'Reflection'];

interface Ran {
  readonly classes: string;
  /** The methods that say that they ran. */
  readonly methods: ReadonlySet<string>;
}

function releaseOf(home: string): number {
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1]);
}

/** Compiles all programs that a JDK can, and one that calls them all; runs them in one process. */
function runPrograms(t: TestContext, home: string): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-micro-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'micro');
  mkdirSync(source);
  const names = readdirSync(FOLDER)
    .map((file) => file.slice(0, -SUFFIX.length))
    .filter((name) => releaseOf(home) >= (FIRST_RELEASE[name] ?? 0));
  for (const name of names) writeFileSync(join(source, `${name}.java`), readFileSync(join(FOLDER, name + SUFFIX)));
  const programs = names.filter((name) => name !== 'Ran');
  const calls = programs
    .filter((name) => !ALONE.includes(name))
    .map((name) => `${name}.main(args);`)
    .join(' ');
  writeFileSync(
    join(source, 'All.java'),
    `package micro; class All { public static void main(String[] args) throws Throwable { ${calls} } }`,
  );
  const classes = join(folder, 'classes');
  const services = join(classes, 'META-INF/services');
  mkdirSync(services, { recursive: true });
  writeFileSync(join(services, 'micro.Services$Service'), PROVIDERS);
  jdkTool(home, 'javac', ['-nowarn', '-d', classes, ...[...names, 'All'].map((name) => join(source, `${name}.java`))]);
  const output = jdkTool(home, 'java', ['-cp', classes, 'micro.Ran', ...programs.map((name) => `micro.${name}`)]);
  return { classes, methods: new Set([...output.matchAll(/^ran (\S+)$/gm)].map(([, name = '']) => name)) };
}

async function reachable(classes: string, home: string, main: string, cutoff: number): Promise<Set<string>> {
  const path = await openClassPath([classes, home]);
  try {
    const { engine } = await analyze(path, { main, cutoff }, {});
    const names = [...engine.reached].map((method) => {
      const { name, descriptor } = engine.methods.selectorOf(method);
      return `${engine.types.name(engine.methods.entry(method).owner)}.${name}${descriptor}`;
    });
    return new Set(names.filter((name) => name.startsWith('micro/')));
  } finally {
    await path.close();
  }
}

function ofProgram(program: string): (name: string) => boolean {
  return (name) => /^micro\/(\w+)/.exec(name)?.[1] === program;
}

test('what small programs run is reachable, and what they cannot run is not', async (t) => {
  for (const [i, home] of jdkHomes(t).slice(0, amount(Number.POSITIVE_INFINITY, 1)).entries()) {
    const { classes, methods } = runPrograms(t, home);
    ok(methods.size >= FEWEST, `${methods.size}`);
    const alone = amount(i === 0 ? ALONE : [], []);
    for (const program of ['All', ...alone]) {
      const reached = await reachable(classes, home, `micro.${program}`, amount(100, 20));
      const isExpected =
        program === 'All' ? (name: string) => !ALONE.some((each) => ofProgram(each)(name)) : ofProgram(program);
      const missed = [...methods].filter((name) => isExpected(name) && !reached.has(name));
      deepStrictEqual(missed, [], `${home}, ${program}`);
      const impossible = [...reached].filter((name) => /\$Never/.test(name));
      deepStrictEqual(impossible, [], `${home}, ${program}`);
    }
  }
});
