/** `calls why`: why a method is reachable: the shortest path from an entry through each of its callers. */
import { z } from 'zod';
import { type CallIndex, callerOf, pathTo, type Reach, reachFrom } from '../../analysis/callgraph/reach.js';
import { callIndexUse, reachUse } from '../../analysis/callgraph/stages.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { plural } from '../../base/units.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { columnsOf, common, listingShape, maybeText, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { bciText, callText, chosenMethods, chosenText, entryReasons, marksOf, requireGraph } from './choice.js';

const row = z.object({
  path: number('Path', 'count', 'number of the path; each has another last caller'),
  at: maybeText('BCI', 'bytecode index of the call in the method above, the innermost inlined position first'),
  call: text('Call', 'how the method above calls this one; of the first, why it is an entry'),
  method: text('Method', 'class, method and parameter types'),
});

export const whyView = defineView({
  name: 'calls-why',
  version: 1,
  title: 'Why a method is reachable',
  options: z.object({
    method: z.string(),
    /** Only paths through these methods. */
    via: z.string().optional(),
    /** Only paths that avoid these methods. */
    notVia: z.string().optional(),
    /** Number of paths in the rows; 0 for all. */
    paths: z.number().int().min(0).default(1),
  }),
  shape: {
    ...listingShape(row),
    methods: z.array(z.string()).describe('the methods asked for, 100 at most'),
    calls: z.number().nullable().describe('calls on the shortest path; null if there is none'),
    paths: z.number().describe('paths in all: one for each last caller, and one if a method is an entry itself'),
  },
  refuses: ['sort'],
  needs: (input) => ({ index: callIndexUse(input.subject), reach: reachUse(input.subject) }),
  answer: (input, options, { index, reach }) => {
    const { program } = input.recording;
    const chosen = chosenMethods(input, options.method);
    const search = new PathSearch(input, { index, reach }, chosen, options);
    const paths = search.paths();
    const shown = options.paths === 0 ? paths : paths.slice(0, options.paths);
    const rows = shown.flatMap((path, i) => search.rowsOf(path, i + 1));
    const { offset, limit } = input.page;
    const what = chosenText(program, chosen, options.method);
    const more = paths.length - shown.length;
    return {
      ...common(input, [
        ...(paths.length === 0 ? [`No entry reaches ${what}${search.limits}.`] : []),
        ...(more > 0
          ? [`${plural(more, 'more caller')} of it can be reached: --paths 0 shows a path through each.`]
          : []),
      ]),
      methods: chosen.slice(0, 100).map((id) => functionSignature(program, id)),
      calls: paths[0]?.length ?? null,
      paths: paths.length,
      columns: columnsOf(row),
      total: rows.length,
      offset,
      rows: rows.slice(offset, limit === 0 ? undefined : offset + limit),
    };
  },
});

/** The end of a path: a row of targets, or -1 if the method is an entry. */
interface Path {
  readonly method: FunctionId;
  readonly last: number;
  readonly length: number;
}

class PathSearch {
  readonly limits: string;
  readonly #input: ViewInput;
  readonly #program: Program;
  readonly #index: CallIndex;
  readonly #chosen: readonly FunctionId[];
  /** From the entries; with `via`, up to the methods it names, and from them on. */
  readonly #first: Reach;
  readonly #second: Reach | undefined;

  constructor(
    input: ViewInput,
    { index, reach }: { readonly index: CallIndex; readonly reach: Reach },
    chosen: readonly FunctionId[],
    { via, notVia }: { readonly via?: string | undefined; readonly notVia?: string | undefined },
  ) {
    this.#input = input;
    this.#program = input.recording.program;
    this.#index = index;
    this.#chosen = chosen;
    const { functions, graph } = index;
    const avoided = notVia === undefined ? undefined : marksOf(chosenMethods(input, notVia), functions);
    if (avoided !== undefined && chosen.every((id) => avoided[id] === 1))
      throw new UsageError('the methods to avoid contain the method asked for');
    this.limits = `${via === undefined ? '' : ` via ${via}`}${notVia === undefined ? '' : ` without ${notVia}`}`;
    if (via === undefined && avoided === undefined && isFree(index, reach, chosen)) {
      this.#first = reach;
      return;
    }
    // The methods asked for are ends of paths, never on their way.
    const blocked = marksOf(chosen, functions);
    for (let id = 0; id < functions; id++) if (avoided?.[id] === 1) blocked[id] = 1;
    this.#first = reachFrom(index, graph.entries.function, { methods: blocked });
    if (via !== undefined) {
      const through = chosenMethods(input, via).filter((id) => this.#first.by[id] !== NONE);
      through.sort((a, b) => this.#first.distance[a] - this.#first.distance[b] || a - b);
      this.#second = reachFrom(index, through, { methods: blocked });
    }
  }

  /** The shortest path for each distinct caller, the shortest first. */
  paths(): Path[] {
    const { graph, callers } = this.#index;
    const reach = this.#second ?? this.#first;
    const byCaller = new Map<FunctionId, Path>();
    const paths: Path[] = [];
    const isEntry = marksOf(graph.entries.function, this.#index.functions);
    for (const method of this.#chosen) {
      if (isEntry[method] === 1 && this.#second === undefined) paths.push({ method, last: NONE, length: 0 });
      for (let at = callers.first[method]; at < callers.first[method + 1]; at++) {
        const last = callers.rows[at];
        const caller = callerOf(graph, last);
        if (reach.by[caller] === NONE || byCaller.has(caller)) continue;
        byCaller.set(caller, { method, last, length: this.#lengthTo(caller) + 1 });
      }
    }
    return [...paths, ...byCaller.values()].sort((a, b) => a.length - b.length || a.last - b.last);
  }

  #lengthTo(caller: FunctionId): number {
    if (this.#second === undefined) return this.#first.distance[caller];
    const { start } = pathTo(this.#index, this.#second, caller);
    return this.#second.distance[caller] + this.#first.distance[start];
  }

  rowsOf({ method, last }: Path, number: number): z.input<typeof row>[] {
    const { graph } = this.#index;
    const calls = last < 0 ? [] : [...this.#callsTo(callerOf(graph, last)), last];
    const start = calls.length === 0 ? method : callerOf(graph, calls[0] ?? -1);
    const reasons = entryReasons(requireGraph(this.#input), start);
    const entry = reasons.length === 0 ? 'entry' : `entry: ${reasons.join('; ')}`;
    return [
      { path: number, at: null, call: entry, method: functionSignature(this.#program, start) },
      ...calls.map((target) => ({
        path: number,
        at: bciText(graph, graph.targets.site[target]),
        call: callText(this.#program, graph, target),
        method: functionSignature(this.#program, graph.targets.callee[target]),
      })),
    ];
  }

  #callsTo(caller: FunctionId): number[] {
    if (this.#second === undefined) return pathTo(this.#index, this.#first, caller).calls;
    const { start, calls } = pathTo(this.#index, this.#second, caller);
    return [...pathTo(this.#index, this.#first, start).calls, ...calls];
  }
}

/**
 * Whether no shortest path to a caller of the chosen methods leads through one of them, so that a search that does not enter them has the
 * same paths.
 */
function isFree({ graph, functions, callers }: CallIndex, { by }: Reach, chosen: readonly FunctionId[]): boolean {
  const isChosen = marksOf(chosen, functions);
  // By function: 1 if its path is known to have no chosen method.
  const known = new Uint8Array(functions);
  const way: FunctionId[] = [];
  for (const method of chosen)
    for (let row = callers.first[method]; row < callers.first[method + 1]; row++) {
      let at = callerOf(graph, callers.rows[row]);
      if (by[at] === NONE) continue;
      way.length = 0;
      while (known[at] === 0 && isChosen[at] === 0 && by[at] >= 0) {
        way.push(at);
        at = callerOf(graph, by[at]);
      }
      if (isChosen[at] === 1) return false;
      for (const passed of way) known[passed] = 1;
      known[at] = 1;
    }
  return true;
}
