/**
 * Joins the names of several programs into one table, independent of the order of the programs: each name once, sorted
 * by its bytes. Cost: one pass over the names, 30 to 60 bytes a distinct name while it runs.
 */
import { mapped } from '../../base/marks.js';
import type { StringTable } from '../../base/text.js';
import type { Program } from '../../models/program/program.js';
import { sharedNames } from '../identity/distinct.js';

export interface JoinedNames {
  readonly names: StringTable;
  /** For each program: its StringId → the joined one. */
  readonly rows: readonly Int32Array[];
}

export function joinNames(programs: readonly Program[]): JoinedNames {
  const { names: shared, rows } = sharedNames(programs);
  const { bytes, offsets } = { bytes: shared.bytes.finish(), offsets: shared.offsets.finish() };
  // One character a byte: texts sort in the order of their bytes, also if they are not UTF-8.
  const latin = new TextDecoder('latin1');
  const texts = Array.from({ length: shared.length }, (_, id) =>
    latin.decode(bytes.subarray(offsets[id], offsets[id + 1])),
  );
  const order = texts.map((_, id) => id).sort((a, b) => ((texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1));
  const rank = new Int32Array(order.length);
  const sorted = { bytes: new Uint8Array(bytes.length), offsets: new Int32Array(order.length + 1) };
  let at = 0;
  order.forEach((id, row) => {
    rank[id] = row;
    sorted.bytes.set(bytes.subarray(offsets[id], offsets[id + 1]), at);
    at += offsets[id + 1] - offsets[id];
    sorted.offsets[row + 1] = at;
  });
  return { names: sorted, rows: rows.map((ids) => mapped(ids, rank)) };
}
