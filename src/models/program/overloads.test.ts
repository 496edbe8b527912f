/** Names of places: alike only where the methods are, and accepted by the matcher as they are shown. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { NONE } from '../../base/flavor.js';
import { memorySource } from '../../bytes/byte-source.js';
import { readIprof } from '../../formats/iprof/read.js';
import { BINARY_TREE } from '../../testing/shared-data.js';
import { findFunctions, functionName, functionSignature, locationName, matchFunctions } from './names.js';
import { isOverloaded } from './overloads.js';
import { NO_LINE, type Program } from './program.js';
import { ProgramBuilder } from './program-builder.js';

/** `A.m(int)` at 1, `A.m(long)` at 1, `A.n(int)` at 1, `B.m(int)` at 1, `A.k` with two return types, and `A.u` without types. */
function drawn(): { program: Program; places: number[] } {
  const builder = new ProgramBuilder();
  const methods = [
    ['A', 'm', '(I)V'],
    ['A', 'm', '(J)V'],
    ['A', 'n', '(I)V'],
    ['B', 'm', '(I)V'],
    ['A', 'k', '(I)V'],
    ['A', 'k', '(I)J'],
    ['A', 'u', undefined],
  ] as const;
  const places = methods.map(([owner, name, descriptor]) => {
    const types = descriptor === undefined ? NONE : builder.name(descriptor);
    const method = builder.function(builder.class(builder.name(owner)), builder.name(name), NONE, types);
    return builder.location(method, NO_LINE, 1);
  });
  return { program: builder.finish(), places };
}

describe('names of places', () => {
  test('have parameter types if the class has another method of the same name', () => {
    const { program, places } = drawn();
    deepEqual(
      places.map((place) => locationName(program, place)),
      ['A.m(int):1', 'A.m(long):1', 'A.n:1', 'B.m:1', 'A.k:1', 'A.k:1', 'A.u:1'],
    );
  });

  test('of a profile are equal only if their methods are, with types', async () => {
    const { program } = await readIprof(memorySource('x', readFileSync(BINARY_TREE)));
    const { function: of } = program.locations;
    const spelled = new Map<string, Set<string>>();
    const signatures = new Map<string, Set<string>>();
    for (let place = 0; place < program.locations.length; place++) {
      const name = locationName(program, place);
      spelled.set(name, (spelled.get(name) ?? new Set()).add(functionSignature(program, of[place])));
    }
    for (let id = 0; id < program.functions.length; id++) {
      const name = functionName(program, id);
      signatures.set(name, (signatures.get(name) ?? new Set()).add(functionSignature(program, id)));
    }
    for (const [name, alike] of spelled) equal(alike.size, 1, `${name}: ${[...alike].join(' and ')}`);
    let typed = 0;
    for (let place = 0; place < program.locations.length; place++) {
      const name = locationName(program, place);
      const several = (signatures.get(functionName(program, of[place]))?.size ?? 0) > 1;
      if (several) typed++;
      const start = several ? functionSignature(program, of[place]) : functionName(program, of[place]);
      ok(name.startsWith(`${start}:`), name);
    }
    ok(typed > 100);
  });
});

describe('the matcher', () => {
  test('accepts a place, and a method with its types, as shown', () => {
    const { program, places } = drawn();
    for (const place of places) {
      const of = program.locations.function[place];
      for (const shown of [locationName(program, place), functionSignature(program, of)]) {
        equal(matchFunctions(program, shown)[of], 1, shown);
        ok(findFunctions(program, shown).includes(of), shown);
      }
    }
    deepEqual([...matchFunctions(program, 'A.m(long):1')], [0, 1, 0, 0, 0, 0, 0]);
  });

  test('accepts expressions as before, and rejects other text', () => {
    const { program } = drawn();
    deepEqual([...matchFunctions(program, '^A\\.m\\(')], [1, 1, 0, 0, 0, 0, 0]);
    deepEqual([...matchFunctions(program, 'm')], [1, 1, 0, 1, 0, 0, 0]);
    throws(() => matchFunctions(program, 'A.m('), SyntaxError);
  });
});

test('methods looked for one by one have the same answers as all together', async () => {
  const bytes = readFileSync(BINARY_TREE);
  const { program } = await readIprof(memorySource('a', bytes));
  const count = program.functions.length;
  const all = Array.from({ length: count }, (_, id) => isOverloaded(program, id));
  ok(all.includes(true) && all.includes(false));
  for (let id = 7; id < count; id += Math.ceil(count / 50)) {
    // Another object is another program, with nothing known yet.
    equal(isOverloaded({ ...program }, id), all[id], functionSignature(program, id));
  }
});
