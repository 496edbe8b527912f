/** `calls why`: why a method is reachable: the shortest path from an entry through each of its callers. */
import { z } from 'zod';
import { callerOf } from '../../analysis/callgraph/reach.js';
import { pathsThrough, type ReachedGraph, ShortestPaths } from '../../analysis/callgraph/shortest-paths.js';
import { reachedGraphUse } from '../../analysis/callgraph/stages.js';
import { taken } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { WHY_OPTIONS } from '../../questions/options/calls.js';
import { columnsOf, common, listingShape, number, range } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { chosenMethods, chosenText, marksOf } from './choice.js';
import { PATH_FIELDS, type PathLine, pathCells, pathLines } from './path-lines.js';

const row = z.object({
  path: number('Path', 'count', 'number of the path; each has another last caller'),
  ...PATH_FIELDS,
});

export const whyView = defineView({
  name: 'calls-why',
  version: 1,
  title: 'Why a method is reachable',
  options: WHY_OPTIONS,
  shape: {
    ...listingShape(row),
    methods: z.array(z.string()).describe('the methods asked for, 100 at most'),
    calls: z.number().nullable().describe('calls on the shortest path; null if there is none'),
    paths: z.number().describe('paths in all: one for each last caller, and one if a method is an entry itself'),
  },
  refuses: ['sort'],
  needs: (input) => ({ graph: reachedGraphUse(input.subject) }),
  answer: async (input, options, { graph }) => {
    const { program } = input.recording;
    const { chosen, search, ends, count } = await input.kept('paths', bytesOfSearch, () => {
      const chosen = chosenMethods(input, options.method);
      const search = new PathSearch(input, graph, chosen, options);
      return { chosen, search, ...search.ends(options.paths) };
    });
    const { offset, limit } = input.page;
    const lines = search.linesOf(ends, offset, limit === 0 ? Number.POSITIVE_INFINITY : limit);
    const methodText = chosenText(program, chosen, options.method);
    const more = count - ends.length;
    return {
      ...common(input, [
        ...(count === 0 ? [note('no-path', `No entry reaches ${methodText}${search.limits}.`)] : []),
        ...(more > 0 ? [moreCallers(more)] : []),
      ]),
      methods: chosen.slice(0, 100).map((id) => functionSignature(program, id)),
      calls: ends.length === 0 ? null : search.callsOf(ends[0]),
      paths: count,
      columns: columnsOf(row),
      total: ends.reduce((sum, end) => sum + search.callsOf(end) + 1, 0),
      offset,
      rows: search.rowsOf(lines),
    };
  },
});

/** The methods asked for, and the searches over those that are reached. */
function bytesOfSearch({ chosen, search }: { readonly chosen: readonly FunctionId[]; readonly search: PathSearch }) {
  return 8 * chosen.length + search.bytes;
}

class PathSearch {
  readonly limits: string;
  readonly #program: Program;
  readonly #graph: ReachedGraph;
  readonly #chosen: readonly FunctionId[];
  /** The methods asked for: 1 for each. */
  readonly #isChosen: Uint8Array;
  /** From the entries; with `via`, up to the methods it names, and all the way through them. */
  readonly #first: ShortestPaths;
  readonly #second: ShortestPaths | undefined;
  /** The functions that paths reach and that call one of the methods asked for. */
  readonly #callers: readonly FunctionId[];

  constructor(
    input: ViewInput,
    graph: ReachedGraph,
    chosen: readonly FunctionId[],
    { via, notVia }: { readonly via?: string | undefined; readonly notVia?: string | undefined },
  ) {
    this.#program = input.recording.program;
    this.#graph = graph;
    this.#chosen = chosen;
    this.#isChosen = marksOf(chosen, graph.index.functions);
    this.limits = `${via === undefined ? '' : ` via ${via}`}${notVia === undefined ? '' : ` without ${notVia}`}`;
    // The methods asked for are ends of paths, never on their way.
    const avoided = this.#isChosen.slice();
    if (notVia !== undefined) for (const id of chosenMethods(input, notVia)) avoided[id] = AVOIDED;
    if (chosen.every((id) => avoided[id] === AVOIDED))
      throw new UsageError('the methods to avoid contain the method asked for', { code: 'options-exclude' });
    const blocked = avoided.map((mark) => (mark === 0 ? 0 : 1));
    const knownCallers = via === undefined && notVia === undefined ? this.#knownCallers() : undefined;
    if (knownCallers !== undefined) {
      this.#first = ShortestPaths.fromEntries(graph);
      this.#callers = knownCallers;
      return;
    }
    this.#first = ShortestPaths.search(graph, graph.index.graph.entries.function, blocked);
    if (via !== undefined) {
      const through = chosenMethods(input, via).filter((id) => this.#first.reaches(id));
      this.#second = ShortestPaths.search(graph, through, blocked, this.#first.distance);
    }
    this.#callers = this.#callersOn(this.#second ?? this.#first);
  }

  /** The callers, if no method asked for is on their paths from the entries, so that these need no other search. */
  #knownCallers(): FunctionId[] | undefined {
    if (this.#chosen.length > MANY) return undefined;
    const callers = this.#callersOn(ShortestPaths.fromEntries(this.#graph));
    const through = pathsThrough(this.#graph, this.#isChosen);
    const others = callers.filter((caller) => this.#isChosen[caller] === 0);
    return others.some((caller) => through[this.#graph.numbers[caller]] === 1) ? undefined : others;
  }

  /**
   * The ends of the shortest paths, one for each caller, and one for each entry among the methods asked for: how many there are, and the
   * `most` shortest ones (0 for all), in order. An end is a row of targets, or `~method` of an entry.
   */
  ends(most: number): { readonly ends: readonly number[]; readonly count: number } {
    const ends: number[] = [];
    if (this.#second === undefined)
      for (const method of new Set(this.#graph.index.graph.entries.function))
        if (this.#isChosen[method] === 1) ends.push(~method);
    const callers = this.#callers;
    const count = ends.length + callers.length;
    const paths = this.#second ?? this.#first;
    const left = (most === 0 ? count : most) - ends.length;
    if (left <= 0) return { ends: ends.slice(0, most), count };
    const lengths = callers.map((caller) => paths.distanceTo(caller));
    const cut = longestOf(lengths, left);
    const near = callers.flatMap((caller) => (paths.distanceTo(caller) <= cut ? [this.#callFrom(caller)] : []));
    near.sort((a, b) => this.callsOf(a) - this.callsOf(b) || a - b);
    return { ends: [...ends, ...near.slice(0, left)], count };
  }

  /** Distances, parents and marks of the methods, and the callers. */
  get bytes(): number {
    const { functions, index } = this.#graph;
    return 16 * functions.length + index.functions + 8 * this.#callers.length;
  }

  #callersOn(paths: ShortestPaths): FunctionId[] {
    const { index, functions, first, callees } = this.#graph;
    const { callers: into, graph } = index;
    const calls = this.#chosen.reduce((sum, id) => sum + into.first[id + 1] - into.first[id], 0);
    const callers: FunctionId[] = [];
    // Lists of callees lie side by side: reading all takes less time than many rows of calls.
    if (calls * SCATTERED <= callees.length) {
      const isFound = new Uint8Array(index.functions);
      for (const id of this.#chosen)
        for (let at = into.first[id]; at < into.first[id + 1]; at++) {
          const caller = callerOf(graph, into.rows[at]);
          if (isFound[caller] === 1 || !paths.reaches(caller)) continue;
          isFound[caller] = 1;
          callers.push(caller);
        }
      return callers;
    }
    const isChosen = taken(this.#isChosen, functions);
    for (let caller = 0; caller < functions.length; caller++) {
      if (paths.distance[caller] === NONE) continue;
      const end = first[caller + 1];
      let at = first[caller];
      while (at < end && isChosen[callees[at]] === 0) at++;
      if (at < end) callers.push(functions[caller]);
    }
    return callers;
  }

  /** The first row of targets in a function that calls one of the methods asked for. */
  #callFrom(caller: FunctionId): number {
    const { graph, sites: sitesOf } = this.#graph.index;
    const { sites, targets } = graph;
    for (let at = sitesOf.first[caller]; at < sitesOf.first[caller + 1]; at++)
      for (let row = sites.first[sitesOf.rows[at]]; row < sites.first[sitesOf.rows[at] + 1]; row++)
        if (this.#isChosen[targets.callee[row]] === 1) return row;
    return NONE;
  }

  /** The calls on the path to an end. */
  callsOf(end: number): number {
    return end < 0 ? 0 : (this.#second ?? this.#first).distanceTo(callerOf(this.#graph.index.graph, end)) + 1;
  }

  /** The lines from `offset` on of the paths to these ends. */
  linesOf(ends: readonly number[], offset: number, limit: number): PathLine[] {
    const lines: PathLine[] = [];
    let before = 0;
    for (const [i, end] of ends.entries()) {
      const firstLine = before;
      before += this.callsOf(end) + 1;
      if (before <= offset) continue;
      if (firstLine >= offset + limit) break;
      lines.push(...this.#linesOfPath(end, i + 1).slice(Math.max(0, offset - firstLine), offset + limit - firstLine));
    }
    return lines;
  }

  #linesOfPath(end: number, path: number): PathLine[] {
    const { graph } = this.#graph.index;
    if (end < 0) return pathLines(graph, path, { start: ~end, calls: [] });
    const calls = [...this.#callsTo(callerOf(graph, end)), end];
    return pathLines(graph, path, { start: callerOf(graph, calls[0] ?? end), calls });
  }

  rowsOf(lines: readonly PathLine[]) {
    return rowsOfCells(pathCells(this.#program, this.#graph.index.graph, lines), range(0, lines.length));
  }

  #callsTo(caller: FunctionId): number[] {
    if (this.#second === undefined) return this.#first.pathTo(caller).calls;
    const { start, calls } = this.#second.pathTo(caller);
    return [...this.#first.pathTo(start).calls, ...calls];
  }
}

/** The mark of a method that paths must not enter, though it may be asked for. */
const AVOIDED = 2;

/** Of so many methods, some are nearly always on the paths to callers of others. */
const MANY = 100;

/** Reading a row of calls by its number costs about as much as so many callees in their order. */
const SCATTERED = 40;

/** The length of the last of the `most` shortest paths. */
function longestOf(lengths: readonly number[], most: number): number {
  const counts: number[] = [];
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  let sum = 0;
  const endPlace = counts.findIndex((count = 0) => {
    sum += count;
    return sum >= most;
  });
  return endPlace < 0 ? Number.POSITIVE_INFINITY : endPlace;
}

function moreCallers(count: number): Note {
  return note(
    'more-paths',
    phrase`${plural(count, 'more caller')} of it can be reached: ${theOption('paths', { value: 0 })} shows a path through each.`,
    { action: { set: { paths: 0 } } },
  );
}
