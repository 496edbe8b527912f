/** Lengths of calls by the bytes before the return address, against the disassembly of a large program. */
import { equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { test } from 'node:test';
import { hasProgram } from '../../../../scripts/testing/programs.js';
import { CALL_BYTES, callLength } from './call-start.js';

/** Calls whose length the bytes before do not tell: those of the instruction before look like another one. */
const MOST_AMBIGUOUS = 0.002;

test('the calls of objdump', (t) => {
  if (process.arch !== 'x64') return t.skip('needs an x86-64 machine');
  if (!hasProgram(t, 'objdump')) return;
  const program = realpathSync('/usr/bin/objdump');
  const text = execFileSync('objdump', ['-d', '-w', program], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const code: number[] = [];
  let [calls, indirect, wrong] = [0, 0, 0];
  for (const line of text.split('\n')) {
    const [, bytes = '', word = ''] = /^ +[0-9a-f]+:\t((?:[0-9a-f]{2} )+) *\t(?:bnd |notrack )*(\w+)/.exec(line) ?? [];
    const instruction = bytes
      .trim()
      .split(' ')
      .map((each) => Number.parseInt(each, 16));
    if (bytes === '') code.length = 0;
    else code.push(...instruction);
    if (word !== 'call') continue;
    calls++;
    if (instruction[0] !== 0xe8) indirect++;
    if (callLength('x86_64', Uint8Array.from(code.slice(-CALL_BYTES))) !== instruction.length) wrong++;
  }
  ok(calls > 1000 && indirect > 20, `${calls} calls, ${indirect} indirect`);
  ok(wrong <= calls * MOST_AMBIGUOUS, `${wrong} of ${calls}`);
});

test('other machines', () => {
  equal(callLength('aarch64', new Uint8Array(7)), 4);
  equal(callLength('riscv64', new Uint8Array(7)), 1);
});
