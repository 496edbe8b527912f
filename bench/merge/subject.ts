/**
 * One way to merge profiles in a process of its own: reads the files, merges them, makes the bytes of the result, and
 * prints what that cost, as JSON. `entries` are those of the result.
 *
 *   node dist/bench/merge/subject.js kansoku|json-parse FILE FILE…
 */
import { readFileSync } from 'node:fs';
import { mergeRecordings } from '../../src/analysis/merge/merge.js';
import { fileSource } from '../../src/bytes/file.node.js';
import { readIprof } from '../../src/formats/iprof/read.js';
import { writeIprof } from '../../src/formats/iprof/write/write.js';
import type { Recording } from '../../src/models/recording.js';
import { column } from '../../src/models/table.js';
import { printCost } from '../compare.js';

interface Input {
  readonly types: readonly { id: number; name: string }[];
  readonly methods: readonly { id: number; name: string; signature: number[] }[];
  readonly [section: string]: unknown;
}

interface Entry {
  readonly ctx: string;
  readonly records: number[];
}

const [subject = '', ...files] = process.argv.slice(2);
const started = performance.now();
printCost(started, subject === 'kansoku' ? await kansoku() : naive());

async function kansoku(): Promise<number> {
  const recordings: Recording[] = [];
  for (const file of files) recordings.push(await readIprof(await fileSource(file)));
  const merged = mergeRecordings(recordings);
  let bytes = 0;
  for (const chunk of writeIprof(merged).chunks) bytes += chunk.length;
  if (bytes === 0) throw new Error('nothing was written');
  return (merged.profile?.events ?? []).reduce((sum, table) => sum + (column(table, 'site').at(-1) ?? -1) + 1, 0);
}

/**
 * Does what a script would do: ids by names, contexts as texts, counts added in maps; names are told apart by spelling
 * only.
 */
function naive(): number {
  const types = new Map<string, number>();
  const methods = new Map<string, number>();
  const merged: Record<string, unknown> = { version: '', types: [], methods: [] };
  const sections = new Map<string, Map<string, Map<string, number[]>>>();
  for (const file of files) {
    const input: Input = JSON.parse(readFileSync(file, 'utf8'));
    merged.version = input.version;
    const typeOf = new Map(input.types.map(({ id, name }) => [id, idOf(types, name)]));
    const methodOf = new Map(
      input.methods.map(({ id, name, signature }) => [
        id,
        idOf(methods, `${name} ${signature.map((type) => typeOf.get(type)).join()}`),
      ]),
    );
    for (const [key, entries] of Object.entries(input)) {
      if (!key.endsWith('Profiles') || !Array.isArray(entries)) continue;
      const section = sections.get(key) ?? new Map<string, Map<string, number[]>>();
      sections.set(key, section);
      for (const entry of entries) add(section, key, entry, typeOf, methodOf);
    }
  }
  merged.types = [...types].map(([name, id]) => ({ id, name }));
  merged.methods = [...methods].map(([key, id]) => {
    const [name, signature = ''] = key.split(' ');
    return { id, name, signature: signature.split(',').map(Number) };
  });
  let count = 0;
  for (const [key, section] of sections) {
    count += section.size;
    merged[key] = [...section].map(([ctx, shapes]) => ({ ctx, records: heaviest([...shapes.values()]) }));
  }
  if (JSON.stringify(merged).length === 0) throw new Error('nothing was written');
  return count;
}

function idOf(known: Map<string, number>, key: string): number {
  const id = known.get(key) ?? known.size;
  known.set(key, id);
  return id;
}

function add(
  section: Map<string, Map<string, number[]>>,
  key: string,
  { ctx, records }: Entry,
  typeOf: ReadonlyMap<number, number>,
  methodOf: ReadonlyMap<number, number>,
): void {
  const monitor = key.startsWith('monitor');
  const context = monitor ? ctx : ctx.replace(/(\d+):/g, (_, id: string) => `${methodOf.get(Number(id))}:`);
  const shapes = section.get(context) ?? new Map<string, number[]>();
  section.set(context, shapes);
  const width = key.startsWith('conditional') ? 3 : records.length === 1 ? 1 : 2;
  const typed = width === 2 ? records.map((value, i) => (i % 2 === 0 ? (typeOf.get(value) ?? -1) : value)) : records;
  const shape = width === 3 ? typed.filter((_, i) => i % 3 < 2).join() : '';
  const sum = shapes.get(shape);
  if (sum === undefined) shapes.set(shape, [...typed]);
  else if (width === 2) addTypes(sum, typed);
  else for (let i = width - 1; i < typed.length; i += width) sum[i] = (sum[i] ?? 0) + (typed[i] ?? 0);
}

function addTypes(sum: number[], records: readonly number[]): void {
  for (let i = 0; i < records.length; i += 2) {
    let at = 0;
    while (at < sum.length && sum[at] !== records[i]) at += 2;
    if (at === sum.length) sum.push(records[i] ?? -1, 0);
    sum[at + 1] = (sum[at + 1] ?? 0) + (records[i + 1] ?? 0);
  }
}

function heaviest(shapes: readonly number[][]): number[] {
  const weight = (records: readonly number[]): number =>
    records.reduce((sum, value, i) => (i % 3 === 2 ? sum + value : sum), 0);
  return [...shapes].sort((a, b) => weight(b) - weight(a))[0] ?? [];
}
