/** Methods that a JVM really executed, by its own list, and how many of them our analysis reaches on the same JDK. */
import { ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ACCESS } from '../../code/java/class-file/access.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { inFullTier } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { analyze } from './analyze.js';

/** Classes that the JVM makes at run time, and methods without code of their own. */
const MADE = /\$\$Lambda|LambdaForm|0x0|\$Proxy|GeneratedConstructor|GeneratedMethod|MethodHandle\.(?:invoke|link)/;

/** Lines of `-XX:+PrintTouchedMethodsAtExit`: `java/lang/Object.<init>:()V`. */
function touchedMethods(file: string): string[] {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n');
  return lines.filter((line) => /^[^\s#]+\.[^\s]+:\(/.test(line) && !MADE.test(line));
}

/** The share of the methods that are reached; abstract ones are touched, and cannot run. */
async function recall(t: TestContext, program: string, home: string): Promise<number | undefined> {
  const touched = sharedData(t, `points-to/oracle-jdk17/touched-${program}.txt.gz`);
  if (touched === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-recall-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const source = join(folder, 'source', `${program}.java`);
  mkdirSync(dirname(source));
  writeFileSync(source, readFileSync(join(dirname(touched), `${program}.java`)));
  jdkTool(home, 'javac', ['-nowarn', '-d', folder, source]);
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
  const executed = touchedMethods(touched).filter((name) => !abstract.has(name));
  return executed.filter((name) => reached.has(name)).length / executed.length;
}

test('nearly all methods that a JDK 17 executed are reached', async (t) => {
  if (!inFullTier(t, 'pointsto')) return;
  const home = jdkHomes(t).find((each) => each.includes('17'));
  if (home === undefined) return;
  for (const program of ['Hello', 'Busy']) {
    const share = await recall(t, program, home);
    ok(share === undefined || share >= 0.97, `${program}: ${share}`);
  }
});
