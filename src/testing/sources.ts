/** The sources of a room as text, for tests that hold documents against them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './shared-data.js';

/** The text of all product sources below a folder such as `src/bytes`: no tests, no test helpers. */
export function sourcesBelow(folder: string): string {
  const product = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/(^|[/\\])(testing|fixtures)[/\\]/.test(path),
  );
  return product
    .sort()
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
    .join('\n');
}
