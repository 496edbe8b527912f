/**
 * Class files against the JDKs' own `javap -v -p -c`, line by line: pool entries, flags, every instruction with operands
 * and comment, exception, line and local variable tables, stack maps, annotations and all other attributes.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { amount, SEED } from '../../../testing/amount.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { Random } from '../../../testing/random.js';
import { checkClassFile } from '../testing/class-check/check.js';
import { classFixtures, FIXTURE_VERSIONS, printedFixtures } from '../testing/class-fixtures.js';
import { classLines, firstDifference, printedClasses } from '../testing/javap-text.js';
import { imagePaths, jdkHomes, jdkTool } from '../testing/jdks.js';
import { readClassFile } from './class-file.js';

/** Classes that are compared in all; one call of `javap` prints so many of them. */
const SAMPLE = amount(2000, 60);
const A_CALL = 250;
const GENERATED = /java\/lang\/invoke\/\w+\$Holder[.]class$/;

function assertAsPrinted(name: string, bytes: Uint8Array, printed: readonly string[]): void {
  const file = readClassFile(bytes, name);
  const ours = classLines(file);
  const line = firstDifference(ours, printed);
  if (line >= 0) assert.deepEqual([name, line, ours[line]], [name, line, printed[line]]);
  assert.deepEqual(checkClassFile(file).list, [], name);
}

for (const version of FIXTURE_VERSIONS) {
  test(`fixtures of version ${version} are read as javap printed them`, () => {
    const fixtures = classFixtures(version);
    const printed = printedClasses(printedFixtures(version));
    assert.equal(printed.length, fixtures.length);
    fixtures.forEach(({ name, bytes }, i) => {
      assertAsPrinted(name, bytes, printed[i] ?? []);
      assert.equal(readClassFile(bytes, name).major, version);
    });
  });
}

/** A seeded choice, each once. */
function sample(paths: readonly string[], size: number): string[] {
  const random = new Random(SEED);
  const left = [...paths];
  const chosen: string[] = [];
  while (chosen.length < size && left.length > 0) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

/** Unpacks these classes of a JDK's image to a folder: all of them are 27,000 files. */
function extractClasses(home: string, folder: string, paths: readonly string[]): void {
  const pattern = `regex:(${paths.map((path) => path.replace(/[.$]/g, '[$&]')).join('|')})`;
  jdkTool(home, 'jimage', ['extract', '--dir', folder, '--include', pattern, imageOf(home)]);
}

const imageOf = (home: string): string => join(home, 'lib', 'modules');

const JAVAP = ['-J-Dfile.encoding=UTF-8', '-J-Dstdout.encoding=UTF-8', '-v', '-p', '-c'];

/** Compares some classes of a folder with the output of a JDK's javap. */
function compareSome(home: string, folder: string, paths: readonly string[]): { lines: number; refused: number } {
  const files = paths.map((path) => join(folder, path));
  const printed = printedClasses(jdkTool(home, 'javap', [...JAVAP, ...files]));
  assert.equal(printed.length, paths.length);
  let lines = 0;
  let refused = 0;
  for (const [i, path] of paths.entries()) {
    const text = printed[i] ?? [];
    // JDK 25's javap stops at the private classes that jlink generates.
    if (GENERATED.test(path) && text.some((line) => line.startsWith('Error: Access Flags:'))) refused++;
    else assertAsPrinted(path, new Uint8Array(readFileSync(join(folder, path))), text);
    lines += text.length;
  }
  return { lines, refused };
}

test(`${SAMPLE} classes of JDKs are read as javap prints them`, async (t) => {
  const homes = jdkHomes(t);
  for (const home of homes) {
    const folder = await temporaryFolder(t);
    const classes = imagePaths(home, imageOf(home)).filter((path) => path.endsWith('.class'));
    const chosen = sample(classes, Math.ceil(SAMPLE / homes.length));
    assert.equal(chosen.length, Math.ceil(SAMPLE / homes.length));
    let lines = 0;
    let refused = 0;
    for (let from = 0; from < chosen.length; from += A_CALL) {
      const paths = chosen.slice(from, from + A_CALL);
      extractClasses(home, folder, paths);
      const found = compareSome(home, folder, paths);
      lines += found.lines;
      refused += found.refused;
    }
    const version = jdkTool(home, 'java', ['--version']).split('\n')[0];
    t.diagnostic(`${version}: ${chosen.length} classes, ${lines} lines; ${refused} that javap itself cannot print`);
  }
});
