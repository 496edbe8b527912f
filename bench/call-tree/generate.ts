/**
 * Makes a call tree report of any size from a seed, as GraalVM 25 prints it: 200,000 methods (fewer in small files), two of three calls
 * direct, targets of virtual calls as unevenly distributed as in real reports (69 % have one, 3 % none, 6 % more than 20).
 *
 *   node dist/bench/call-tree/generate.js OUTPUT.txt|OUTPUT_FOLDER MEGABYTES
 *
 * Into a folder it writes the tables (24.1) of the graph whose text has MEGABYTES.
 *
 * Calls go mostly to methods that were made shortly after the caller, so the tree is about 40 levels deep, virtual calls and their targets counted.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { THREE_TABLES } from '../../src/formats/call-tree/tables/set-names.js';
import { writeCallTreeSet } from '../../src/formats/call-tree/tables/write-set.js';
import { writeCallTree } from '../../src/formats/call-tree/write-text.js';
import { CallGraphBuilder } from '../../src/models/callgraph/call-graph-builder.js';
import { ProgramBuilder } from '../../src/models/program/program-builder.js';
import type { Recording } from '../../src/models/recording.js';
import { Random } from '../../src/testing/random.js';

const SEED = 20261123;
/** Bytes of a report for each direct call, and sites for each method, as in the largest real one (88.9 MB, 46,009 methods). */
const SITES_A_METHOD = 3.3;
const BYTES_A_SITE = 585;
const METHODS = 200_000;
const LEVELS = 12;
const ENTRIES = 1600;
const WORDS =
  'get set is add remove put find read write open close parse build make copy map list tree node entry value name type class method field'.split(
    ' ',
  );
const TYPES = [
  'java.lang.String',
  'int',
  'java.lang.Object',
  'byte[]',
  'java.util.Map',
  'boolean',
  'long',
  'java.util.List',
];

/** A call graph with about as many lines as a report of `bytes` has. */
export function madeGraph(bytes: number): Recording {
  const random = new Random(SEED);
  const sites = Math.ceil(bytes / BYTES_A_SITE);
  const methods = Math.min(METHODS, Math.ceil(sites / SITES_A_METHOD));
  const program = new ProgramBuilder();
  const name = (text: string) => program.name(text);
  const word = (): string => WORDS[random.below(WORDS.length)] ?? '';
  const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
  const loaders = ['null', 'app', 'platform', 'com.oracle.svm.hosted.NativeImageClassLoader'].map(name);
  for (let id = 0; id < methods; id++) {
    const holder = Math.floor(id / 5);
    const holderName = `com.example.${WORDS[holder % 7]}.${WORDS[holder % 23]}.${capital(WORDS[holder % 19] ?? '')}${capital(WORDS[holder % 11] ?? '')}Service${holder}`;
    const types = Array.from({ length: random.below(4) }, () => descriptor(TYPES[random.below(TYPES.length)] ?? 'int'));
    const type = program.class(name(holderName), loaders[holder % loaders.length]);
    const own = name(`${word()}${capital(word())}${id}`);
    program.function(type, own, undefined, name(`(${types.join('')})${descriptor(TYPES[id % TYPES.length] ?? 'int')}`));
  }
  const graph = new CallGraphBuilder(methods, { counts: false });
  const near = Math.max(4, Math.floor(methods / LEVELS));
  const callee = (caller: number): number =>
    random.below(5) === 0 ? random.below(caller + 1) : Math.min(methods - 1, caller + 1 + random.below(near));
  for (let entry = 0; entry < Math.min(ENTRIES, methods); entry++) graph.entry(entry, 'root method');
  for (let site = 0; site < sites; site++) {
    // Each method has calls, in the order of the methods.
    const caller = Math.floor((site / sites) * methods);
    graph.bci(random.below(400));
    if (random.below(3) > 0) graph.target(graph.siteAt(caller, 'direct'), callee(caller), 'reported');
    else addVirtual(graph, caller, () => callee(caller), random);
  }
  return {
    name: 'made',
    format: 'made',
    metadata: [],
    sections: [],
    program: program.finish(),
    callGraph: graph.finish(false),
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
  };
}

function addVirtual(graph: CallGraphBuilder, caller: number, callee: () => number, random: Random): void {
  const kind = random.below(100);
  const targets = kind < 3 ? 0 : kind < 72 ? 1 : kind < 94 ? 2 + random.below(15) : 20 + random.below(80);
  const first = callee();
  const site = graph.siteAt(caller, 'virtual', first);
  for (let i = 0; i < targets; i++) graph.target(site, i === 0 ? first : callee(), 'reported');
}

const DESCRIPTORS: Readonly<Record<string, string>> = { int: 'I', boolean: 'Z', long: 'J', 'byte[]': '[B' };
function descriptor(type: string): string {
  return DESCRIPTORS[type] ?? `L${type.replaceAll('.', '/')};`;
}

/** Writes the report of such a graph to `output`. */
export function generate(output: string, bytes: number): void {
  writeChunks(output, writeCallTree(madeGraph(bytes)).chunks);
}

/** The tables of a report in `folder`, the one to open first. */
export function tablesIn(folder: string): string[] {
  return Object.keys(THREE_TABLES).map((table) => join(folder, `call_tree_${table}_made_20261123_101010.csv`));
}

/** Writes the tables of the graph whose text has `bytes`. */
export async function generateTables(folder: string, bytes: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { parts } = await writeCallTreeSet(madeGraph(bytes), { version: '24.1' });
  for (const [i, chunks] of [...parts.values()].entries()) writeChunks(tablesIn(folder)[i] ?? '', chunks);
}

function writeChunks(output: string, chunks: Iterable<Uint8Array>): void {
  const file = openSync(output, 'w');
  try {
    for (const chunk of chunks) writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [output = '', megabytes = '35'] = process.argv.slice(2);
  if (output.endsWith('.txt')) generate(output, Number(megabytes) * 1e6);
  else await generateTables(output, Number(megabytes) * 1e6);
}
