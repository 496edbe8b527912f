/** Lines of functions that were made at run time, beside those that gprofng prints, and in damaged files. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProblemLog } from '../../../base/problems.js';
import { lineIn } from '../../../models/program/code.js';
import { openInputs } from '../../../session/open.node.js';
import { ask } from '../../../session/session.js';
import { readDynamicCodes } from './dynamic-code.js';

const DATA = process.env.KANSOKU_DATA;

test('lines are those that gprofng prints', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const expected = readFileSync(join(DATA, 'experiments/expected/api-dyn/lines.txt'), 'utf8');
  const [, self] = /^(\d+\.\d+) .*countdown, line 11 in "countdown.gen"$/m.exec(expected) ?? [];
  const path = join(DATA, 'experiments/api-dyn.er.tar.gz');
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  const { rows } = await ask(session, { view: 'functions', options: { by: 'line' }, page: { limit: 0 } });
  await session.close();
  const row = rows.find((each) => each.function.startsWith('countdown'));
  equal(row?.function, 'countdown(countdown.gen:11)');
  equal(((row?.self ?? 0) / 1e9).toFixed(3), self);
});

/** A file with one function: its address, a source, lines from 0, 4 and 9 on. */
function file(littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(24 + 24 + 32);
  const view = new DataView(bytes.buffer);
  const words = (at: number, values: readonly number[]): void =>
    values.forEach((value, i) => {
      view.setUint32(at + i * 4, value, littleEndian);
    });
  const wide = (value: number): number[] => (littleEndian ? [value, 0] : [0, value]);
  words(0, [1, 24, ...wide(500), ...wide(0x4000)]);
  words(24, [4, 24]);
  bytes.set(new TextEncoder().encode('made.c'), 32);
  words(48, [3, 32, 9, 30, 0, 10, 4, 20]);
  return bytes;
}

for (const littleEndian of [true, false])
  test(`entries begin at their offsets, ${littleEndian ? 'little' : 'big'}-endian`, () => {
    const problems = new ProblemLog();
    const codes = readDynamicCodes(file(littleEndian), 'dyntext', { littleEndian, problems });
    const code = codes.at({ high: 0, low: 0x4000 }, 600);
    equal(code?.source, 'made.c');
    const lines = [0, 3, 4, 8, 9, 100].map((offset) => code && lineIn(code, offset));
    deepStrictEqual(lines, [10, 10, 20, 20, 30, 30]);
    equal(codes.at({ high: 0, low: 0x5000 }, 600), undefined);
    deepStrictEqual(problems.finish().list, []);
  });

test('a file that ends early has the records before the end', () => {
  const whole = file(true);
  for (let length = 0; length <= whole.length; length++) {
    const problems = new ProblemLog();
    const codes = readDynamicCodes(whole.subarray(0, length), 'dyntext', { littleEndian: true, problems });
    equal(codes.at({ high: 0, low: 0x4000 }, 600) !== undefined, length >= 24, `${length}`);
    for (const { offset = -1 } of problems.finish().list) ok([0, 24, 48].includes(offset));
  }
});
