/** Minimum cuts of random networks, against all ways to part their nodes. */
import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../testing/amount.js';
import { FlowNetwork } from './minimum-cut.js';

const NODES = 7;
const ARC = fc.record({ tail: fc.nat(NODES - 1), head: fc.nat(NODES - 1), first: fc.nat(5), second: fc.nat(5) });

interface Arc {
  readonly tail: number;
  readonly head: number;
  readonly room: number;
}

function crossing(arcs: readonly Arc[], side: number): number {
  const isIn = (node: number): boolean => ((side >> node) & 1) === 1;
  return arcs.reduce((sum, { tail, head, room }) => sum + (isIn(tail) && !isIn(head) ? room : 0), 0);
}

/** The nodes that are on the side of node 0 in all cuts from node 1 with the least capacity. */
function smallestSide(arcs: readonly Arc[]): { readonly least: number; readonly side: number } {
  const sides = Array.from({ length: 1 << NODES }, (_, bits) => bits).filter((bits) => (bits & 3) === 1);
  const least = Math.min(...sides.map((side) => crossing(arcs, side)));
  return { least, side: sides.filter((side) => crossing(arcs, side) === least).reduce((a, b) => a & b) };
}

describe('a network', () => {
  it('has the minimum cut with the fewest nodes beside the source, with other capacities again', () =>
    fc.assert(
      fc.asyncProperty(fc.array(ARC, { maxLength: 20 }), async (arcs) => {
        const network = new FlowNetwork(
          {
            nodes: NODES,
            tail: Int32Array.from(arcs, ({ tail }) => tail),
            head: Int32Array.from(arcs, ({ head }) => head),
          },
          0,
          1,
        );
        for (const key of ['first', 'second', 'first'] as const) {
          const weighed = arcs.map((arc) => ({ ...arc, room: arc[key] }));
          const marks = await network.sourceSide(Float64Array.from(weighed, ({ room }) => room));
          const side = marks.reduce((bits, mark, node) => bits | (mark << node), 0);
          const expected = smallestSide(weighed);
          equal(crossing(weighed, side), expected.least);
          deepEqual(side, expected.side);
        }
      }),
      runs(2000),
    ));

  it('takes back what a shorter path took', async () => {
    //  0 ─ 2 ─ 5 ─ 1       The first path is 0 2 5 1. The second one needs 5 ─ 1, so it goes back to 2.
    //      └ 3 ─ 4 ─ 1
    //  0 ─ 6 ─ 7 ─ 5
    const arcs = [
      [0, 2],
      [2, 5],
      [5, 1],
      [2, 3],
      [3, 4],
      [4, 1],
      [0, 6],
      [6, 7],
      [7, 5],
    ] as const;
    const [tail, head] = [0, 1].map((end) => Int32Array.from(arcs, (arc) => arc[end] ?? 0));
    const network = new FlowNetwork({ nodes: 8, tail: tail ?? new Int32Array(), head: head ?? new Int32Array() }, 0, 1);
    deepEqual([...(await network.sourceSide(new Float64Array(arcs.length).fill(1)))], [1, 0, 0, 0, 0, 0, 0, 0]);
  });
});
