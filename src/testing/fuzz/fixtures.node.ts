/** Where the files are that the robustness tests damage. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FuzzedReader } from './fuzzed-reader.js';

/** Tests run from `dist`, fixtures stay in `src`. */
const FIXTURES = new URL('../../../../src/formats/', import.meta.url);

export function fixturePaths(names: readonly string[]): string[] {
  return names.map((name) => fileURLToPath(new URL(name, FIXTURES)));
}

/** The large files that are there; none where KANSOKU_DATA is not set. */
export function largePaths(reader: FuzzedReader): string[] {
  const folder = process.env.KANSOKU_DATA;
  return folder === undefined ? [] : reader.large.map((name) => join(folder, name)).filter((path) => existsSync(path));
}
