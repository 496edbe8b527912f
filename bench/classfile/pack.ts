/** All classes of a JDK in one file, so that opening files is not measured: u4 length, bytes, and again. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { openClassPath } from '../../src/code/java/class-path/class-path.node.js';

/** Writes all classes of an image or archive to `file`. */
export async function packClasses(image: string, file: string): Promise<void> {
  const out = openSync(file, 'w');
  const path = await openClassPath([image]);
  try {
    const head = Buffer.alloc(4);
    const write = (_: string, bytes: Uint8Array): void => {
      head.writeUInt32BE(bytes.length);
      writeSync(out, head);
      writeSync(out, bytes);
    };
    await path.load('all', write, {});
  } finally {
    await path.close();
    closeSync(out);
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
