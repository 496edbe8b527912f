/** `heap dominators --base`: retained bytes of groups of objects in two dumps. */
import type { UnitedPrograms } from '../../analysis/identity/unite.js';
import { type Note, note } from '../../base/note.js';
import { formatBytes } from '../../base/units.js';
import type { PagedInput } from '../listing.js';
import type { Side } from '../question.js';
import { requireHeap } from './choice.js';
import { childrenOf, type DominatorTree, shallowOf } from './dominator-tree.js';
import { type GroupBy, type GroupKey, groupKey, type JoinedClassNames } from './groups.js';

/** Objects are not the same in two dumps: their class is. Class objects are named by the class they represent. */
export type ChangesBy = GroupBy | 'object';

/** What the objects of each group directly below a node of the tree have. */
export interface GroupSums {
  readonly retained: Float64Array;
  readonly shallow: Float64Array;
  readonly objects: Float64Array;
}

/** Sums by number of the group. */
export function groupSums(tree: DominatorTree, { of: groupOf }: GroupKey, above: number): GroupSums {
  const { retained, unit } = tree.dominators;
  const shallow = shallowOf(tree);
  const sums: Record<keyof GroupSums, number[]> = { retained: [], shallow: [], objects: [] };
  for (const object of childrenOf(tree.dominators, above)) {
    const group = groupOf(object);
    sums.retained[group] = (sums.retained[group] ?? 0) + retained[object] * unit;
    sums.shallow[group] = (sums.shallow[group] ?? 0) + shallow(object);
    sums.objects[group] = (sums.objects[group] ?? 0) + 1;
  }
  // Groups without objects here have holes.
  const column = (values: readonly number[]): Float64Array => Float64Array.from(values, (value) => value ?? 0);
  return { retained: column(sums.retained), shallow: column(sums.shallow), objects: column(sums.objects) };
}

type Named = ReadonlyMap<string, { readonly retained: number; readonly shallow: number; readonly objects: number }>;

function namedSums(side: Side, tree: DominatorTree, above: number, by: ChangesBy, names: JoinedClassNames): Named {
  const key = groupKey(side.recording.program, requireHeap(side), tree.graph, by === 'object' ? 'class' : by, names);
  const { retained, shallow, objects } = groupSums(tree, key, above);
  const sumsByName = new Map<string, { retained: number; shallow: number; objects: number }>();
  objects.forEach((count, group) => {
    if (count > 0)
      sumsByName.set(key.name(group), { retained: retained[group], shallow: shallow[group], objects: count });
  });
  return sumsByName;
}

/** Two sides of a comparison: the base first. */
export interface ComparedTrees {
  readonly sides: readonly [Side, Side];
  readonly trees: readonly [DominatorTree, DominatorTree];
  readonly united: UnitedPrograms;
  /** The node of the trees below which is counted: `BY_ROOTS`. */
  readonly above: number;
}

/** The cells of the rows, and how many there are: groups of which a number changed. */
export function changeCells({ sides, trees, united, above }: ComparedTrees, by: ChangesBy) {
  const [base, now] = sides.map((side, i) => {
    const { name, rows } = united.classes;
    const names = { className: (id: number) => name(rows[i][id]), classObjects: by === 'object' };
    return namedSums(side, trees[i === 0 ? 0 : 1], above, by, names);
  });
  const all = [...new Set([...now.keys(), ...base.keys()])];
  const value = (side: Named, name: string, key: 'retained' | 'shallow' | 'objects'): number =>
    side.get(name)?.[key] ?? 0;
  const delta = (name: string, key: 'retained' | 'objects'): number => value(now, name, key) - value(base, name, key);
  const changed = all.filter((name) => delta(name, 'retained') !== 0 || delta(name, 'objects') !== 0);
  const cells = {
    retained: (i: number) => value(now, changed[i], 'retained'),
    base: (i: number): number | null => value(base, changed[i], 'retained'),
    delta: (i: number): number | null => delta(changed[i], 'retained'),
    share: () => null,
    shallow: (i: number) => value(now, changed[i], 'shallow'),
    objects: (i: number) => value(now, changed[i], 'objects'),
    base_objects: (i: number): number | null => value(base, changed[i], 'objects'),
    delta_objects: (i: number): number | null => delta(changed[i], 'objects'),
    dominates: () => null,
    address: () => null,
    name: (i: number) => changed[i],
  };
  return { cells, count: changed.length, same: all.length - changed.length };
}

const OBJECTS_BY_CLASS = note(
  'objects-by-class',
  'Objects have no identity across dumps: class objects are compared one by one, all others by class.',
);
const LOADERS_BY_CLASS = note('loaders-by-class', 'Loaders are compared by their class.');

/** Reachable bytes of both sides, and what is compared. */
export function changeNotes(trees: readonly [DominatorTree, DominatorTree], by: ChangesBy, same: number): Note[] {
  const [base, now] = trees.map(({ dominators }) => formatBytes(dominators.bytes));
  return [
    note('reachable', `Reachable: ${base} in the base, ${now} here.`),
    ...(by === 'object' ? [OBJECTS_BY_CLASS] : by === 'loader' ? [LOADERS_BY_CLASS] : []),
    ...(same > 0 ? [note('unchanged', `Not shown: groups without a change: ${same}.`)] : []),
  ];
}

/** The largest change first. */
export function byChange(input: PagedInput, delta: (i: number) => number | null) {
  return { input, usual: 'change', orders: { change: (i: number) => Math.abs(delta(i) ?? 0) } };
}
