/** Values by line for code looked up by place, such as native code: one function may have several bodies. */
import { deepStrictEqual } from 'node:assert/strict';
import { it } from 'node:test';
import { exclusiveByStack } from '../../analysis/stacks/stack-values.js';
import type { CodeInfo, FunctionCode } from '../../models/program/code.js';
import { loadObjectName } from '../../models/program/names.js';
import { nativePlace } from '../../models/program/places.js';
import { picture } from '../../testing/pictures/picture.js';
import { lineInCode, lineOfPlace, valuesByPlace } from './place-values.js';

const { program, profile } = picture(`
  @count  5             2              1              4
          app!main@10   app!main@10    app!main@10    app!main@10(9)
          app!add@20    app!add@80     lib.so!add@20
`);

/** Code with an instruction every 16 bytes, a line for each. */
function listing(first: number, offset: number): FunctionCode {
  const instructions = [0, 1, 2].map((i) => ({ offset: offset + 16 * i, text: 'nop', line: first + i }));
  return {
    listing: instructions,
    lines: instructions.map(({ line }) => line),
    source: undefined,
    lineAt: (at) => instructions.find((instruction) => instruction.offset === at)?.line ?? 0,
  };
}

const info: CodeInfo = {
  codeOf: (location) => {
    const place = nativePlace(program, location);
    if (place === undefined || loadObjectName(program, place.loadObject) !== 'app')
      return { reason: 'no file', text: 'lib.so is not there' };
    return { code: place.offset < 0x80 ? listing(1, 0x10) : listing(7, 0x80), offset: place.offset };
  },
};

it('lines are the recorded ones, else those in the code of the place', () => {
  const lines = Array.from({ length: program.locations.length }, (_, id) => lineOfPlace(program, info, id));
  deepStrictEqual(lines, [1, 2, 7, 0, 9]);
  deepStrictEqual(lineInCode(info, 0, 0x30), 3);
  deepStrictEqual(lineInCode(undefined, 0), 0);
});

it('values are summed by line, recursion counted once', () => {
  const [metric] = profile.metrics;
  if (metric === undefined) throw new Error('a picture has a metric');
  const exclusive = exclusiveByStack(profile, metric);
  const { self, total } = valuesByPlace(profile, metric, exclusive, (id) => lineOfPlace(program, info, id), 10);
  deepStrictEqual([...self], [1, 0, 5, 0, 0, 0, 0, 2, 0, 4]);
  deepStrictEqual([...(total ?? [])], [1, 8, 5, 0, 0, 0, 0, 2, 0, 4]);
});
