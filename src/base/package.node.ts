/**
 * Where the package of the running program is: the folder with package.json, `examples`, and `dist`. Both builds have their
 * modules three levels below it: `dist/src/base`, made by the compiler for tests, and `dist/bundle/node`, which is what users run.
 */
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Path of a file of the package. */
export function packageFile(path: string): string {
  return join(ROOT, path);
}

/**
 * The folder with all modules of the running program, and whether they are bundled: content hashes in names, no folders. Of the bundled
 * library it is that of the command, which is built of the same sources.
 */
export const PROGRAM =
  basename(import.meta.dirname) === 'base'
    ? ({ folder: join(ROOT, 'dist/src'), bundled: false } as const)
    : ({ folder: join(ROOT, 'dist/bundle/node'), bundled: true } as const);
