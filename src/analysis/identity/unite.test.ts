import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { MATCHES, type Match, type United, unite } from './unite.js';

interface Spec {
  readonly type?: string;
  readonly name: string;
  readonly descriptor?: string;
  readonly loader?: string;
  /** Of native functions: path of the load object, compile unit, and where it begins. */
  readonly path?: string;
  readonly unit?: string;
  readonly start?: number;
}

function program(...functions: readonly Spec[]): Program {
  const builder = new ProgramBuilder();
  for (const { type, name, descriptor, loader, path, unit, start } of functions) {
    if (type === undefined && (path !== undefined || unit !== undefined)) {
      const loadObject = path === undefined ? -1 : builder.loadObject(builder.name(path), 'library');
      const of = builder.unit(unit === undefined ? -1 : builder.name(unit), loadObject);
      builder.native(builder.name(name), { unit: of, ...(start === undefined ? {} : { start }) });
      continue;
    }
    const declaring =
      type === undefined ? -1 : builder.class(builder.name(type), loader === undefined ? -1 : builder.name(loader));
    builder.function(declaring, builder.name(name), -1, descriptor === undefined ? -1 : builder.name(descriptor));
  }
  return builder.finish();
}

/** Rows as `name match: programs`. */
function told({ rows, name, match, length }: United): string[] {
  return Array.from({ length }, (_, row) => {
    const members = rows.flatMap((of, program) => [...of].flatMap((to) => (to === row ? [program] : [])));
    return `${name(row)} ${MATCHES[match[row] ?? 0]}: ${members.join('')}`;
  }).sort();
}

describe('functions of several programs', () => {
  const full = { type: 'a.B', name: 'm', descriptor: '(I)V' };
  const cases: readonly (readonly [string, readonly Program[], readonly string[]])[] = [
    ['all is known', [program(full), program(full)], ['a.B.m(int) exact: 01']],
    ['one knows no parameters', [program({ type: 'a.B', name: 'm' }), program(full)], ['a.B.m(int) by name: 01']],
    [
      'two overloads, none is guessed',
      [program({ type: 'a.B', name: 'm' }), program(full, { ...full, descriptor: '(J)V' })],
      ['a.B.m ambiguous: 0', 'a.B.m(int) alone: 1', 'a.B.m(long) alone: 1'],
    ],
    [
      'return types tell bridges apart',
      [program(full, { ...full, descriptor: '(I)I' }), program({ ...full, descriptor: '(I)I' })],
      ['a.B.m(int) alone: 0', 'a.B.m(int) exact: 01'],
    ],
    [
      'loaders that are known and differ',
      [program({ ...full, loader: 'app' }), program({ ...full, loader: 'web' })],
      ['a.B.m(int) alone: 0', 'a.B.m(int) alone: 1'],
    ],
    [
      'a module in two versions',
      [program({ ...full, loader: 'java.base@17.0.15' }), program({ ...full, loader: 'java.base@25' })],
      ['a.B.m(int) exact: 01'],
    ],
    ['a loader that only one knows', [program({ ...full, loader: 'app' }), program(full)], ['a.B.m(int) by name: 01']],
    [
      'one knows the loader, the other the return type',
      [program({ ...full, descriptor: '(I)L?;', loader: 'app' }), program(full)],
      ['a.B.m(int) by name: 01'],
    ],
    [
      'one knows the loader, and the other has a bridge: none is guessed',
      [program({ ...full, descriptor: '(I)L?;', loader: 'app' }), program(full, { ...full, descriptor: '(I)I' })],
      ['a.B.m(int) ambiguous: 0', 'a.B.m(int) ambiguous: 1', 'a.B.m(int) ambiguous: 1'],
    ],
    [
      'run-time numbers mean nothing',
      [program({ ...full, type: 'a.B$$Lambda$7/0x01' }), program({ ...full, type: 'a.B$$Lambda$8/0x02' })],
      ['a.B$$Lambda/*.m(int) exact: 01'],
    ],
    [
      'a hash of another build',
      [program({ ...full, name: `m_${'a'.repeat(40)}` }), program({ ...full, name: `m_${'b'.repeat(40)}` })],
      ['a.B.m_*(int) by name: 01'],
    ],
    [
      'hashes: equal ones first, then the one that is left on each side',
      [
        program({ ...full, name: `m_${'a'.repeat(40)}` }, { ...full, name: `m_${'c'.repeat(40)}` }),
        program({ ...full, name: `m_${'c'.repeat(40)}` }, { ...full, name: `m_${'b'.repeat(40)}` }),
      ],
      ['a.B.m_*(int) by name: 01', `a.B.m_${'c'.repeat(40)}(int) exact: 01`],
    ],
    [
      'hashes: two are left on one side',
      [
        program({ ...full, name: `m_${'a'.repeat(40)}` }, { ...full, name: `m_${'c'.repeat(40)}` }),
        program({ ...full, name: `m_${'b'.repeat(40)}` }),
      ],
      [
        `a.B.m_${'a'.repeat(40)}(int) ambiguous: 0`,
        `a.B.m_${'b'.repeat(40)}(int) ambiguous: 1`,
        `a.B.m_${'c'.repeat(40)}(int) ambiguous: 0`,
      ],
    ],
  ];
  const libz = { name: 'inflate', path: '/usr/lib/libz.so.1' };
  const native: readonly (readonly [string, readonly Program[], readonly string[]])[] = [
    [
      'one knows the unit, the other the load object',
      [program({ name: 'm', unit: '/a/m.c' }), program({ name: 'm', path: '/bin/app' })],
      ['m (/a/m.c) by name: 01'],
    ],
    [
      'one knows the load object, the other the unit',
      [program({ name: 'm', path: '/bin/app' }), program({ name: 'm', unit: '/a/m.c' })],
      ['m (/a/m.c) by name: 01'],
    ],
    ['one load object', [program(libz), program(libz)], ['inflate (libz.so.1) exact: 01']],
    [
      'two builds begin elsewhere',
      [program({ ...libz, start: 16 }), program({ ...libz, start: 32 })],
      ['inflate (libz.so.1) exact: 01'],
    ],
    [
      'another folder',
      [
        program({ name: 'f', path: '/a/bin/app', unit: '/a/src/f.c' }),
        program({ name: 'f', path: '/b/bin/app', unit: '/b/src/f.c' }),
      ],
      ['f (/a/src/f.c) by name: 01'],
    ],
    [
      'another load object',
      [program(libz), program({ ...libz, path: '/opt/lib/libzng.so.2' })],
      ['inflate (libz.so.1) alone: 0', 'inflate (libzng.so.2) alone: 1'],
    ],
    [
      'two folders that may both be meant',
      [program({ ...libz, path: '/a/libz.so.1' }, { ...libz, path: '/b/libz.so.1' }), program(libz)],
      ['inflate (libz.so.1) ambiguous: 0', 'inflate (libz.so.1) ambiguous: 0', 'inflate (libz.so.1) ambiguous: 1'],
    ],
    [
      'two units of one load object',
      [
        program({ ...libz, unit: 'a.c' }, { ...libz, unit: 'b.c' }),
        program({ ...libz, unit: 'a.c' }, { ...libz, unit: 'b.c' }),
      ],
      ['inflate (a.c) exact: 01', 'inflate (b.c) exact: 01'],
    ],
    ['a unit that only one knows', [program({ ...libz, unit: 'a.c' }), program(libz)], ['inflate (a.c) by name: 01']],
    [
      'a recording of names only',
      [program({ ...libz, unit: 'a.c' }), program({ name: 'inflate' })],
      ['inflate (a.c) by name: 01'],
    ],
  ];
  for (const [what, programs, expected] of [...cases, ...native])
    test(what, () => {
      deepStrictEqual(told(unite(programs).functions), [...expected].sort());
    });

  const spec = fc.record(
    {
      type: fc.constantFrom('A', 'B', 'A$$Lambda$3', `A$$Lambda$${'e'.repeat(40)}`),
      name: fc.constantFrom('m', 'n', `m_${'a'.repeat(40)}`, `m_${'b'.repeat(40)}`),
      descriptor: fc.constantFrom('()V', '(I)V', '(LA;)I'),
      loader: fc.constantFrom('app', 'web'),
    },
    { requiredKeys: ['type', 'name'] },
  );
  const nativeSpec = fc.record(
    {
      name: fc.constantFrom('m', 'n', `m_${'a'.repeat(40)}`, `m_${'b'.repeat(40)}`),
      path: fc.constantFrom('/a/app', '/b/app', '/b/lib'),
      unit: fc.constantFrom('/a/m.c', '/b/m.c', 'n.c'),
      start: fc.constantFrom(16, 32),
    },
    { requiredKeys: ['name'] },
  );
  const programs = fc.array(
    fc.array(fc.oneof<fc.Arbitrary<Spec>[]>(spec, nativeSpec), { maxLength: 6 }).map((specs) => program(...specs)),
    { minLength: 1, maxLength: 4 },
  );

  describe('thousands of overloads of one name are joined as quickly as those of many names', () => {
    const letters = (i: number): string =>
      [...i.toString(3).padStart(11, '0')].map((digit) => 'IJD'[Number(digit)]).join('');
    const overloads = (returns: string, loader?: string): Program =>
      program(
        ...Array.from({ length: 5_000 }, (_, i) => ({
          type: 'A',
          name: `m_${'a'.repeat(40)}`,
          descriptor: `(${letters(i)})${returns}`,
          ...(loader === undefined ? {} : { loader }),
        })),
      );
    const cases: readonly (readonly [string, Program, Match])[] = [
      ['all is known', overloads('V'), 'exact'],
      ['one knows the loader, too', overloads('V', 'app'), 'by name'],
      ['one knows the loader, the other the return type', overloads('L?;', 'app'), 'by name'],
    ];
    for (const [what, other, expected] of cases)
      test(what, () => {
        const { functions } = unite([overloads('V'), other]);
        equal(functions.length, 5_000);
        ok(functions.match.every((match) => MATCHES[match] === expected));
      });
  });

  test('every function has a row, and every row a function', () => {
    fc.assert(
      fc.property(programs, (of) => {
        const { functions } = unite(of);
        const seen = new Set<number>();
        functions.rows.forEach((rows, i) => {
          equal(rows.length, of[i]?.functions.length);
          for (const row of rows) seen.add(row);
        });
        equal(seen.size, functions.length);
        for (const row of seen) ok(row >= 0 && row < functions.length);
      }),
      runs(100),
    );
  });

  test('the order of the programs does not matter', () => {
    fc.assert(
      fc.property(programs, (of) => {
        const back = unite([...of].reverse()).functions;
        const turned: United = { ...back, rows: [...back.rows].reverse() };
        deepStrictEqual(told(turned), told(unite(of).functions));
      }),
      runs(100),
    );
  });

  test('programs with complete names are joined as beside an incomplete one', () => {
    const whole = fc.record({
      type: fc.constantFrom('A', 'B', 'A$$Lambda$3', `A$$Lambda$${'e'.repeat(40)}`, '[LA;'),
      name: fc.constantFrom('m', 'n', `m_${'a'.repeat(40)}`, `m_${'b'.repeat(40)}`),
      descriptor: fc.constantFrom('()V', '(I)V', '(LA;)I', '(LA$$Lambda$4;I)V'),
    });
    const telling = fc.array(
      fc.array(whole, { maxLength: 6 }).map((specs) => program(...specs)),
      { minLength: 1, maxLength: 4 },
    );
    // Overloads with fewer details in the other program do not belong to this.
    const less = program({ type: 'Z', name: 'z' });
    fc.assert(
      fc.property(telling, (of) => {
        const beside = told(unite([...of, less, less]).functions).filter((row) => !row.startsWith('Z.z '));
        const apart = told(unite([...of, program(), program()]).functions);
        deepStrictEqual(apart, beside);
      }),
      runs(100),
    );
  });
});
