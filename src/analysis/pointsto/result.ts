/** The call graph and the program that an analysis found, in the models that reports of GraalVM have, too. */
import { encodeUtf8 } from '../../base/text.js';
import { binaryName } from '../../code/java/class-file/descriptor.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Engine } from './engine.js';
import type { MethodId } from './methods.js';

export interface AnalysedProgram {
  readonly program: Program;
  readonly callGraph: CallGraph;
}

/** Methods in the order in which they were reached, sites in the order of their code. */
export function analysedProgram(engine: Engine): AnalysedProgram {
  const builder = new ProgramBuilder();
  const functions = new FunctionNames(engine, builder);
  const graph = new CallGraphBuilder(engine.reached.size, { counts: false });
  for (const method of engine.reached) graph.method(functions.of(method));
  for (const { method, reason } of engine.entries) graph.entry(functions.of(method), reason);
  addSites(engine, functions, graph);
  const callGraph = graph.finish(false);
  return { program: builder.finish(), callGraph };
}

function addSites({ sites, sharedCalls }: Engine, functions: FunctionNames, graph: CallGraphBuilder): void {
  const [caller, bci, declared, isVirtual, shared] = [
    sites.caller.finish(),
    sites.bci.finish(),
    sites.declared.finish(),
    sites.isVirtual.finish(),
    sites.shared.finish(),
  ];
  for (let site = 0; site < sites.length; site++) {
    const kind = isVirtual[site] === 1 ? 'virtual' : 'direct';
    graph.site(functions.of(caller[site]), [bci[site]], kind, functions.of(declared[site]));
  }
  const isLinked = (site: number, callee: MethodId): boolean => sites.targets.find(site, callee) >= 0;
  for (let target = 0; target < sites.targets.length; target++)
    graph.target(sites.targets.key(target, 0), functions.of(sites.targets.key(target, 1)), 'derived');
  for (let site = 0; site < sites.length; site++) {
    if (shared[site] < 0) continue;
    for (const callee of sharedCalls[shared[site]].callees)
      if (!isLinked(site, callee)) graph.target(site, functions.of(callee), 'derived');
  }
}

/** The functions of methods: names are written once. */
class FunctionNames {
  readonly #engine: Engine;
  readonly #builder: ProgramBuilder;
  readonly #functions: (FunctionId | undefined)[] = [];
  readonly #classes: (number | undefined)[] = [];

  constructor(engine: Engine, builder: ProgramBuilder) {
    this.#engine = engine;
    this.#builder = builder;
  }

  of(method: MethodId): FunctionId {
    const existing = this.#functions[method];
    if (existing !== undefined) return existing;
    const { types, methods } = this.#engine;
    const { owner } = methods.entry(method);
    const { name, descriptor } = methods.selectorOf(method);
    this.#classes[owner] ??= this.#builder.class(this.#name(binaryName(types.name(owner))));
    const id = this.#builder.function(this.#classes[owner], this.#name(name), -1, this.#name(descriptor));
    this.#functions[method] = id;
    return id;
  }

  #name(text: string): number {
    const bytes = encodeUtf8(text);
    return this.#builder.names.add(bytes, 0, bytes.length);
  }
}
