/**
 * Compiled code of the bundle: half of what a short command costs is V8 compiling the modules of the program, so the build keeps what it
 * compiled (`scripts/compiled-code.mjs`). V8 refuses code of another version, or of other flags; such modules are compiled as usual.
 *
 *   byte 0   8   length of the directory, with blanks up to a multiple of 8; a double
 *        8   n   directory: JSON, of each module [name, where its code begins behind the directory, number of bytes]
 *                codes, each at a multiple of 8
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { PROGRAM } from '../../base/package.node.js';

const HEAD = 8;
/** Around the text of a module. `scripts/compiled-code.mjs` has the same: V8 knows functions by their places in the whole. */
const [BEFORE, BEHIND] = ['(function(exports,require,module,__filename,__dirname){', '\n})'] as const;

/** The function that a module is. */
type Body = (exports: unknown, require: NodeJS.Require, module: NodeJS.Module, path: string, folder: string) => void;

/** Starts modules of the bundled program with their compiled code from now on, if there is some for this `process`. */
export function useCompiledCode({ version, arch }: Pick<NodeJS.Process, 'version' | 'arch'>): void {
  if (!PROGRAM.bundled) return;
  const file = join(PROGRAM.folder, `code-${version}-${arch}.bin`);
  if (!existsSync(file)) return;
  // `--version` loads no module, and needs no code.
  let codes: Map<string, Buffer> | undefined;
  const { extensions } = createRequire(file);
  const usual = extensions['.js'];
  extensions['.js'] = (module, path) => {
    if (dirname(path) !== PROGRAM.folder) return usual(module, path);
    codes ??= compiledCodes(readFileSync(file));
    const code = codes.get(basename(path));
    if (code === undefined) return usual(module, path);
    const body: Body = moduleScript(path, code).runInThisContext();
    body.call(module.exports, module.exports, createRequire(path), module, path, PROGRAM.folder);
  };
}

/** Codes by the name of their module. */
export function compiledCodes(file: Buffer): Map<string, Buffer> {
  const start = HEAD + file.readDoubleLE();
  const directory: [name: string, at: number, length: number][] = JSON.parse(file.toString('utf8', HEAD, start));
  return new Map(directory.map(([name, at, length]) => [name, file.subarray(start + at, start + at + length)]));
}

/** A module with its code; V8 says in `cachedDataRejected` if it has to compile it. */
export function moduleScript(path: string, cachedData: Buffer): Script {
  return new Script(BEFORE + readFileSync(path, 'utf8') + BEHIND, { filename: path, cachedData });
}
