/** Paths that say whose objects are, and common holders: random graphs against their definitions. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_ROW } from '../../../models/heap/heap.js';
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import { runs } from '../../../testing/amount.js';
import type { ChosenGraph } from '../reachable-edges.js';
import { IS_ROOT, shortestPaths } from '../shortest-paths.js';
import { chosenDrawn } from '../testing/drawn-graph.js';
import { chainTo, commonHolder } from './holder-chain.js';
import { namedPaths } from './named-paths.js';

const KINDS = ['thread', 'java-frame', 'jni-local', 'jni-global', 'system-class'] as const satisfies RootKind[];
const WEAK_CLASS = 1;

const graph = fc.integer({ min: 1, max: 40 }).chain((length) =>
  fc.record({
    targets: fc.array(fc.array(fc.nat(length - 1), { maxLength: 3 }), { minLength: length, maxLength: length }),
    weak: fc.array(fc.boolean(), { minLength: length, maxLength: length }),
    roots: fc.array(fc.record({ row: fc.nat(length - 1), kind: fc.constantFrom(...KINDS) }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
);

type Drawn = typeof graph extends fc.Arbitrary<infer Value> ? Value : never;

function chosenOf({ targets, weak, roots }: Drawn): ChosenGraph {
  const start = new Uint32Array(targets.length + 1);
  targets.forEach((list, row) => {
    start[row + 1] = start[row] + list.length;
  });
  const edges = { start, flat: Uint32Array.from(targets.flat()), roots: roots.map(({ row }) => row) };
  const { chosen } = chosenDrawn(edges);
  roots.forEach(({ kind }, i) => {
    chosen.graph.roots.kind[i] = ROOT_KINDS.indexOf(kind);
  });
  weak.forEach((isWeak, row) => {
    chosen.graph.class[row] = isWeak ? WEAK_CLASS : 0;
  });
  return chosen;
}

/** Steps from the given roots to each object by edges that count, by trying all edges until nothing changes; Infinity where none lead. */
function distances(roots: readonly number[], edges: readonly (readonly [number, number])[], length: number): number[] {
  const steps = new Array<number>(length).fill(Infinity);
  for (const row of roots) steps[row] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (const [holder, target] of edges)
      if (steps[holder] + 1 < steps[target]) {
        steps[target] = steps[holder] + 1;
        changed = true;
      }
  }
  return steps;
}

test('paths lead through no thread, no stack and no referent where another way exists, and are the shortest of these', async () => {
  await fc.assert(
    fc.asyncProperty(graph, async (drawn) => {
      const { targets, weak, roots } = drawn;
      const { length } = targets;
      const { above } = await namedPaths(chosenOf(drawn), Uint8Array.of(0, 1));
      const all = targets.flatMap((list, holder) =>
        list.map((target, i) => [holder, target, weak[holder] && i === 0] as const),
      );
      const strong = all.filter(([, , isReferent]) => !isReferent).map(([holder, target]) => [holder, target] as const);
      const rowsOf = (is: (kind: RootKind) => boolean) => roots.filter(({ kind }) => is(kind)).map(({ row }) => row);
      const threads = new Set(rowsOf((kind) => kind === 'thread'));
      const fixed = rowsOf((kind) => kind === 'jni-global' || kind === 'system-class');
      const noThread = strong.filter(([holder]) => !threads.has(holder));
      const levels = [
        distances(fixed, noThread, length),
        distances([...fixed, ...threads], strong, length),
        distances(
          roots.map(({ row }) => row),
          strong,
          length,
        ),
        distances(
          roots.map(({ row }) => row),
          all.map(([holder, target]) => [holder, target] as const),
          length,
        ),
      ];
      const levelOf = (row: number): number =>
        threads.has(row) ? 1 : levels.findIndex((steps) => steps[row] < Infinity);
      for (let row = 0; row < length; row++) {
        const level = levelOf(row);
        if (level < 0) {
          equal(above[row], NO_ROW);
          continue;
        }
        const path = chainTo({ above }, row, () => false) ?? [];
        ok(path.length > 0);
        path.slice(1).forEach((to, i) => {
          ok(targets[path[i]].includes(to), 'each step is a reference');
        });
        ok(
          path.every((one) => levelOf(one) <= level),
          'no step is held worse than the object',
        );
        if (level === 0) {
          equal(path.length - 1, levels[0][row]);
          ok(path.every((one) => !threads.has(one)));
        }
        if (level === 3) continue;
        for (const [i, to] of path.slice(1).entries()) ok(strong.some(([a, b]) => a === path[i] && b === to));
      }
    }),
    runs(400),
  );
});

/** Trees: the object above each is one before it. */
const forest = fc.integer({ min: 1, max: 30 }).chain((length) =>
  fc.record({
    above: fc.tuple(...Array.from({ length }, (_, row) => fc.integer({ min: -2, max: row - 1 }))),
    classes: fc.array(fc.nat(2), { minLength: length, maxLength: length }),
    members: fc.uniqueArray(fc.nat(length - 1), { minLength: 1 }),
    weights: fc.array(fc.nat(5), { minLength: length, maxLength: length }),
    starts: fc.array(fc.nat(length - 1), { maxLength: 2 }),
  }),
);

test('the common holder is the nearest object with more than half of the weight below it', () => {
  fc.assert(
    fc.property(forest, ({ above: drawnAbove, classes, members, weights, starts }) => {
      const above = Uint32Array.from(drawnAbove, (row) => (row === -2 ? NO_ROW : row === -1 ? IS_ROOT : row));
      const { chosen } = chosenDrawn({ start: new Uint32Array(above.length + 1), flat: new Uint32Array(), roots: [] });
      chosen.graph.class.set(classes);
      const upTo = (row: number): number[] => chainTo({ above }, row, () => false) ?? [];
      const isHeld = (row: number): boolean => upTo(row).length > 0 && above[upTo(row)[0]] === IS_ROOT;
      // Paths of the stage end at roots, or are none.
      fc.pre(members.every((row) => isHeld(row) || above[row] === NO_ROW));
      const reached = members.filter((row) => above[row] !== NO_ROW);
      const sum = (rows: readonly number[]): number => rows.reduce((total, row) => total + weights[row], 0);
      const total = sum(reached);
      const below = (row: number): number => sum(reached.filter((member) => upTo(member).includes(row)));
      const isStart = (row: number): boolean => starts.includes(row);
      const foundHolder = commonHolder(chosen.graph, { above }, members, (i) => weights[members[i]], isStart);
      const heavy = reached.find((row) => weights[row] > total / 2);
      if (heavy !== undefined) {
        deepEqual(foundHolder, { row: heavy, share: weights[heavy] / total, isMember: true });
        return;
      }
      const holders = Array.from(above.keys()).filter(
        (row) => below(row) > total / 2 && !upTo(row).some((one) => reached.includes(one)),
      );
      const nearest = holders.sort((a, b) => upTo(b).length - upTo(a).length)[0];
      if (nearest === undefined) {
        equal(foundHolder, undefined);
        return;
      }
      let row = nearest;
      while (!isStart(row) && above[row] < IS_ROOT && classes[above[row]] === classes[row]) row = above[row];
      deepEqual(foundHolder, { row, share: below(row) / total, isMember: false });
    }),
    runs(400),
  );
});

test('without threads, stacks and references, paths are the shortest ones', async () => {
  await fc.assert(
    fc.asyncProperty(graph, async (drawn) => {
      const plain = { ...drawn, roots: drawn.roots.map(({ row }) => ({ row, kind: 'jni-global' as const })) };
      const chosen = chosenOf({ ...plain, weak: drawn.weak.map(() => false) });
      deepEqual((await namedPaths(chosen, new Uint8Array(2))).above, (await shortestPaths(chosen)).above);
    }),
    runs(100),
  );
});
