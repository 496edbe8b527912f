/**
 * The identity of the program that computed a value, for the names of cached files: a hash of the built files that read
 * recordings and derive values. So every change of a reader counts. Costs a few milliseconds.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The layers that read recordings and derive values. */
const LAYERS = ['base', 'bytes', 'models', 'formats', 'code', 'analysis'] as const;

let running: string | undefined;

/** The identity of the program that runs; computed once. Throws if its files cannot be read. */
export function runningProgram(): string {
  running ??= programIdentity(fileURLToPath(new URL('../', import.meta.url)));
  return running;
}

/** A hash of the names, sizes and contents of all modules of those layers in `folder`, without tests. */
export function programIdentity(folder: string): string {
  const hash = createHash('sha256');
  for (const layer of LAYERS) {
    const names = readdirSync(join(folder, layer), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((each) => each.endsWith('.js') && !each.endsWith('.test.js')).sort()) {
      const bytes = readFileSync(join(folder, layer, name));
      hash.update(`${layer}/${name} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('hex');
}
