/**
 * Which readers the gate damages in full: those whose sources or fixtures differ from the ones of their last full run, as
 * scripts/full-damage.json records them. `KANSOKU_TESTS=full npm test -- damage --record-damage` makes such a run.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from '../source-files.js';
import type { SourceGraph } from '../source-graph.js';

/** Reader → hash of its sources. */
export type DamageRecord = Readonly<Record<string, string>>;

const RECORD = 'scripts/full-damage.json';
const DAMAGE_TEST = /^src\/(?:formats\/(.+)|code\/java\/(class-file))\/damage\.test\.ts$/;
/** What damages and judges files for all readers. */
const HARNESS = ['mutate', 'fuzz-worker', 'fuzz', 'damage'].map((name) => `src/testing/fuzz/${name}.ts`);

/** The id of the reader that a test damages files for; undefined for other tests. */
export function damagedReader(test: string): string | undefined {
  const [, format, classFile] = DAMAGE_TEST.exec(test) ?? [];
  return format ?? classFile;
}

/** The modules that read, damage and judge the files of a reader, and the folder with its fixtures. */
function readerSources(
  graph: SourceGraph,
  reader: string,
): { readonly modules: readonly string[]; readonly folder: string } {
  if (reader === 'class-file') return { modules: ['src/code/java/testing/class-damage.ts'], folder: 'src/code/java' };
  const folder = `src/formats/${reader.split('/')[0]}`;
  return { modules: graph.modules.filter((module) => module.startsWith(`${folder}/`) && !isTest(module)), folder };
}

/** The hash of all that decides how a reader takes damage: its modules with all that they need, its fixtures, and the harness itself. */
export function readerHash(root: string, graph: SourceGraph, reader: string): string {
  const { modules: own, folder } = readerSources(graph, reader);
  // The harness knows all readers: what it imports is not looked through.
  const modules = new Set([...own.flatMap((module) => [...graph.reach(module)]), ...HARNESS]);
  const hash = createHash('sha256');
  for (const path of [...[...modules].sort(), ...fixturesBelow(root, folder)])
    hash.update(`${path}\0`).update(
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest(),
    );
  return hash.digest('hex').slice(0, 16);
}

function fixturesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => /(?:^|\/)fixtures\//.test(path))
    .sort();
}

export function recordedDamage(root: string): DamageRecord {
  return JSON.parse(readFileSync(join(root, RECORD), 'utf8'));
}

/** Records full runs of readers beside the earlier ones; readers that no longer exist are left out. */
export function recordDamage(root: string, graph: SourceGraph, readers: readonly string[]): void {
  const existing = new Set(graph.modules.flatMap((module) => damagedReader(module) ?? []));
  const hashes = readers.map((reader) => [reader, readerHash(root, graph, reader)] as const);
  const record = Object.entries({ ...recordedDamage(root), ...Object.fromEntries(hashes) });
  const kept = record.filter(([reader]) => existing.has(reader)).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(root, RECORD), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** The readers of these tests whose sources are not those of their last full run. */
export function changedReaders(root: string, graph: SourceGraph, tests: readonly string[]): string[] {
  const record = recordedDamage(root);
  const readers = tests.flatMap((test) => damagedReader(test) ?? []);
  return readers.filter((reader) => record[reader] !== readerHash(root, graph, reader));
}
