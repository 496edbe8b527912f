/** Tests of random programs, guarded flows of numbers and objects, against a plain closure: whole sets, until nothing changes. */
import { deepStrictEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeInstruction } from '../../code/java/class-file/instructions.js';
import { runs } from '../../testing/amount.js';
import { anyOf, conditionsOf } from './branches.js';
import { Engine } from './engine.js';
import { holdsAlready, whenHolds } from './predicates.js';

const NODES = 6;
/** The opcodes `ifeq` to `if_icmple`, what they test as Java has it, and how many operands they have. */
const TESTS: readonly (readonly [opcode: number, operands: 1 | 2, holds: (a: number, b: number) => boolean])[] = [
  [0x99, 1, (a) => a === 0],
  [0x9a, 1, (a) => a !== 0],
  [0x9b, 1, (a) => a < 0],
  [0x9c, 1, (a) => a >= 0],
  [0x9d, 1, (a) => a > 0],
  [0x9e, 1, (a) => a <= 0],
  [0x9f, 2, (a, b) => a === b],
  [0xa0, 2, (a, b) => a !== b],
  [0xa1, 2, (a, b) => a < b],
  [0xa2, 2, (a, b) => a >= b],
  [0xa3, 2, (a, b) => a > b],
  [0xa4, 2, (a, b) => a <= b],
];

const ALWAYS = [0xa7, 1, () => true] as const;

/** A number, or a node with numbers. */
type Operand = { readonly number: number } | { readonly node: number };

/** `if (left … right) way(jump)`: once the way can be ways, a value moves to a node. */
interface Statement {
  readonly test: number;
  readonly left: Operand;
  readonly right: Operand;
  /** Whether the move is where the test jumps to, or behind it. */
  readonly isJump: boolean;
  readonly value: Operand;
  readonly target: number;
}

const small = fc.integer({ min: -2, max: 3 });
const node = fc.nat(NODES - 1);
const operand: fc.Arbitrary<Operand> = fc.oneof(fc.record({ number: small }), fc.record({ node }));
const statements = fc.array(
  fc.record({
    test: fc.nat(TESTS.length - 1),
    left: operand,
    right: operand,
    isJump: fc.boolean(),
    value: operand,
    target: node,
  }),
  { maxLength: 25 },
);
/** Values that are there at the beginning. */
const beginnings = fc.array(fc.tuple(node, small), { maxLength: 6 });

type Beginning = readonly (readonly [number, number])[];
/** All that a number can be. */
const ANY = 'any';
type Numbers = ReadonlySet<number> | typeof ANY;

/** As documented: up to four numbers at a place, then any. */
function joined(a: Numbers, b: Numbers): Numbers {
  if (a === ANY || b === ANY) return ANY;
  const both = new Set([...a, ...b]);
  return both.size > 4 ? ANY : both;
}

function plainClosure(
  program: readonly Statement[],
  beginning: Beginning,
): { readonly nodes: Numbers[]; readonly ways: boolean[] } {
  const nodes: Numbers[] = Array.from({ length: NODES }, () => new Set<number>());
  const ways = program.map(() => false);
  for (const [at, value] of beginning) nodes[at] = joined(nodes[at] ?? ANY, new Set([value]));
  const numbersOf = (place: Operand): Numbers =>
    'number' in place ? new Set([place.number]) : (nodes[place.node] ?? ANY);
  const can = ({ test: which, left, right, isJump }: Statement): boolean => {
    const [, operands, holds] = TESTS[which] ?? ALWAYS;
    const [a, b] = [numbersOf(left), operands === 1 ? new Set([0]) : numbersOf(right)];
    const isEmpty = (numbers: Numbers): boolean => numbers !== ANY && numbers.size === 0;
    if (isEmpty(a) || isEmpty(b)) return false;
    if (a === ANY || b === ANY) return true;
    return [...a].some((x) => [...b].some((y) => holds(x, y) === isJump));
  };
  const text = (): string => JSON.stringify([nodes.map((each) => (each === ANY ? ANY : [...each].sort())), ways]);
  for (let before = ''; before !== text(); ) {
    before = text();
    for (const [i, statement] of program.entries()) {
      if (!can(statement)) continue;
      ways[i] = true;
      nodes[statement.target] = joined(nodes[statement.target] ?? ANY, numbersOf(statement.value));
    }
  }
  return { nodes, ways };
}

function engineResult(
  program: readonly Statement[],
  beginning: Beginning,
): { readonly nodes: Numbers[]; readonly ways: boolean[] } {
  const engine = new Engine(20, { isPredicated: true });
  const { flows, types } = engine;
  types.setLoaded(types.object);
  const ids = Array.from({ length: NODES }, () => flows.node(types.number));
  const ways = program.map(() => false);
  const nodeOf = (place: Operand): number =>
    'number' in place ? engine.number(place.number) : (ids[place.node] ?? -1);
  const operandOf = (place: Operand): { readonly node: number; readonly number?: number } =>
    'number' in place ? { node: nodeOf(place), number: place.number } : { node: nodeOf(place) };
  for (const [i, { test: which, left, right, isJump, value, target }] of program.entries()) {
    const [opcode, operands] = TESTS[which] ?? ALWAYS;
    const instruction = decodeInstruction({ file: Uint8Array.of(opcode, 0, 3), start: 0, length: 3 }, 0);
    if (typeof instruction === 'string') throw new Error(instruction);
    const conditions = conditionsOf(
      instruction,
      operands === 1 ? [operandOf(left)] : [operandOf(left), operandOf(right)],
    );
    const condition = conditions[isJump ? 0 : 1] ?? false;
    const take = (): void => {
      ways[i] = true;
      engine.pass(nodeOf(value), ids[target] ?? -1);
    };
    if (holdsAlready(engine, anyOf([condition]))) take();
    else whenHolds(engine, condition, take);
  }
  for (const [at, value] of beginning) engine.pass(engine.number(value), ids[at] ?? -1);
  do while (!flows.run(2));
  while (engine.takeReady().map((action) => action()).length > 0);
  const nodes = ids.map(
    (id): Numbers =>
      flows.isSaturated(id) ? ANY : new Set(flows.typesOf(id).map((type) => types.numberOf(type) ?? Number.NaN)),
  );
  return { nodes, ways };
}

describe('tests of numbers', () => {
  test('allow what a plain closure allows', () => {
    fc.assert(
      fc.property(statements, beginnings, (program, beginning) => {
        const result = engineResult(program, beginning);
        const closure = plainClosure(program, beginning);
        deepStrictEqual(result.ways, closure.ways);
        deepStrictEqual(result.nodes, closure.nodes);
      }),
      runs(400),
    );
  });
});
