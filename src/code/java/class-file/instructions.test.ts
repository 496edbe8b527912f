/** Instructions that today's compilers do not write, and code with faults, each with its place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Assembled, assembleClass } from '../testing/assembled.js';
import { checkClassFile } from '../testing/class-check/check.js';
import { classFixture } from '../testing/class-fixtures.js';
import { type ClassFile, readClassFile } from './class-file.js';
import type { Code } from './code.js';
import { eachInstruction, instructionAt } from './instructions.js';
import { instructionLines, listCode } from './listing.js';
import { MNEMONICS, OPCODE } from './opcodes.js';

function codeOf(file: ClassFile, name: string): Code {
  const code = file.methodsNamed(name)[0]?.code();
  assert.ok(code !== undefined);
  return code;
}

function assembled(code: readonly number[], options?: Assembled) {
  const file = readClassFile(assembleClass(code, options), 'Hand.class');
  return { file, code: codeOf(file, 'run') };
}

function listing(code: readonly number[], options?: Assembled): string[] {
  const { file, code: read } = assembled(code, options);
  const [method] = file.methods;
  assert.ok(method !== undefined);
  assert.deepEqual(checkClassFile(file).list, []);
  return listCode(method, read).instructions.flatMap(instructionLines);
}

test('version 45.3 with subroutines', () => {
  const { file } = assembled([0xb1]);
  assert.deepEqual([file.name, file.superName, file.major, file.minor], ['Hand', 'java.lang.Object', 45, 3]);
  // jsr to the subroutine, which stores its return address and comes back by it.
  assert.deepEqual(listing([0xa8, 0, 4, 0xb1, 0x4c, 0xa9, 1]), [
    '   0: jsr           4',
    '   3: return',
    '   4: astore_1',
    '   5: ret           1',
  ]);
  assert.deepEqual(listing([0xc9, 0, 0, 0, 6, 0xb1, 0xc4, 0x3a, 1, 0, 0xc4, 0xa9, 1, 0]), [
    '   0: jsr_w         6',
    '   5: return',
    '   6: astore_w      256',
    '  10: ret_w         256',
  ]);
});

test('wide, goto_w and switches at every padding', () => {
  assert.deepEqual(listing([0xc4, 0x84, 1, 0, 0xff, 0xfe, 0xc8, 0, 0, 0, 5, 0x12, 8, 0x57, 0xb1]), [
    '   0: iinc_w        256, -2',
    '   6: goto_w        11',
    '  11: ldc           #8                  // int 7',
    '  13: pop',
    '  14: return',
  ]);
  for (let padding = 0; padding < 4; padding++) {
    const before = new Array<number>(3 - padding).fill(0);
    const start = before.length + 1;
    const head = [...before, 0x03, 0xaa, ...new Array<number>(3 - (start & 3)).fill(0)];
    const end = head.length + 20;
    const offset = end - start;
    const range = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    const targets = [0, 0, 0, offset, 0, 0, 0, offset];
    const { code } = assembled([...head, 0, 0, 0, offset, ...range, ...targets, 0xb1]);
    const found = instructionAt(code, start);
    assert.deepEqual([found?.keys, found?.targets, found?.defaultTarget], [[-1, 0], [end, end], end]);
    assert.equal(found?.length, end - start);
  }
});

/** Code → the code of the problem and the bytecode index that it names. */
const FAULTS: readonly (readonly [what: string, code: readonly number[], problem: string, bci: number])[] = [
  ['an unknown opcode', [0x00, 0xcb, 0xb1], 'class-file-bad-instruction', 1],
  ['breakpoint', [0xca], 'class-file-bad-instruction', 0],
  ['an instruction that is cut', [0x00, 0x11, 0x00], 'class-file-bad-instruction', 1],
  ['a switch without its operands', [0x03, 0xaa, 0, 0, 0, 0], 'class-file-bad-instruction', 1],
  [
    'a tableswitch from high to low',
    [0x03, 0xaa, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 0, 0xb1, 0xb1, 0xb1, 0xb1, 0xb1],
    'class-file-bad-instruction',
    1,
  ],
  [
    'a tableswitch with 2^32 cases',
    [0x03, 0xaa, 0, 0, 0, 0, 0, 19, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xb1],
    'class-file-bad-instruction',
    1,
  ],
  [
    'a lookupswitch with more pairs than bytes',
    [0x03, 0xab, 0, 0, 0, 0, 0, 11, 0xff, 0xff, 0xff, 0xff, 0xb1],
    'class-file-bad-instruction',
    1,
  ],
  ['a jump beyond the end', [0xa7, 0, 9, 0xb1], 'class-file-bad-target', 0],
  ['a jump before the start', [0x00, 0xa7, 0xff, 0x00, 0xb1], 'class-file-bad-target', 1],
  ['a jump into an instruction', [0x11, 0, 7, 0x99, 0xff, 0xfe, 0xb1], 'class-file-bad-target', 3],
  ['wide before what is not widened', [0xc4, 0xb1, 0, 0], 'class-file-bad-instruction', 0],
  ['a reference to nothing', [0x12, 99, 0x57, 0xb1], 'class-file-bad-reference', 0],
  ['a call of a class', [0xb8, 0, 2, 0xb1], 'class-file-bad-reference', 0],
  ['a local beyond max_locals', [0xc4, 0x15, 1, 0x2c, 0x57, 0xb1], 'class-file-bad-instruction', 0],
  ['an array of nothing', [0x03, 0xbc, 3, 0x57, 0xb1], 'class-file-bad-instruction', 1],
  ['no code', [], 'class-file-bad-instruction', 0],
];

for (const [what, bytes, problem, bci] of FAULTS) {
  test(`${what} is reported at its offset`, () => {
    const { file, code } = assembled(bytes);
    const { list } = checkClassFile(file);
    assert.deepEqual(
      list.map((each) => [each.code, each.offset, each.path]),
      [[problem, code.start + bci, 'run()V']],
    );
  });
}

test('instructions before a fault are visited, and the fault is returned', () => {
  const { code } = assembled([0x03, 0x57, 0xcb, 0xb1]);
  const seen: string[] = [];
  const stopped = eachInstruction(code, ({ mnemonic }) => seen.push(mnemonic));
  assert.deepEqual(seen, ['iconst_0', 'pop']);
  assert.match(stopped?.message ?? '', /bytecode index 2: expected an instruction, found opcode 0xcb/);
  assert.equal(instructionAt(code, 3), undefined);
});

test('a code attribute longer than the file is read to the end of the file', () => {
  const bytes = assembleClass([0x00, 0xb1]);
  const at = bytes.length - 2 - 4 - 2 - 4;
  assert.equal(new DataView(bytes.buffer).getUint32(at), 2);
  bytes[at + 3] = 200;
  const { problems, length } = codeOf(readClassFile(bytes, 'Hand.class'), 'run');
  assert.equal(length, 6);
  assert.deepEqual(
    problems.map(({ code, offset }) => [code, offset]),
    [['class-file-damaged', at]],
  );
});

test('lines of bytecode indexes, and the listing of a loop', () => {
  const file = readClassFile(classFixture('Flow.class').bytes, 'Flow.class');
  const loop = codeOf(file, 'loop');
  // From the source: line 10 declares sum, 11 is the loop, 12 its continue, 13 the sum, 15 the return.
  const lines = new Map<number, number | undefined>();
  eachInstruction(loop, ({ bci }) => lines.set(bci, loop.lineAt(bci)));
  assert.deepEqual([...new Set(lines.values())], [10, 11, 12, 13, 15]);
  assert.equal(loop.lineAt(0), 10);
  const check = instructionAt(loop, 6);
  assert.deepEqual([check?.mnemonic, check?.kind, check?.targets], ['if_icmpge', 'if', [28]]);
  assert.deepEqual(
    loop.localVariables.map(({ name, type, slot }) => [name.text, type.text, slot]),
    [
      ['i', 'I', 2],
      ['limit', 'I', 0],
      ['sum', 'I', 1],
    ],
  );
  assert.equal(file.sourceFile, 'Flow.java');
});

test('opcodes by name are those of the mnemonics', () => {
  for (const [name, opcode] of Object.entries(OPCODE)) assert.equal(MNEMONICS[opcode], name);
});
