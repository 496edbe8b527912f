/**
 * Compiled code of the bundle: half of what a short command costs is V8 compiling the modules of the program, so the build keeps what it
 * compiled (`scripts/compiled-code.mjs`). V8 refuses code of another version, or of other flags; such modules are compiled as usual.
 *
 *   byte 0   8   length of the directory, with blanks up to a multiple of 8; a double
 *        8   n   directory: JSON, of each module [name, where its code begins behind the directory, number of bytes]
 *                codes, each at a multiple of 8
 */
import { existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { PROGRAM } from '../../base/package.node.js';
import { CompilerBudget } from './compiler-budget.js';

const HEAD = 8;
/** Around the text of a module. `scripts/compiled-code.mjs` has the same: V8 knows functions by their places in the whole. */
const [BEFORE, BEHIND] = ['(function(exports,require,module,__filename,__dirname){', '\n})'] as const;

/** The function that a module is. */
type Body = (exports: unknown, require: NodeJS.Require, module: NodeJS.Module, path: string, folder: string) => void;

/** Starts modules of the bundled program with their compiled code from now on, if there is some for this `process`. */
export function useCompiledCode({
  version,
  versions,
  arch,
}: Pick<NodeJS.Process, 'version' | 'versions' | 'arch'>): void {
  if (!PROGRAM.bundled) return;
  const file = join(PROGRAM.folder, `code-${version}-${arch}.bin`);
  if (!existsSync(file)) return;
  // `--version` loads no module, and needs no code.
  let codeOf: ((name: string) => Buffer | undefined) | undefined;
  const { extensions } = createRequire(file);
  const usual = extensions['.js'];
  const budget = new CompilerBudget(versions.v8);
  extensions['.js'] = (module, path) => {
    if (dirname(path) !== PROGRAM.folder) return usual(module, path);
    codeOf ??= compiledCodes(file);
    const code = codeOf(basename(path));
    if (code === undefined) return usual(module, path);
    budget.whileLoading(() => {
      const body: Body = moduleScript(path, code).runInThisContext();
      body.call(module.exports, module.exports, createRequire(path), module, path, PROGRAM.folder);
    });
  };
}

/** Reads codes by the name of their module, each when it is needed: most commands need half of them. The file stays open. */
export function compiledCodes(path: string): (name: string) => Buffer | undefined {
  const file = openSync(path, 'r');
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  };
  const start = HEAD + read(0, HEAD).readDoubleLE();
  const directory: [name: string, at: number, length: number][] = JSON.parse(
    read(HEAD, start - HEAD).toString('latin1'),
  );
  const places = new Map(directory.map(([name, ...place]) => [name, place]));
  return (name) => {
    const place = places.get(name);
    return place && read(start + place[0], place[1]);
  };
}

/** A module, which is ASCII, with its code; V8 says in `cachedDataRejected` if it has to compile it. */
export function moduleScript(path: string, cachedData: Buffer): Script {
  return new Script(BEFORE + readFileSync(path, 'latin1') + BEHIND, { filename: path, cachedData });
}
