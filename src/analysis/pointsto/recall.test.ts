/** Methods that a JVM really executed, by its own list, and how many of them our analysis reaches on the same JDK. */
import { ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ACCESS } from '../../code/java/class-file/access.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { inFullTier } from '../../testing/amount.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { analyze } from './analyze.js';

/** Classes that the JVM makes at run time, and methods without code of their own. */
const MADE = /\$\$Lambda|LambdaForm|0x0|\$Proxy|GeneratedConstructor|GeneratedMethod|MethodHandle\.(?:invoke|link)/;

/** Lines of `-XX:+PrintTouchedMethodsAtExit`: `java/lang/Object.<init>:()V`. */
function touchedMethods(text: string): string[] {
  return text.split('\n').filter((line) => /^[^\s#]+\.[^\s]+:\(/.test(line) && !MADE.test(line));
}

interface Subject {
  readonly name: string;
  readonly source: Buffer;
  /** What a JVM said, if it is not to be asked. */
  readonly touched?: string;
}

/** Programs of the data of the project, with what they touched, and of this folder. */
function subjects(t: TestContext): Subject[] {
  const recorded = ['Hello', 'Busy'].flatMap((name): Subject[] => {
    const touched = sharedData(t, `points-to/oracle-jdk17/touched-${name}.txt.gz`);
    return touched === undefined
      ? []
      : [{ name, source: readFileSync(join(dirname(touched), `${name}.java`)), touched }];
  });
  const folder = join(ROOT, 'src/analysis/pointsto/fixtures/recall');
  const fixtures = readdirSync(folder).map((file) => ({
    name: file.replace(/\..*/, ''),
    source: readFileSync(join(folder, file)),
  }));
  return [...recorded, ...fixtures];
}

const LOG = ['-Xint', '-XX:+UnlockDiagnosticVMOptions', '-XX:+LogTouchedMethods', '-XX:+PrintTouchedMethodsAtExit'];

/** The share of the methods that are reached; abstract ones are touched, and cannot run. */
async function recall(t: TestContext, { name: program, source, touched }: Subject, home: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-recall-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'source', `${program}.java`);
  mkdirSync(dirname(file));
  writeFileSync(file, source);
  jdkTool(home, 'javac', ['-nowarn', '-d', folder, file]);
  const text =
    touched === undefined
      ? jdkTool(home, 'java', [...LOG, '-cp', folder, program])
      : gunzipSync(readFileSync(touched)).toString();
  const path = await openClassPath([folder, home]);
  const { engine } = await analyze(path, { main: program, cutoff: 20 }, {});
  await path.close();
  const nameOf = (method: number): string => {
    const { name, descriptor } = engine.methods.selectorOf(method);
    return `${engine.types.name(engine.methods.entry(method).owner)}.${name}:${descriptor}`;
  };
  const reached = new Set([...engine.reached].map(nameOf));
  const abstract = new Set<string>();
  for (let method = 0; method < engine.methods.length; method++)
    if ((engine.methods.access(method) & ACCESS.abstract) !== 0) abstract.add(nameOf(method));
  const executed = touchedMethods(text).filter((name) => !abstract.has(name));
  ok(executed.length > 1000, `${program}: ${executed.length}`);
  return executed.filter((name) => reached.has(name)).length / executed.length;
}

test('nearly all methods that a JDK 17 executed are reached', async (t) => {
  if (!inFullTier(t, 'pointsto')) return;
  const home = jdkHomes(t).find((each) => each.includes('17'));
  if (home === undefined) return;
  for (const subject of subjects(t)) {
    const share = await recall(t, subject, home);
    ok(share >= 0.98, `${subject.name}: ${share}`);
  }
});
