/**
 * Class files against the JDKs' own `javap -v -p -c`, line by line: pool entries, flags, every instruction with operands
 * and comment, exception, line and local variable tables, stack maps, annotations and all other attributes.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { Random } from '../../testing/random.js';
import { checkClassFile } from './check.js';
import { readClassFile } from './class-file.js';
import { classFixtures, FIXTURE_VERSIONS, printedFixtures } from './testing/class-fixtures.js';
import { classLines, firstDifference, printedClasses } from './testing/javap-text.js';
import { extractClasses, javap, jdks } from './testing/jdks.js';

/** Classes that are compared in all; one call of `javap` prints so many of them. */
const SAMPLE = 2000;
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
  const random = new Random(paths.length);
  const left = [...paths];
  const chosen: string[] = [];
  while (chosen.length < size && left.length > 0) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

describe('classes of the JDKs', () => {
  test(`${SAMPLE} classes are read as javap prints them`, (t) => {
    if (!hasProgram(t, 'javap')) return;
    const found = jdks();
    assert.ok(found.length > 0, 'javap is in PATH, but no JDK with lib/modules, jimage and javap is there');
    for (const jdk of found) {
      const folder = mkdtempSync(join(tmpdir(), 'kansoku-classes-'));
      try {
        const chosen = sample(extractClasses(jdk, folder), Math.ceil(SAMPLE / found.length));
        let lines = 0;
        let refused = 0;
        for (let from = 0; from < chosen.length; from += A_CALL) {
          const some = chosen.slice(from, from + A_CALL);
          const printed = printedClasses(javap(jdk, folder, some));
          assert.equal(printed.length, some.length);
          some.forEach((path, i) => {
            const text = printed[i] ?? [];
            // JDK 25's javap stops at the private classes that jlink generates.
            if (GENERATED.test(path) && text.some((line) => line.startsWith('Error: Access Flags:'))) refused++;
            else assertAsPrinted(path, new Uint8Array(readFileSync(join(folder, path))), text);
            lines += text.length;
          });
        }
        t.diagnostic(
          `JDK ${jdk.version}: ${chosen.length} classes, ${lines} lines, no difference; ${refused} that javap cannot print`,
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });
});
