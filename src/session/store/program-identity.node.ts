/**
 * The identity of the program that computed a value, for the names of cached files: a hash of the built files that read
 * recordings and derive values. So every change of a reader counts. Costs a few milliseconds, in a bundle less than one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/digest.node.js';
import { PROGRAM } from '../../base/package.node.js';

/** The layers that read recordings and derive values. */
const LAYERS = ['base', 'bytes', 'models', 'formats', 'code', 'analysis'] as const;

let running: string | undefined;

/** The identity of the program that runs; computed once. Throws if its files cannot be read. */
export function runningProgram(): string {
  running ??= PROGRAM.bundled ? bundleIdentity(PROGRAM.folder) : programIdentity(PROGRAM.folder);
  return running;
}

/** A hash of the names of a bundle's modules, which have hashes of their contents in them. */
function bundleIdentity(folder: string): string {
  return sha256().update(readdirSync(folder).sort().join('\n')).digest('hex');
}

/** A hash of the names, sizes and contents of all modules of those layers in `folder`, without tests. */
export function programIdentity(folder: string): string {
  const hash = sha256();
  for (const layer of LAYERS) {
    const names = readdirSync(join(folder, layer), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((each) => each.endsWith('.js') && !each.endsWith('.test.js')).sort()) {
      const bytes = readFileSync(join(folder, layer, name));
      hash.update(`${layer}/${name} ${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest('hex');
}
