/** Flow into handlers of hand-written bytecode; the output of javac is tested in analysis/coverage. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstructionList } from '../class-file/instruction-list.js';
import { type ThrowFlow, throwFlow } from './throw-flow.js';
import { eachBranch, landOnWays } from './ways.js';

const NOP = 0x00;
const ILOAD_0 = 0x1a;
const IDIV = 0x6c;
const IFEQ = 0x99;
const GOTO = 0xa7;
const JSR = 0xa8;
const RETURN = 0xb1;
const ATHROW = 0xbf;

/** A handler of `start` to before `end`; `catchIndex` 0 catches all. */
const handler = (start: number, end: number, at: number, catchIndex = 1) => ({ start, end, handler: at, catchIndex });

const codeOf = (bytes: readonly number[]) => ({ file: Uint8Array.from(bytes), start: 0, length: bytes.length });

function flowOf(bytes: readonly number[], exceptions: ReturnType<typeof handler>[]): ThrowFlow | undefined {
  return throwFlow({ ...codeOf(bytes), exceptions });
}

/** Blocks by their first BCI: their successors and handlers. */
function blocks(flow: ThrowFlow | undefined) {
  const startOf = (block: number): number | undefined => flow?.blocks[block]?.start;
  return flow?.blocks.map(({ start, successors, handlers }) => [start, successors.map(startOf), handlers.map(startOf)]);
}

describe('flow into handlers', () => {
  // 0 nop, 1 idiv, 2 nop, 3 return · 4 …
  const body = [NOP, IDIV, NOP, RETURN];

  it('leaves a block after a throwing instruction if the method continues in the handler', () => {
    const flow = flowOf([...body, NOP, RETURN], [handler(0, 3, 4)]);
    deepStrictEqual(blocks(flow), [
      [0, [2], [4]],
      [2, [], []],
      [4, [], []],
    ]);
    deepStrictEqual([...(flow?.counted ?? [])], [1, 1, 1]);
    deepStrictEqual(flow?.rethrowing, []);
  });

  it('does not enter handlers that only rethrow; handlers of all exceptions are the finally blocks of leaving ones', () => {
    for (const [catchIndex, leaving] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const flow = flowOf([...body, NOP, ATHROW], [handler(0, 3, 4, catchIndex)]);
      deepStrictEqual(blocks(flow), [
        [0, [], []],
        [4, [], []],
      ]);
      deepStrictEqual(flow?.rethrowing, [1]);
      deepStrictEqual([...(flow?.counted ?? [])], [1, 0]);
      deepStrictEqual([...(flow?.leaving ?? [])], [0, leaving]);
    }
  });

  it('is not followed with subroutines, jumps to no instruction, or damage', () => {
    equal(flowOf([JSR, 0, 3, RETURN], []), undefined);
    equal(flowOf([GOTO, 0, 1, RETURN], []), undefined);
    equal(flowOf([NOP, 0xff], []), undefined);
    equal(flowOf(body, [handler(0, 3, 77)]), undefined);
    equal(flowOf([], []), undefined);
    equal(flowOf(body, [])?.blocks.length, 1);
  });
});

describe('outcomes of a branch', () => {
  // 0 iload_0, 1 ifeq 7 · 4 goto 8 · 7 nop · 8 return
  const code = codeOf([ILOAD_0, IFEQ, 0, 6, GOTO, 0, 4, NOP, RETURN]);
  const landed = (...targets: number[]): number[] => landOnWays(new InstructionList(code), [7, 4], targets);

  it('are found by their start, by the targets of their jumps, and as the only one left', () => {
    deepStrictEqual(landed(7, 4), [0, 1]);
    deepStrictEqual(landed(8), [1]);
    deepStrictEqual(landed(-5, 8), [0, 1]);
    deepStrictEqual(landed(-5), [-1]);
    deepStrictEqual(landed(1, 1), [-1, -1]);
  });

  it('are counted without the code around the branch, and not if there is only one', () => {
    const found: number[][] = [];
    const visit = (bci: number, ways: number): number => found.push([bci, ways]);
    eachBranch(code, visit);
    eachBranch(codeOf([ILOAD_0, IFEQ, 0, 3, RETURN]), visit);
    eachBranch(codeOf([ILOAD_0, IFEQ, 0]), visit);
    deepStrictEqual(found, [[1, 2]]);
  });
});
