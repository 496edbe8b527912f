/**
 * Writes the parts of the package that only `npm pack` needs: `node dist/scripts/package/pack.js [FOLDER]`, called by scripts/pack. FOLDER
 * is dist if not given.
 *
 *   types                     the declarations that those of the library need
 *   package/kansoku.1         the man page
 *   package/THIRD-PARTY.txt   the licences of the packages in the bundle
 *   package/schema            the schemas of PGO profiles
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const TARGET = process.argv[2] ?? join(ROOT, 'dist');
const TYPES = join(TARGET, 'types');
const PACKAGE = join(TARGET, 'package');
/** What the type check writes, too (tsconfig.json). */
const DECLARATIONS = join(ROOT, 'dist/declarations/src');
const ENTRIES = ['library/index.d.ts', 'library/index.node.d.ts', 'live/jvmpi/index.d.ts'];
const IMPORTED = /(?:from|import\()\s*["'](\.[^"']+)\.js["']/g;
const LICENCE_FILE = /^(?:licen[cs]e|copying)/i;

/** The declarations of these modules, and of all that they import. */
function declarations(entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const file of found) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED))
      found.add(`${join(dirname(file), path)}.d.ts`);
  }
  return found;
}

/** Brings the declarations up to date, and copies those that programs import with all that these need. */
function writeDeclarations(): void {
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', ROOT], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const file of declarations(ENTRIES.map((name) => join(DECLARATIONS, name)))) {
    const target = join(TYPES, relative(DECLARATIONS, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

function licenceOf(name: string): string {
  const folder = join(ROOT, 'node_modules', name);
  const file = readdirSync(folder).find((each) => LICENCE_FILE.test(each));
  const { version, license }: { version: string; license: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const text =
    file === undefined ? 'Its package has no licence file.' : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}, ${license}\n\n${text}\n`;
}

for (const folder of [TYPES, PACKAGE]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
writeDeclarations();
cpSync(join(ROOT, 'src/formats/iprof/schema'), join(PACKAGE, 'schema'), { recursive: true });
const names = readFileSync(join(ROOT, 'dist/bundle/packages.txt'), 'utf8').split('\n');
writeFileSync(join(PACKAGE, 'THIRD-PARTY.txt'), names.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`));
writeFileSync(
  join(PACKAGE, 'kansoku.1'),
  execFileSync(process.execPath, [join(ROOT, 'dist/bundle/node/main.js'), 'man']),
);
