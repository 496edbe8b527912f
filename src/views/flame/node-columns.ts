/** The nodes of a flame graph as columns that travel as base64. */
import type { NodeColumns } from '../../analysis/flame/flame-nodes.js';
import { PackedColumn } from '../../base/base64.js';

export function packedNodes({ length, mode, base, ...columns }: NodeColumns) {
  return {
    length,
    encoding: 'base64-le' as const,
    parent: new PackedColumn(columns.parent),
    function: new PackedColumn(columns.function),
    mode: mode === undefined ? null : new PackedColumn(mode),
    begins: new PackedColumn(columns.begins),
    self: new PackedColumn(columns.self),
    total: new PackedColumn(columns.total),
    base_self: base === undefined ? null : new PackedColumn(base.self),
    base_total: base === undefined ? null : new PackedColumn(base.total),
  };
}
