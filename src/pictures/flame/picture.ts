/**
 * A flame result as front ends draw it: its columns with a node above all roots.
 *
 *   depth 0   all                          node 0 is the whole; node i + 1 is node i of the result
 *   depth 1   main        worker           children of node n: first[n] ≤ child < first[n + 1]
 *   depth 2   get  put    run              nodes of depth d:   levels[d] ≤ node < levels[d + 1]
 *
 * 45 bytes a node; no object a node.
 */
import { float64Values, int8Values, int32Values, type Packed } from '../../base/base64.js';
import { printable } from '../../base/text.js';
import { formatValue, type Unit } from '../../base/units.js';
import type { ResultOf } from '../../views/index.js';

export type FlameResult = ResultOf<'flame'>;

export interface FlamePicture {
  readonly length: number;
  /** Number of levels, including that of node 0. */
  readonly depth: number;
  readonly parent: Int32Array;
  readonly first: Int32Array;
  readonly levels: Int32Array;
  /** Index into `names`, `packageOf`, `kindOf`; -1 for node 0. */
  readonly function: Int32Array;
  /** Index into `endings`, -1 if no stack begins here. */
  readonly begins: Int8Array;
  /** Index into `modes`, -1 for several; undefined if unknown. */
  readonly mode: Int8Array | undefined;
  readonly self: Float64Array;
  readonly total: Float64Array;
  readonly base?: { readonly recording: string; readonly self: Float64Array; readonly total: Float64Array };
  /** Names without control characters, safe to show. */
  readonly names: readonly string[];
  readonly packages: readonly string[];
  /** Packages with a colour of their own, the same for all graphs of a recording. */
  readonly mainPackages: readonly string[];
  readonly packageOf: readonly number[];
  readonly kinds: readonly string[];
  readonly kindOf: readonly number[];
  readonly endings: readonly string[];
  readonly modes: readonly string[];
  /** Where each node begins, in units of the metric; undefined if siblings are next to each other in any order. */
  readonly start: Float64Array | undefined;
  readonly metric: {
    readonly id: string;
    readonly title: string;
    readonly unit: Unit;
    readonly resolution?: number | undefined;
    readonly sum: number;
    /** In the sum; null if the numbers were not sampled. */
    readonly samples: number | null;
  };
  readonly inverted: boolean;
}

export const ALL = 'all';

/** Throws `RangeError` if the columns do not belong together. */
export function flamePicture(result: FlameResult, start?: Float64Array): FlamePicture {
  const { nodes } = result;
  const length = nodes.length + 1;
  const parent = new Int32Array(length);
  int32Values(nodes.parent).forEach((above, node) => {
    parent[node + 1] = above + 1;
  });
  parent[0] = -1;
  const first = firstChildren(parent);
  const levels = [0];
  for (let from = 0, to = 1; to > from; from = levels.at(-1) ?? to, to = first[from]) levels.push(to);
  const under = <Column extends Int32Array | Int8Array | Float64Array>(column: Column, values: Column, top: number) => {
    if (values.length !== length - 1) throw new RangeError('the columns of the flame graph are not equally long');
    column.set(values, 1);
    column[0] = top;
    return column;
  };
  const numbers = (column: Packed<Float64Array>, top: number): Float64Array =>
    under(new Float64Array(length), float64Values(column), top);
  const base =
    result.base === null
      ? undefined
      : {
          recording: result.base.recording,
          self: numbers(nodes.base_self ?? '', 0),
          total: numbers(nodes.base_total ?? '', result.base.sum),
        };
  return {
    length,
    depth: levels.length - 1,
    parent,
    first,
    levels: Int32Array.from(levels),
    function: under(new Int32Array(length), int32Values(nodes.function), -1),
    begins: under(new Int8Array(length), int8Values(nodes.begins), -1),
    mode: nodes.mode === null ? undefined : under(new Int8Array(length), int8Values(nodes.mode), 0),
    self: numbers(nodes.self, 0),
    total: numbers(nodes.total, result.metric.sum),
    ...(base === undefined ? {} : { base }),
    names: result.functions.name.map(printable),
    packages: result.packages.map(printable),
    mainPackages: result.main_packages.map(printable),
    packageOf: result.functions.package,
    kinds: result.kinds,
    kindOf: result.functions.kind,
    endings: result.endings,
    modes: result.modes,
    start: start && under(new Float64Array(length), start, 0),
    metric: result.metric,
    inverted: result.inverted,
  };
}

/** The first child of each node, and the end of the last one's children: nodes are ordered level by level. */
function firstChildren(parent: Int32Array): Int32Array {
  const first = new Int32Array(parent.length + 1);
  let child = 1;
  for (let node = 0; node < parent.length; node++) {
    first[node] = child;
    while (child < parent.length && parent[child] === node) child++;
  }
  first[parent.length] = child;
  if (child !== parent.length) throw new RangeError('the nodes of the flame graph do not stand level by level');
  return first;
}

export function nameOf(picture: FlamePicture, node: number): string {
  return picture.names[picture.function[node]] ?? ALL;
}

/** A value of the metric with the digits that are known. */
export function valueText({ metric }: FlamePicture, value: number): string {
  return formatValue(value, metric.unit, metric.resolution);
}

export function depthOf(picture: FlamePicture, node: number): number {
  let depth = 0;
  for (let above = picture.parent[node]; above >= 0; above = picture.parent[above]) depth++;
  return depth;
}
