/**
 * Compiles all sources for the tests, benches and scripts: `node scripts/compile.mjs` writes a module of `dist` for each
 * TypeScript file below FOLDERS and removes the modules of deleted ones. Types are removed, not checked: `npm test` checks
 * them beside the tests (scripts/test-run/checks.ts). Takes a second.
 *
 * This is plain JavaScript, since it runs before anything is compiled.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'rolldown/utils';

const ROOT = dirname(import.meta.dirname);
const FOLDERS = ['src', 'web', 'bench', 'scripts', 'examples/jvmpi'];
/** As tsconfig.json says: imports that are not types stay, and `./a.ts` becomes `./a.js`. */
const OPTIONS = {
  target: 'es2023',
  sourcemap: false,
  jsx: { runtime: 'automatic', importSource: 'preact' },
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
};

/** Paths below `folder`, as they are below the clone. */
function filesBelow(folder) {
  let entries;
  try {
    entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  } catch {
    return [];
  }
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function textIfPresent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const sources = FOLDERS.flatMap(filesBelow).filter((path) => /(?<!\.d)\.tsx?$/.test(path));
const modules = new Set();
for (const source of sources) {
  const path = source.slice(ROOT.length + 1);
  const module = join(ROOT, 'dist', path.replace(/\.tsx?$/, '.js'));
  modules.add(module);
  const { code, errors } = transformSync(path, readFileSync(source, 'utf8'), OPTIONS);
  for (const { codeframe, message } of errors) process.stderr.write(`${path}: ${message}\n${codeframe ?? ''}\n`);
  if (errors.length > 0) process.exitCode = 1;
  else if (textIfPresent(module) !== code) {
    mkdirSync(dirname(module), { recursive: true });
    writeFileSync(module, code);
  }
}
for (const path of FOLDERS.flatMap((folder) => filesBelow(`dist/${folder}`))) if (!modules.has(path)) rmSync(path);
