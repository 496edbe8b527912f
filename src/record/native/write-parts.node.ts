/** Writes the files of an experiment. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes the files by their paths into a directory, which is replaced; comments of the user are the file `notes`. */
export function writeParts(
  parts: ReadonlyMap<string, Iterable<Uint8Array>>,
  output: string,
  comments: readonly string[],
): void {
  rmSync(output, { recursive: true, force: true });
  for (const [path, bytes] of parts) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), Buffer.concat([...bytes]));
  }
  if (comments.length > 0) writeFileSync(join(output, 'notes'), `${comments.join('\n')}\n`);
}
