/** Programs with native code: identity and names of places, and columns. */
import { deepStrictEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { functionSignature, locationName, placeName } from './names.js';
import { bciOf, inlinedIntoOf, lineOf, nativePlace, OffsetTable } from './places.js';
import { FRAME_MODES, FUNCTION_KINDS, UNKNOWN_BCI } from './program.js';
import { ProgramBuilder } from './program-builder.js';

/** `/opt/app/bin/shop` with a unit `src/cart.c` and a function `total` that begins at 0x1000. */
function shop() {
  const program = new ProgramBuilder();
  const loadObject = program.loadObject(program.name('/opt/app/bin/shop'), 'executable', program.name('4fc5'));
  const unit = program.unit(program.name('src/cart.c'), loadObject);
  const total = program.native(program.name('total'), { unit, start: 0x1000 });
  return { program, loadObject, unit, total };
}

describe('places in native code', () => {
  it('are the same if load object, offset, function and line are', () => {
    const { program, loadObject, total } = shop();
    const place = { loadObject, offset: 0x101c };
    const first = program.nativeLocation(total, place);
    equal(program.nativeLocation(total, { ...place }), first);
    equal(program.loadObject(program.name('/opt/app/bin/shop'), 'executable', program.name('4fc5')), loadObject);
    ok(program.loadObject(program.name('/opt/app/bin/shop'), 'executable', program.name('77aa')) !== loadObject);
    const others = [
      program.nativeLocation(total, { loadObject, offset: 0x101d }),
      program.nativeLocation(total, { loadObject, offset: 0x101c + 2 ** 32 }),
      program.nativeLocation(total, place, { line: 7 }),
      program.nativeLocation(program.native(program.name('total')), place),
      program.nativeLocation(total, place, { inlinedInto: first }),
      program.location(total),
    ];
    equal(new Set([first, ...others]).size, 7);
  });

  it('are named by line, offset in the function, or offset in the load object', () => {
    const { program, loadObject, unit, total } = shop();
    const libc = program.loadObject(program.name('/usr/lib/libc.so.6'), 'library');
    const at = (of: number, object: number, offset: number, line?: number): number =>
      program.nativeLocation(of, { loadObject: object, offset }, line === undefined ? {} : { line });
    const places = [
      at(total, loadObject, 0x101c),
      at(total, loadObject, 0x101c, 33),
      at(program.native(program.name('tax'), { unit }), loadObject, 0x2000),
      at(program.native(program.name('tax'), { file: program.name('tax.c') }), loadObject, 0x2000, 5),
      // Its outlined part lies before it, a copy in another load object.
      at(total, loadObject, 0xf00),
      at(total, libc, 0x101c),
      at(-1, libc, 0x5d0),
      at(-1, program.loadObject(program.name('[vdso]'), 'library'), 0x10),
      at(-1, program.unmapped(0xffff_ffff), 0x8110_d9c4),
      at(-1, program.unmapped(0), 0x10),
    ];
    const finished = program.finish();
    deepStrictEqual(
      places.map((id) => locationName(finished, id)),
      [
        'total+0x1c',
        'total(src/cart.c:33)',
        'tax(shop!0x2000)',
        'tax(tax.c:5)',
        'total(shop!0xf00)',
        'total(libc.so.6!0x101c)',
        'libc.so.6!0x5d0',
        '[vdso]!0x10',
        '0xffffffff8110d9c4',
        '0x0000000000000010',
      ],
    );
    deepStrictEqual(
      [0, 2, 8].map((i) => placeName(finished, places[i] ?? -1)),
      ['+0x1c', 'shop!0x2000', '0xffffffff8110d9c4'],
    );
    deepStrictEqual(
      Array.from({ length: finished.functions.length }, (_, id) => functionSignature(finished, id)),
      ['total (src/cart.c)', 'tax (src/cart.c)', 'tax (tax.c)', '[libc.so.6]', '[vdso]', '[unknown]'],
    );
    deepStrictEqual(
      Array.from(finished.functions.kind, (kind) => FUNCTION_KINDS[kind]),
      ['native', 'native', 'native', 'pseudo', 'pseudo', 'pseudo'],
    );
  });

  it('are named by the load object if the function is unknown', () => {
    const program = new ProgramBuilder();
    const malloc = (path: string) =>
      program.native(program.name('malloc'), {
        unit: program.unit(-1, program.loadObject(program.name(path), 'library')),
      });
    ok(malloc('/usr/lib/libc.so.6') !== malloc('/opt/lib/libjemalloc.so.2'));
    equal(malloc('/usr/lib/libc.so.6'), 0);
    const finished = program.finish();
    deepStrictEqual(
      [0, 1].map((id) => functionSignature(finished, id)),
      ['malloc (libc.so.6)', 'malloc (libjemalloc.so.2)'],
    );
  });

  it('are distinguished from places in bytecode by accessors', () => {
    const { program, loadObject, total } = shop();
    const outer = program.nativeLocation(total, { loadObject, offset: 2 ** 40 + 3 }, { line: 3 });
    const inner = program.nativeLocation(total, { loadObject, offset: 2 ** 40 + 3 }, { inlinedInto: outer });
    const compiled = program.nativeLocation(total, { loadObject, offset: 8 }, { mode: 'jit' });
    const bytecode = program.location(total, 0, 17);
    const finished = deserialize(serialize(program.finish()));
    deepStrictEqual(
      [outer, inner, bytecode].map((id) => nativePlace(finished, id)),
      [{ loadObject, offset: 2 ** 40 + 3 }, { loadObject, offset: 2 ** 40 + 3 }, undefined],
    );
    deepStrictEqual(
      [outer, inner, bytecode].map((id) => bciOf(finished, id)),
      [UNKNOWN_BCI, UNKNOWN_BCI, 17],
    );
    deepStrictEqual(
      [outer, inner, bytecode].map((id) => lineOf(finished, id)),
      [3, 0, 0],
    );
    deepStrictEqual(
      [outer, inner, bytecode].map((id) => inlinedIntoOf(finished, id)),
      [-1, outer, -1],
    );
    deepStrictEqual(
      [outer, inner, compiled].map((id) => FRAME_MODES[finished.locations.mode[id]]),
      ['unknown', 'inlined', 'jit'],
    );
  });

  it('add no columns and tables if there are none', () => {
    const program = new ProgramBuilder();
    program.location(program.function(-1, program.name('f')));
    const { locations, functions, ...tables } = program.finish();
    deepStrictEqual(Object.keys(locations), ['length', 'function', 'line']);
    deepStrictEqual(Object.keys(tables), ['names', 'classes']);
    equal(functions.unit, undefined);
  });

  it('are rejected if impossible', () => {
    const { program, loadObject, total } = shop();
    for (const offset of [-1, 0.5, 2 ** 53, Number.NaN])
      throws(() => program.nativeLocation(total, { loadObject, offset }), /is not an offset/);
    throws(() => program.nativeLocation(total, { loadObject, offset: 0 }, { inlinedInto: 0 }), /no location 0/);
  });

  it('keep offsets up to 2^53 exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.maxSafeNat())), (pairs) => {
        const table = new OffsetTable();
        const ids = pairs.map(([row, offset]) => table.add(row, offset));
        const { row, offset } = table.columns();
        deepStrictEqual(
          ids.map((id) => [row[id], offset[id]]),
          pairs,
        );
        equal(row.length, new Set(pairs.map(String)).size);
      }),
      runs(1000),
    );
  });
});
