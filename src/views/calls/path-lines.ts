/** The lines of paths through a call graph: a method a line, below the one that calls it, with how it does. */
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { NONE } from '../../base/flavor.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { HANDLE, maybeText, text } from '../listing.js';
import { bciText, callText, entryText, factoryText } from './choice.js';

/** What each line of a path has, beside the number of the path. */
export const PATH_FIELDS = {
  at: maybeText('BCI', 'bytecode index of the call in the method above, the innermost inlined position first'),
  call: text('Call', 'how the method above calls this one; of the first, why it is an entry'),
  method: text('Method', 'class, method and parameter types'),
  handle: HANDLE,
};

/** A method on a path, and the row of targets that calls it: none of the first. */
export interface PathLine {
  readonly path: number;
  readonly target: number;
  readonly method: FunctionId;
}

/** The lines of a path. `calls`: rows of targets, from the start on. */
export function pathLines(
  { targets }: CallGraph,
  path: number,
  { start, calls }: { readonly start: FunctionId; readonly calls: readonly number[] },
): PathLine[] {
  return [
    { path, target: NONE, method: start },
    ...calls.map((target) => ({ path, target, method: targets.callee[target] })),
  ];
}

/** The cells of lines, for each of `PATH_FIELDS` and the number of the path. */
export function pathCells(program: Program, graph: CallGraph, lines: readonly PathLine[]) {
  return {
    path: (i: number) => lines[i].path,
    at: (i: number) => (lines[i].target < 0 ? null : bciText(graph, graph.targets.site[lines[i].target])),
    call: (i: number) =>
      lines[i].target < 0
        ? `${entryText(graph, lines[i].method)}${factoryText(program, lines[i].method)}`
        : callText(program, graph, lines[i].target),
    method: (i: number) => functionSignature(program, lines[i].method),
    handle: (i: number) => functionHandle(program, lines[i].method),
  };
}
