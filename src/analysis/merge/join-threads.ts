/** Joins the threads of several recordings: threads with the same name and numbers are one. */
import { NONE } from '../../base/flavor.js';
import { TID } from '../../models/profile/tables.js';
import { columnOf, type Field, type Table } from '../../models/table.js';

export interface JoinedThreads {
  readonly table: Table | undefined;
  /** For each input: its threads → joined threads. */
  readonly rows: readonly Int32Array[];
}

/** `names`: the input's names → joined names. Values of a single run (times, addresses) are left out. */
export function joinThreads(
  inputs: readonly { readonly threads: Table | undefined; readonly names: Int32Array | undefined }[],
): JoinedThreads {
  const tables = inputs.flatMap(({ threads }) => threads ?? []);
  const [first] = tables;
  if (first === undefined) return { table: undefined, rows: inputs.map(() => new Int32Array(0)) };
  const fields = first.fields.filter(
    (field) => isKey(field) && tables.every((table) => columnOf(table, field) !== undefined),
  );
  const read = fields.map((field) => (row: number, threads: Table, names: Int32Array | undefined): number => {
    const value = columnOf(threads, field)?.[row] ?? NONE;
    return field.holds === 'string' && value >= 0 ? (names?.[value] ?? NONE) : value;
  });
  const distinct = new Map<string, readonly number[]>();
  const keys = inputs.map(({ threads, names }) =>
    Array.from({ length: threads?.length ?? 0 }, (_, row) => {
      const values = threads === undefined ? [] : read.map((each) => each(row, threads, names));
      distinct.set(values.join(), values);
      return values.join();
    }),
  );
  const order = [...distinct].sort(([, a], [, b]) => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return (a[at] ?? 0) - (b[at] ?? 0);
  });
  const rank = new Map(order.map(([key], row) => [key, row]));
  const columns = fields.map(({ key, wide }, i) => {
    const values = order.map(([, all]) => all[i] ?? NONE);
    return [key, wide === true ? Float64Array.from(values) : Int32Array.from(values)] as const;
  });
  return {
    table: { kind: first.kind, title: first.title, length: order.length, fields, columns: Object.fromEntries(columns) },
    rows: keys.map((list) => Int32Array.from(list, (key) => rank.get(key) ?? NONE)),
  };
}

/**
 * Whether a field identifies a thread: names, and the number that belongs to the name if stacks are texts. All other
 * numbers are those of one run.
 */
function isKey({ key, holds }: Field): boolean {
  return holds === 'string' || key === TID.key;
}
