/** Finds our own TypeScript files, for the checks in this folder. Cost: one walk over the folders of the sources. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['src', 'web', 'bench', 'scripts'];
const SKIPPED = new Set(['fixtures', 'node_modules', 'dist']);

/** All `.ts` and `.tsx` files below the folder of a clone, as paths relative to it, sorted. */
export function sourceFiles(root: string): string[] {
  const found: string[] = [];
  const open = readdirSync(root).filter((name) => FOLDERS.includes(name));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) open.push(path);
      if (entry.isFile() && /\.tsx?$/.test(entry.name)) found.push(path);
    }
  }
  return found.sort();
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}
