/** All classes of a JDK in one file, so that opening files is no part of what is measured: u4 length, bytes, and again. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractClasses, type Jdk } from '../../src/code/java/testing/jdks.js';

export function packClasses(jdk: Jdk, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-classes-'));
  const out = openSync(file, 'w');
  try {
    for (const path of extractClasses(jdk, folder)) {
      const bytes = readFileSync(join(folder, path));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(bytes.length);
      writeSync(out, head);
      writeSync(out, bytes);
    }
  } finally {
    closeSync(out);
    rmSync(folder, { recursive: true });
  }
}

/** The classes of a packed file, as parts of one array. */
export function unpackClasses(file: string): Uint8Array[] {
  const all = new Uint8Array(readFileSync(file));
  const view = new DataView(all.buffer);
  const classes: Uint8Array[] = [];
  for (let at = 0; at < all.length; ) {
    const length = view.getUint32(at);
    classes.push(all.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return classes;
}
