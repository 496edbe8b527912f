/**
 * Makes one script of each page component, and one style sheet: `node dist/scripts/bundle.js [FOLDER]`, after the compiler
 * ran. Does nothing where no module that goes into the bundle is newer than it. Takes about a second.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const root = process.argv[2] ?? dirname(dirname(import.meta.dirname));
const script = join(root, 'dist/web/flame.bundle.js');
const style = join(root, 'dist/web/flame.bundle.css');
/** Inputs of the bundle, as paths from the root; this list is not part of it. */
const inputsFile = join(root, 'dist/web/flame.inputs.json');
const Inputs = z.array(z.string());

function isFresh(): boolean {
  if (![script, style, inputsFile].every((path) => existsSync(path))) return false;
  const built = statSync(inputsFile).mtimeMs;
  return Inputs.parse(JSON.parse(readFileSync(inputsFile, 'utf8'))).every((path) => {
    const file = join(root, path);
    return existsSync(file) && statSync(file).mtimeMs <= built;
  });
}

if (!isFresh()) {
  // Loading the bundler is most of the time of a start that has nothing to do.
  const { build } = await import('esbuild-wasm');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'web/flame/page.ts', out: 'flame.bundle' },
      { in: 'web/flame/page.css', out: 'flame.bundle' },
    ],
    outdir: 'dist/web',
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  writeFileSync(inputsFile, JSON.stringify([...Object.keys(metafile.inputs), 'package-lock.json']));
}
