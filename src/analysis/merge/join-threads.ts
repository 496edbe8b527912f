/** Threads of several recordings: those of one name and the same numbers are one. */
import { NONE } from '../../base/flavor.js';
import { IntTable } from '../../base/hash.js';
import { column, type Field, hasField, type Table } from '../../models/table.js';

export interface JoinedThreads {
  readonly table: Table | undefined;
  /** For each input: its threads → joined threads. */
  readonly rows: readonly Int32Array[];
}

/** `names`: the input's names → joined names. What differs by the run (times, addresses) does not stay. */
export function joinThreads(
  inputs: readonly { readonly threads: Table | undefined; readonly names: Int32Array | undefined }[],
): JoinedThreads {
  const tables = inputs.flatMap(({ threads }) => threads ?? []);
  const [first] = tables;
  if (first === undefined) return { table: undefined, rows: inputs.map(() => new Int32Array(0)) };
  const fields = first.fields.filter((field) => isKey(field) && tables.every((table) => hasField(table, field.key)));
  // Values as a trie: (values before, value).
  const values = new IntTable();
  const rowOf = new IntTable();
  const rows = inputs.map(({ threads, names }) =>
    Int32Array.from({ length: threads?.length ?? 0 }, (_, row) => {
      let node = NONE;
      for (const { key, holds } of fields) {
        const value = threads === undefined ? NONE : column(threads, key)[row];
        node = values.add(node, holds === 'string' && value >= 0 ? (names?.[value] ?? NONE) : value);
      }
      return rowOf.add(node);
    }),
  );
  const [before, value] = [values.column(0), values.column(1)];
  let nodes = rowOf.column(0);
  const lists = fields.map(() => new Int32Array(nodes.length));
  for (const list of [...lists].reverse()) {
    list.set(nodes.map((node) => value[node]));
    nodes = nodes.map((node) => before[node]);
  }
  const order = Int32Array.from(nodes.keys()).sort((a, b) => {
    for (const list of lists) if (list[a] !== list[b]) return list[a] - list[b];
    return 0;
  });
  const rank = new Int32Array(order.length);
  order.forEach((id, row) => {
    rank[id] = row;
  });
  const columns = Object.fromEntries(
    fields.map(({ key }, i) => [key, order.map((id) => lists[i]?.[id] ?? NONE)] as const),
  );
  return {
    table: { kind: first.kind, title: first.title, length: order.length, fields, columns },
    rows: rows.map((ids) => ids.map((id) => rank[id])),
  };
}

function isKey({ holds, wide }: Field): boolean {
  return holds === 'string' || (holds === 'number' && wide !== true);
}
