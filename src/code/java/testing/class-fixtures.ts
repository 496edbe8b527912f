/** The class files that ship with the tests; fixtures/ORIGIN.md says where they are from. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../testing/shared-data.js';

/** Oldest first. */
export const FIXTURE_VERSIONS = [52, 61, 69] as const;

const FIXTURES = join(ROOT, 'src/code/java/fixtures');

export interface ClassFixture {
  readonly name: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The class files of a version, in the order in which javap was given them. */
export function classFixtures(version: number): ClassFixture[] {
  const folder = join(FIXTURES, `version-${version}`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.class'));
  return names.sort().map((name) => {
    return { name, path: join(folder, name), bytes: new Uint8Array(readFileSync(join(folder, name))) };
  });
}

/** The class file of a name, such as `Flow.class`. */
export function classFixture(name: string): ClassFixture {
  const found = FIXTURE_VERSIONS.flatMap(classFixtures).find((fixture) => fixture.name === name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found;
}

/** What `javap -v -p -c` printed of the class files of a version. */
export function printedFixtures(version: number): string {
  return readFileSync(join(FIXTURES, `version-${version}`, 'javap.txt'), 'utf8');
}
