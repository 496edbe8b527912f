/** The dependencies against docs/dependencies.md, the lock and the installed packages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { ROOT } from './testing/programs.js';

const Versions = z.record(z.string(), z.string());
const Manifest = z.object({ dependencies: Versions, devDependencies: Versions, bundled: z.array(z.string()) });
const Installed = z.object({ version: z.string(), license: z.string() });
const LockedPackage = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  optionalDependencies: Versions.optional(),
});
const Lock = z.object({ packages: z.record(z.string(), LockedPackage) });

const manifest = Manifest.parse(readJson('package.json'));
const locked = Object.entries(Lock.parse(readJson('package-lock.json')).packages).filter(([path]) => path !== '');

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** Package → licence, from the table below a heading of docs/dependencies.md. */
function documented(heading: string): Map<string, string> {
  const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim());
      assert.equal(cells.length, 6, `four cells: ${row}`);
      assert.ok(!cells.slice(1, 5).includes(''), `no empty cell: ${row}`);
      return [(cells[1] ?? '').replaceAll('`', ''), cells[3] ?? ''];
    }),
  );
}

const all = { ...manifest.dependencies, ...manifest.devDependencies };
const part = (isBundled: boolean) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => manifest.bundled.includes(name) === isBundled));

test('users install one package, whose types are in those of the library', () => {
  assert.deepEqual(Object.keys(manifest.dependencies), ['zod']);
});

for (const [heading, versions] of [
  ['At run time', part(true)],
  ['For development', part(false)],
] as const) {
  test(`docs/dependencies.md, ${heading}: every package with the licence it declares`, () => {
    const licences = Object.keys(versions).map(
      (name) => [name, Installed.parse(readJson(`node_modules/${name}/package.json`)).license] as const,
    );
    assert.deepEqual(Object.fromEntries(documented(heading)), Object.fromEntries(licences));
  });

  test(`${heading}: versions are exact and installed`, () => {
    for (const [name, wanted] of Object.entries(versions)) {
      // A second version of a package has another name here.
      const version = wanted.replace(/^npm:[^@]+@/, '');
      assert.match(version, /^\d+\.\d+\.\d+$/, name);
      assert.equal(Installed.parse(readJson(`node_modules/${name}/package.json`)).version, version, name);
    }
  });
}

test('no locked package needs an install script', () => {
  assert.ok(locked.length > 0);
  assert.deepEqual(
    locked.filter(([, entry]) => entry.hasInstallScript === true).map(([path]) => path),
    [],
  );
});

test('the lock names no server, and has a checksum for every package that npm may install here', () => {
  assert.ok(!/https?:\/\/[^"]*\.tgz/.test(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  for (const [path, entry] of locked) {
    assert.equal(entry.resolved, undefined, path);
    if ((entry.os ?? entry.cpu) === undefined || existsSync(join(ROOT, path)))
      assert.match(entry.integrity ?? '', /^sha512-/, path);
  }
});

test('the lock has the packages of all platforms', () => {
  // npm omits packages that its registry lacks, and npm 11 then rejects the lock on every platform.
  const names = new Set(locked.map(([path]) => path.replace(/^.*node_modules\//, '')));
  for (const [path, entry] of locked) {
    const missing = Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.has(name));
    assert.deepEqual(missing, [], `optional dependencies of ${path}`);
  }
});
