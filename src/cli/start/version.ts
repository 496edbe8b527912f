/** The version of the running program. */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package.node.js';

/** As package.json has it, `1.2.3`. */
export function programVersion(): string {
  const description: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return description.version;
}
