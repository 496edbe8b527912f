/**
 * Blocks, dominators and loops of hand-written bytecode; the output of javac is tested in
 * views/code/branch-code.test.ts.
 */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFollowable } from './graph.js';
import { type ControlFlow, controlFlow } from './loops.js';

const NOP = 0x00;
const ILOAD_0 = 0x1a;
const IFEQ = 0x99;
const GOTO = 0xa7;
const RETURN = 0xb1;
const ATHROW = 0xbf;

function flowOf(
  bytes: readonly number[],
  exceptions: { start: number; end: number; handler: number }[] = [],
): ControlFlow {
  const file = Uint8Array.from(bytes);
  return controlFlow({ file, start: 0, length: file.length, exceptions });
}

/** Headers of the loops with the first BCIs of their blocks. */
function loops(flow: ControlFlow): [number, number[]][] {
  return flow.loops.map(({ header, blocks }) => [
    flow.blocks[header].start,
    [...blocks].map((block) => flow.blocks[block].start).sort((a, b) => a - b),
  ]);
}

/** A jump from a BCI to another one. */
const jump = (opcode: number, from: number, to: number): number[] => [
  opcode,
  ((to - from) >> 8) & 0xff,
  (to - from) & 0xff,
];

describe('control flow', () => {
  it('a loop that is its own latch, and no flow after a return', () => {
    // 0 iload_0, 1 ifeq 0, 4 return, 5 nop (nothing leads there)
    const flow = flowOf([ILOAD_0, ...jump(IFEQ, 1, 0), RETURN, NOP]);
    deepStrictEqual(loops(flow), [[0, [0]]]);
    deepStrictEqual(
      flow.blocks.map(({ start }) => start),
      [0, 4, 5],
    );
    equal(flow.dominates(0, 1), true);
    equal(flow.dominates(0, 2), false);
    deepStrictEqual([flow.blockAt(3), flow.blockAt(4), flow.blockAt(6)], [0, 1, -1]);
  });

  it('as many nested loops as fit into 32 KB', () => {
    // Each begins with a nop; the checks behind them go back, that of the innermost loop first, which is one block.
    const count = 6500;
    const bytes = [
      ...new Array<number>(count).fill(NOP),
      ...Array.from({ length: count }, (_, i) => [ILOAD_0, ...jump(IFEQ, count + i * 4 + 1, count - 1 - i)]).flat(),
      RETURN,
    ];
    const { loops: found, blocks } = flowOf(bytes);
    deepStrictEqual([found.length, blocks.length], [count, 2 * count]);
    found.forEach(({ header, blocks: body, parent }, i) => {
      equal(header, i);
      equal(parent, i - 1);
      equal(body.size, 2 * (count - i) - 1);
    });
    deepStrictEqual([...(found.at(-1)?.blocks ?? [])], [count - 1]);
    deepStrictEqual([...(found[0]?.blocks ?? [])], [...blocks.keys()].slice(0, -1));
  });

  it('a loop in a loop; the block between belongs to the outer one', () => {
    // 0 iload_0, 1 ifeq 14 · 4 iload_0, 5 ifeq 11 · 8 goto 4 · 11 goto 0 · 14 return
    const flow = flowOf([
      ILOAD_0,
      ...jump(IFEQ, 1, 14),
      ILOAD_0,
      ...jump(IFEQ, 5, 11),
      ...jump(GOTO, 8, 4),
      ...jump(GOTO, 11, 0),
      RETURN,
    ]);
    deepStrictEqual(loops(flow), [
      [0, [0, 4, 8, 11]],
      [4, [4, 8]],
    ]);
    deepStrictEqual(
      flow.loops.map(({ parent }) => parent),
      [-1, 0],
    );
    deepStrictEqual([...flow.loopOf], [0, 1, 1, 0, -1]);
  });

  it('a cycle with two entries is not a loop', () => {
    // 0 iload_0, 1 ifeq 7 · 4 goto 8 · 7 nop · 8 iload_0, 9 ifeq 7 · 12 return: 7 and 8 are both entered from outside
    const flow = flowOf([ILOAD_0, ...jump(IFEQ, 1, 7), ...jump(GOTO, 4, 8), NOP, ILOAD_0, ...jump(IFEQ, 9, 7), RETURN]);
    deepStrictEqual(loops(flow), []);
  });

  it('a handler that covers itself closes no loop; a throw into a handler that jumps back does', () => {
    // 0 nop, 1 return · 2 athrow, caught by itself
    deepStrictEqual(loops(flowOf([NOP, RETURN, ATHROW], [{ start: 0, end: 3, handler: 2 }])), []);
    // 0 iload_0, 1 ifeq 5 · 4 athrow · 5 return · 6 goto 0 catches 0 to 6
    const retry = flowOf(
      [ILOAD_0, ...jump(IFEQ, 1, 5), ATHROW, RETURN, ...jump(GOTO, 6, 0)],
      [{ start: 0, end: 6, handler: 6 }],
    );
    deepStrictEqual(loops(retry), [[0, [0, 4, 6]]]);
  });

  it('damaged code is decoded up to the damage, and never hangs', () => {
    deepStrictEqual(flowOf([]).blocks, []);
    equal(flowOf([0xff]).blocks.length, 0);
    // Jumps into an instruction, out of the code, or to an invalid target.
    for (const to of [-3, 2, 900]) equal(flowOf([ILOAD_0, ...jump(IFEQ, 1, to), RETURN]).blocks.length, 2);
    const every = Array.from({ length: 256 }, (_, opcode) => [ILOAD_0, opcode, 0, 1, NOP, RETURN]);
    for (const bytes of every) flowOf(bytes, [{ start: 3, end: 2, handler: 77 }]);
  });
});

describe('methods with control flow', () => {
  const covered = (length: number, handlers: number) =>
    isFollowable({
      file: new Uint8Array(0),
      start: 0,
      length,
      exceptions: Array.from({ length: handlers }, () => ({ start: 0, end: length, handler: 0 })),
    });

  it('exclude those with the most handlers and the most code that a class file can have', () => {
    equal(covered(65_535, 200), true);
    equal(covered(250, 65_535), true);
    equal(covered(65_535, 65_535), false);
  });
});
