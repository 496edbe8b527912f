/**
 * What test files of one process share: made when first needed, released at the end of the process. A helper must not
 * release such a thing with `after`, which belongs to the first file that imports the helper.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const releases: (() => Promise<void>)[] = [];
const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A value that is made by the first call, and released at the end of the process. */
export function kept<Value>(
  make: () => Promise<Value>,
  release: (value: Value) => Promise<void>,
): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    if (made !== undefined) return made;
    const value = make();
    made = value;
    releases.push(async () => release(await value));
    return made;
  };
}

/** A temporary folder that is removed at the end of the process. */
export function keptFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  folders.push(folder);
  return folder;
}

/** Releases all values. */
export async function releaseKept(): Promise<void> {
  for (const release of releases.splice(0)) await release().catch(() => undefined);
}
