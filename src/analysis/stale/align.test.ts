import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { align } from './align.js';
import type { NormalCode } from './normal-code.js';

/** Code of instructions without operands, a letter each; small ones use the stack: `p` puts a slot, `t` takes it. */
function code(text: string): NormalCode {
  const { length } = text;
  const none = new Int32Array(length + 1);
  return {
    length,
    bcis: Int32Array.from({ length: length + 1 }, (_, i) => i),
    opcodes: Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 31),
    operands: new Int32Array(length),
    targetStarts: none,
    targets: new Int32Array(0),
    taken: Uint16Array.from(text, (letter) => (letter === 't' ? 1 : 0)),
    put: Uint16Array.from(text, (letter) => (letter === 'p' ? 1 : 0)),
    handlers: new Int32Array(0),
    maxLocals: 0,
    parameterSlots: 0,
    whole: true,
  };
}

/** The weight of pairs of instructions that do not use the stack: 17 each, 1 more right after another pair. */
function worth(pairs: Int32Array): number {
  return pairs.reduce((sum, to, i) => sum + (to < 0 ? 0 : i > 0 && to > 0 && pairs[i - 1] === to - 1 ? 18 : 17), 0);
}

/** The most that can be had, by trying everything. */
function most(a: string, b: string, following = false): number {
  if (a === '' || b === '') return 0;
  const here = a[0] === b[0] ? (following ? 18 : 17) + most(a.slice(1), b.slice(1), true) : 0;
  return Math.max(here, most(a.slice(1), b), most(a, b.slice(1)));
}

describe('instructions that are the same in two versions', () => {
  const letters = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 8 });

  test('no other pairs weigh more', () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const pairs = align(code(a), code(b));
        equal(worth(pairs), most(a, b));
        let last = -1;
        pairs.forEach((to, from) => {
          if (to < 0) return;
          equal(a[from], b[to]);
          ok(to > last);
          last = to;
        });
      }),
      runs(100),
    );
  });

  test('an inserted statement takes no pairs from one that begins alike', () => {
    deepEqual([...align(code('XpCt'), code('XpBtpCt'))], [0, 4, 5, 6]);
    deepEqual([...align(code('XpCt'), code('XpCtpBt'))], [0, 1, 2, 3]);
  });

  test('large codes are aligned at instructions that occur once in both', () => {
    const large = Array.from({ length: 3000 }, (_, i) => i);
    const from = { ...code('A'.repeat(3000)), operands: Int32Array.from(large) };
    const to = {
      ...code('A'.repeat(3100)),
      operands: Int32Array.from([...large.slice(0, 1500), ...new Array<number>(100).fill(-7), ...large.slice(1500)]),
    };
    const changed = { ...to, operands: to.operands.map((each, i) => (i === 0 || i === 3099 ? -9 : each)) };
    const pairs = align(from, changed);
    equal(pairs[0], -1);
    equal(pairs[1], 1);
    equal(pairs[1499], 1499);
    equal(pairs[1500], 1600);
    equal(pairs[2998], 3098);
    equal(pairs[2999], -1);
  });
});
