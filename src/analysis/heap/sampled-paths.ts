/** How sampled old objects are held, as one tree: paths that a recorder wrote for each, merged where they agree. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { OldObjectEvents } from '../../models/events/memory.js';
import type { ReferenceRows } from '../../models/heap/references.js';

/** A tree of columns; nodes above come first. */
export interface SampledPaths {
  readonly length: number;
  /** -1 at a root. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** Row in the references of an object of the node, and how many objects the node has. */
  readonly reference: Int32Array;
  readonly members: Int32Array;
  /** Row of an event whose path goes through the node. */
  readonly event: Int32Array;
  /** Sampled objects at the node and below. */
  readonly objects: Float64Array;
  /** Their bytes, NaN unknown. */
  readonly bytes: Float64Array;
}

export interface SampledObjects {
  readonly events: OldObjectEvents;
  /** Rows of the events. */
  readonly selected: readonly number[];
  readonly references: ReferenceRows;
}

/**
 * `merge`: objects of one class that are held below the same node by the same field are one node; else each object is a node. Costs the
 * length of all paths.
 */
export function sampledPaths({ events, selected, references }: SampledObjects, merge: boolean): SampledPaths {
  const nodes = new IntTable(64);
  const [parent, depth, reference, event] = Array.from({ length: 4 }, () => new Int32Builder(64));
  const [objects, bytes] = [new Float64Builder(64), new Float64Builder(64)];
  const members: Set<number>[] = [];
  const { above, class: type, field, description } = references;
  const below = (node: number, row: number, of: number): number => {
    // Roots are held for reasons of their own: those of one class are one if the recorder describes them alike.
    const key = node < 0 ? description[row] : field[row];
    const next = merge ? nodes.add(node, type[row], key) : nodes.add(node, row);
    if (next === parent.length) {
      parent.push(node);
      depth.push(node < 0 ? 0 : depth.values[node] + 1);
      reference.push(row);
      event.push(of);
      objects.push(0);
      bytes.push(0);
      members.push(new Set());
    }
    members[next]?.add(row);
    return next;
  };
  for (const of of selected) {
    let node = NONE;
    for (const row of pathTo(events.reference?.[of] ?? NONE, above)) node = below(node, row, of);
    for (let at = node; at >= 0; at = parent.values[at]) {
      objects.values[at] += events.objects[of];
      bytes.values[at] += events.bytes?.[of] ?? Number.NaN;
    }
  }
  return {
    length: parent.length,
    parent: parent.finish(),
    depth: depth.finish(),
    reference: reference.finish(),
    members: Int32Array.from(members, ({ size }) => size),
    event: event.finish(),
    objects: objects.finish(),
    bytes: bytes.finish(),
  };
}

/** From the object that a root holds down to the object itself. */
function pathTo(row: number, above: ArrayLike<number>): number[] {
  const path: number[] = [];
  for (let at = row; at >= 0; at = above[at]) path.push(at);
  return path.reverse();
}
