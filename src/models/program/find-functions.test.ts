/** `findFunctions` skips most functions by the method's own name; here every name of real recordings is spelled out. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { fileSource } from '../../bytes/file.node.js';
import { readCollapsed } from '../../formats/collapsed/read.js';
import { readIprof } from '../../formats/iprof/read.js';
import { runs } from '../../testing/amount.js';
import { BINARY_TREE, ROOT } from '../../testing/shared-data.js';
import { findFunctions, functionName, functionSignature } from './names.js';
import type { Program } from './program.js';

const close = (text: string): string => text.replaceAll(/, +/g, ',');

/** Functions with exactly this name; if there are none, those with a name that ends with it after a dot. */
function spelledOut(names: readonly (readonly string[])[], text: string): number[] {
  const ids = (test: (name: string) => boolean): number[] => names.flatMap((all, id) => (all.some(test) ? [id] : []));
  const exact = ids((name) => name === text || close(name) === close(text));
  return exact.length > 0 ? exact : ids((name) => name.endsWith(`.${text}`) || close(name).endsWith(`.${close(text)}`));
}

function namesOf(program: Program): string[][] {
  return Array.from({ length: program.functions.length }, (_, id) => [
    functionName(program, id),
    functionSignature(program, id),
  ]);
}

const STACKS = join(ROOT, 'src/formats/collapsed/fixtures');
for (const [name, read] of [
  [BINARY_TREE, readIprof],
  [join(STACKS, 'pyspy-tracer.collapsed'), readCollapsed],
] as const) {
  test(`the functions of ${name.slice(ROOT.length)}`, async () => {
    const { program } = await read(await fileSource(name));
    const names = namesOf(program);
    const asked = fc
      .tuple(fc.nat(names.length - 1), fc.nat(1), fc.nat(6), fc.boolean())
      .map(([id, kind, dots, closed]) => {
        const text = names[id]?.[kind] ?? '';
        const tail = text
          .split('.')
          .slice(-1 - dots)
          .join('.');
        return closed ? close(tail) : tail;
      });
    fc.assert(
      fc.property(asked, (text) => {
        const expected = spelledOut(names, text);
        // Without such a function the text is a pattern.
        if (text !== '' && expected.length > 0) assert.deepEqual(findFunctions(program, text), expected, text);
      }),
      runs(200),
    );
  });
}
