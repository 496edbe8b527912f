/** Dominators of larger graphs: against a second algorithm, and of lists as long as a heap. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { NO_ROW } from '../../models/heap/heap.js';
import { amount, runs } from '../../testing/amount.js';
import { BY_ROOTS, dominatorsOf } from './dominators.js';
import { IS_ROOT, shortestPaths } from './shortest-paths.js';
import { chosenDrawn, type DrawnEdges } from './testing/drawn-graph.js';

/** Edges by a small generator of its own, so that graphs of thousands of objects come from one number. */
function randomEdges(seed: number, length: number, most: number, local: boolean): DrawnEdges {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const start = new Uint32Array(length + 1);
  const flat: number[] = [];
  for (let row = 0; row < length; row++) {
    for (let i = next(most + 1); i > 0; i--)
      flat.push(local ? Math.min(length - 1, Math.max(0, row - 3 + next(12))) : next(length));
    start[row + 1] = flat.length;
  }
  return { start, flat: Uint32Array.from(flat), roots: Array.from({ length: 1 + next(5) }, () => next(length)) };
}

/**
 * Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm: the dominators of all referrers are joined until nothing
 * changes. By row: the dominator, `BY_ROOTS` or `NO_ROW`.
 */
function byJoining({ start, flat, roots }: DrawnEdges): number[] {
  const length = start.length - 1;
  const targets = (row: number): readonly number[] =>
    row === length ? roots : Array.from(flat.subarray(start[row], start[row + 1]));
  /** Post order; the virtual root, row `length`, comes last. */
  const order: number[] = [];
  const seen = new Set([length]);
  const stack: { row: number; left: number[] }[] = [{ row: length, left: [...targets(length)] }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = top.left.pop();
    if (to === undefined) order.push(stack.pop()?.row ?? -1);
    else if (!seen.has(to)) {
      seen.add(to);
      stack.push({ row: to, left: [...targets(to)] });
    }
  }
  const number = new Map(order.map((row, i) => [row, i]));
  const referrers = new Map<number, number[]>();
  for (const row of order)
    for (const to of targets(row)) referrers.set(to, [...(referrers.get(to) ?? []), number.get(row) ?? -1]);
  const last = order.length - 1;
  const above: number[] = new Array(order.length).fill(-1);
  above[last] = last;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = last - 1; i >= 0; i--) {
      let joined = -1;
      for (const from of referrers.get(order[i]) ?? []) {
        if (above[from] < 0) continue;
        let [a, b] = [from, joined < 0 ? from : joined];
        while (a !== b) {
          while (a < b) a = above[a];
          while (b < a) b = above[b];
        }
        joined = a;
      }
      if (joined !== above[i]) changed = true;
      above[i] = joined;
    }
  }
  return Array.from({ length }, (_, row) => {
    const i = number.get(row);
    if (i === undefined) return NO_ROW;
    return above[i] === last ? BY_ROOTS : order[above[i]];
  });
}

test('as the iterative algorithm finds them', async () => {
  const drawn = fc.tuple(
    fc.nat(2 ** 31),
    fc.integer({ min: 1, max: 3000 }),
    fc.integer({ min: 1, max: 4 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ([seed, length, most, local]) => {
      const edges = randomEdges(seed, length, most, local);
      const { chosen, sizes } = chosenDrawn(edges);
      const { dominator, retained, unit, bytes } = await dominatorsOf(chosen, sizes);
      const expected = byJoining(edges);
      deepEqual([...dominator], expected);
      // What an object retains is its own size and what its children retain.
      const sums = expected.map((above) => (above === NO_ROW ? 0 : 8));
      let all = 0;
      expected.forEach((above, row) => {
        if (above === NO_ROW) return;
        all += 8;
        for (let up = above; up < BY_ROOTS; up = expected[up]) sums[up] += 8;
        ok(row < length);
      });
      deepEqual(
        Array.from(retained, (one) => one * unit),
        sums,
      );
      equal(bytes, all);
    }),
    runs(400),
  );
});

const MANY = amount(1_000_000, 250_000);

/** A list of `MANY` objects; `back`: linked both ways; `head`: a further object that refers to all of them. */
function list(back: boolean, head: boolean): DrawnEdges {
  const length = MANY + (head ? 1 : 0);
  const start = new Uint32Array(length + 1);
  const flat = new Uint32Array(MANY * (back ? 2 : 1) + (head ? MANY : 0));
  let at = 0;
  for (let row = 0; row < MANY; row++) {
    if (back && row > 0) flat[at++] = row - 1;
    if (row + 1 < MANY) flat[at++] = row + 1;
    start[row + 1] = at;
  }
  if (head) {
    for (let row = 0; row < MANY; row++) flat[at++] = row;
    start[length] = at;
  }
  return { start, flat: flat.subarray(0, at), roots: [head ? MANY : 0] };
}

test('lists of many objects: no recursion, and no sweeps over them', async () => {
  for (const back of [false, true]) {
    const { chosen, sizes } = chosenDrawn(list(back, false));
    const { dominator, retained, unit } = await dominatorsOf(chosen, sizes);
    equal(dominator[0], BY_ROOTS);
    for (let row = 1; row < MANY; row++) if (dominator[row] !== row - 1) equal(dominator[row], row - 1);
    for (let row = 0; row < MANY; row++)
      if (retained[row] * unit !== (MANY - row) * 8) equal(retained[row] * unit, (MANY - row) * 8);
    const { above } = await shortestPaths(chosen);
    deepEqual([above[0], above[1], above[MANY - 1]], [IS_ROOT, 0, MANY - 2]);
  }
  const { chosen, sizes } = chosenDrawn(list(true, true));
  const { dominator } = await dominatorsOf(chosen, sizes);
  ok(dominator.subarray(0, MANY).every((above) => above === MANY));
});

test('between the steps, a million objects take at most 48 bytes each', async () => {
  const edges = list(true, true);
  const { chosen, sizes } = chosenDrawn(edges);
  // Arrays of the tests before are garbage, but counted.
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  // Buffers are freed beside the program; the second collection waits for that.
  const collect = (): void => {
    gc();
    gc();
  };
  collect();
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  await dominatorsOf(chosen, sizes, {
    progress: () => {
      // What a step gave back is garbage that is counted until it is collected.
      collect();
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    },
  });
  const each = (most - before) / MANY;
  ok(each > 20 && each < 48, `${each} bytes`);
  // Else they would be garbage, too.
  ok(edges.flat.length > MANY && chosen.roots.length === 1);
});

test('a run ends when it is aborted', async () => {
  const { chosen, sizes } = chosenDrawn(list(false, false));
  const controller = new AbortController();
  const progress = (): void => controller.abort(new Error('enough'));
  await rejects(dominatorsOf(chosen, sizes, { signal: controller.signal, progress }), /enough/);
});
