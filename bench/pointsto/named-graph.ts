/** Call graphs by the names of their methods, of peers and of our own analysis. */
import { readFileSync } from 'node:fs';
import { descriptorOf } from '../../src/code/java/class-file/descriptor.js';
import { className, functionName } from '../../src/models/program/names.js';
import type { Program } from '../../src/models/program/program.js';
import type { Recording } from '../../src/models/recording.js';

export interface NamedGraph {
  readonly methods: ReadonlySet<string>;
  /** By caller. */
  readonly callees: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Our own graph, with what the causes of differences need. */
export interface OwnGraph extends NamedGraph {
  /** Methods that other entries lead to, too. */
  readonly all: ReadonlySet<string>;
  /** By caller: names with descriptors that its calls declare. */
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The file of a peer: `M method` and `E caller callee` a line. */
export function peerGraph(path: string): NamedGraph {
  const methods = new Set<string>();
  const callees = new Map<string, Set<string>>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [kind, caller = '', callee = ''] = line.split(' ');
    if (kind === 'M') methods.add(caller);
    if (kind === 'E') add(callees, caller, callee);
  }
  return { methods, callees };
}

/** What these methods lead to; other entries count only for `all`. */
export function ownGraph({ program, callGraph }: Recording, entries: readonly string[]): OwnGraph {
  if (callGraph === undefined) throw new Error('no call graph');
  const names = Array.from({ length: program.functions.length }, (_, id) => methodName(program, id));
  const { sites, targets } = callGraph;
  const edges = new Map<string, Set<string>>();
  const declared = new Map<string, Set<string>>();
  for (let row = 0; row < targets.length; row++)
    add(edges, names[sites.caller[targets.site[row] ?? -1] ?? -1] ?? '', names[targets.callee[row] ?? -1] ?? '');
  for (let site = 0; site < sites.length; site++) {
    const name = names[sites.declared[site] ?? -1];
    if (name !== undefined) add(declared, names[sites.caller[site] ?? -1] ?? '', selectorOf(name));
  }
  const methods = new Set(entries);
  for (const method of methods) for (const callee of edges.get(method) ?? []) methods.add(callee);
  const callees = new Map([...edges].filter(([caller]) => methods.has(caller)));
  return { methods, callees, declared, all: new Set(Array.from(callGraph.methods, (id) => names[id] ?? '')) };
}

/** `equals:(Ljava/lang/Object;)Z` */
export function selectorOf(method: string): string {
  return method.slice(method.slice(0, method.indexOf(':')).lastIndexOf('.') + 1);
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}

/** As the JVM has it: `java/lang/Object.equals:(Ljava/lang/Object;)Z`. */
function methodName(program: Program, id: number): string {
  const { functions } = program;
  const types = functions.signature.subarray(functions.signatureStart[id], functions.signatureStart[id + 1]);
  const [result = 'V', ...parameters] = Array.from(types, (type) => descriptorOf(className(program, type)));
  const owner = className(program, functions.class[id] ?? -1);
  const name = functionName(program, id).slice(owner.length);
  return `${owner.replaceAll('.', '/')}${name}:(${parameters.join('')})${result}`;
}
