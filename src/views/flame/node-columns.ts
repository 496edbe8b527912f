/** The nodes of a tree as columns that travel as base64. */
import type { LabelledTree } from '../../analysis/stacks/level-order.js';
import { PackedColumn } from '../../base/base64.js';
import { mapped, taken } from '../../base/columns/marks.js';

/** Where each of `length` nodes is in the order; -1 for those that are not. */
export function placesOf(order: Int32Array, length: number): Int32Array {
  const place = new Int32Array(length).fill(-1);
  for (let i = 0; i < order.length; i++) place[order[i]] = i;
  return place;
}

/** The nodes of a tree in the given order, as the columns of a result; functions are its labels. */
export function nodeColumns(tree: LabelledTree, order: Int32Array, place: Int32Array) {
  const column = (values: Float64Array) => new PackedColumn(taken(values, order));
  const { mode, base } = tree;
  return {
    length: order.length,
    encoding: 'base64-le' as const,
    parent: new PackedColumn(mapped(taken(tree.parent, order), place)),
    function: new PackedColumn(taken(tree.label, order)),
    mode: mode === undefined ? null : new PackedColumn(Int8Array.from(order, (node) => mode[node])),
    begins: new PackedColumn(Int8Array.from(order, (node) => tree.ending[node])),
    self: column(tree.self),
    total: column(tree.total),
    base_self: base === undefined ? null : column(base.self),
    base_total: base === undefined ? null : column(base.total),
  };
}
