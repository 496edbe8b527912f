/**
 * Modules that are loaded by name: into threads, or by agents. They are ES modules in a folder of the bundle, and beside the others
 * where the compiler puts them.
 */
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAM, packageFile } from '../../base/package.node.js';

const PACKAGE = packageFile('package.json');

/** The URL of a module of `src/live`. */
export function liveModule(path: string): URL {
  const folder = PROGRAM.bundled ? join(PROGRAM.folder, '../jvmpi') : join(PROGRAM.folder, 'live');
  return pathToFileURL(join(folder, PROGRAM.bundled ? basename(path) : path));
}

/** `import()` of a module that is not part of the program. The bundle has no import() of its own, but a file beside it has. */
export async function importModule(url: string): Promise<object> {
  const { load }: { load: (url: string) => Promise<object> } = createRequire(PACKAGE)('./agent/import.cjs');
  return load(url);
}
