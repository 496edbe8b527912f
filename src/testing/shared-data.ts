/**
 * Recordings for tests: those that ship with Kansoku, and the larger collection that `KANSOKU_DATA` names, whose
 * licences do not allow shipping it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, seen from dist/src/testing. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A profile that ships with Kansoku (MIT, see examples/ORIGIN.md). */
export const BINARY_TREE = join(ROOT, 'examples', 'krisfoster-binary-tree.iprof');

interface Skippable {
  skip(message?: string): void;
}

/** The path of a file or folder of the collection; skips the test and gives undefined where it is not there. */
export function sharedData(test: Skippable, path: string): string | undefined {
  const folder = process.env.KANSOKU_DATA;
  if (folder === undefined || folder === '') {
    test.skip('needs the data collection: KANSOKU_DATA=<its folder> npm test');
    return undefined;
  }
  const file = join(folder, path);
  if (existsSync(file)) return file;
  test.skip(`${file} is not there: KANSOKU_DATA must name the whole data collection`);
  return undefined;
}

/** All real `.iprof` files there are: those of the collection, else those that ship. */
export function iprofFiles(): string[] {
  const folder = process.env.KANSOKU_DATA;
  if (folder === undefined || folder === '') return [BINARY_TREE];
  const names = readdirSync(join(folder, 'iprof')).filter((name) => name.endsWith('.iprof'));
  return names.map((name) => join(folder, 'iprof', name));
}
