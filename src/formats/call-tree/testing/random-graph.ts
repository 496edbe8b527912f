/** Random call graphs, drawn without the builder's help from the reader: few methods, many equal sites, cycles, methods nobody calls. */
import fc from 'fast-check';
import { CallGraphBuilder } from '../../../models/callgraph/call-graph-builder.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Recording } from '../../../models/recording.js';

interface DrawnCall {
  readonly caller: number;
  readonly bcis: readonly number[];
  /** The declared target of a virtual call; undefined for a direct one. */
  readonly declared: number | undefined;
  readonly targets: readonly number[];
}

export interface DrawnGraph extends Recording {
  readonly methods: number;
  readonly entries: readonly number[];
  readonly calls: readonly DrawnCall[];
  /** The calls in methods that entries reach, as `plainGraph` spells them. */
  reachableCalls(): string[];
}

const bci = fc.oneof(fc.nat(300), fc.integer({ min: -6, max: -1 }));

export function randomGraph(): fc.Arbitrary<DrawnGraph> {
  return fc.integer({ min: 1, max: 12 }).chain((methods) => {
    const method = fc.nat(methods - 1);
    const call = fc.record({
      caller: method,
      bcis: fc.array(bci, { minLength: 1, maxLength: 3 }),
      declared: fc.option(method, { nil: undefined }),
      targets: fc.array(method, { maxLength: 4 }),
    });
    return fc
      .record({
        entries: fc.uniqueArray(method, { minLength: 1 }),
        calls: fc.array(call, { maxLength: 24 }),
        loaders: fc.boolean(),
      })
      .map(({ entries, calls, loaders }) => drawnGraph(methods, entries, calls.map(sound), loaders));
  });
}

/** A direct call has one target. */
function sound(call: DrawnCall): DrawnCall {
  return call.declared === undefined ? { ...call, targets: [call.targets[0] ?? call.caller] } : call;
}

function nameOf(id: number): string {
  return `shop.C${id % 3}.m${id}(${id % 2 === 0 ? '' : 'int, java.lang.String[]'}):void`;
}

/** A graph over methods `shop.C<n>.m<n>`, half of them with parameters. */
export function drawnGraph(
  methods: number,
  entries: readonly number[],
  calls: readonly DrawnCall[],
  loaders: boolean,
): DrawnGraph {
  const program = new ProgramBuilder({ dottedTypes: true });
  const app = loaders ? program.name('app') : -1;
  for (let id = 0; id < methods; id++)
    program.function(
      program.class(program.name(`shop.C${id % 3}`), app),
      program.name(`m${id}`),
      undefined,
      program.name(id % 2 === 0 ? '()V' : '(I[Ljava.lang.String;)V'),
    );
  const graph = new CallGraphBuilder(methods, { counts: false });
  for (const entry of entries) graph.entry(entry, 'root method');
  for (const { caller, bcis, declared, targets } of calls) {
    const site = graph.site(caller, bcis, declared === undefined ? 'direct' : 'virtual', declared);
    for (const target of targets) graph.target(site, target, 'reported');
  }
  const prefix = loaders ? 'app:' : '';
  return {
    name: 'drawn',
    format: 'drawn',
    metadata: [],
    sections: [],
    program: program.finish(),
    callGraph: graph.finish(false),
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
    methods,
    entries,
    calls,
    reachableCalls: () => {
      const reached = reachedBy(entries, calls);
      return calls
        .filter(({ caller }) => reached.has(caller))
        .map(({ caller, bcis, declared, targets }) => {
          const words = declared === undefined ? 'direct' : `virtual ${nameOf(declared)}`;
          return `${prefix}${nameOf(caller)} @${bcis.join('->')} ${words} -> ${targets.map((id) => prefix + nameOf(id)).join('; ')}`;
        })
        .sort();
    },
  };
}

/** By repeated passes over the calls. `without`: methods that are not entered. */
export function reachedBy(
  entries: readonly number[],
  calls: readonly DrawnCall[],
  without: ReadonlySet<number> = new Set(),
): Set<number> {
  const reached = new Set(entries.filter((id) => !without.has(id)));
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { caller, targets } of calls)
      if (reached.has(caller)) for (const id of targets) if (!without.has(id)) reached.add(id);
  }
  return reached;
}
