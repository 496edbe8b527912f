import { deepStrictEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LoadObjectKind, Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { uniteLoadObjects } from './load-objects.js';

interface Spec {
  readonly path: string;
  readonly build?: string;
  readonly kind?: LoadObjectKind;
}

function program(...specs: readonly Spec[]): Program {
  const builder = new ProgramBuilder();
  for (const { path, build, kind = 'library' } of specs)
    builder.loadObject(builder.name(path), kind, build === undefined ? -1 : builder.name(build));
  return builder.finish();
}

/** Whether the only load objects of two programs are one. */
function same(one: Spec, other: Spec): boolean {
  const [a = -1, b = -1] = uniteLoadObjects([program(one), program(other)]).map(([row]) => row);
  return a === b && a >= 0;
}

describe('load objects of two programs', () => {
  it('are the same if their build ids are, under any name', () => {
    deepStrictEqual(same({ path: '/a/app', build: '4f' }, { path: '/b/app', build: '4f' }), true);
    deepStrictEqual(same({ path: '/a/app', build: '4f' }, { path: '/a/app', build: '50' }), false);
  });

  it('are the same by path if a build id is missing', () => {
    deepStrictEqual(same({ path: '/a/app' }, { path: '/a/app' }), true);
    deepStrictEqual(same({ path: '/a/app' }, { path: '/a/app', build: '4f' }), true);
    deepStrictEqual(same({ path: '/a/app' }, { path: '/b/app' }), false);
  });

  it('are not the same if the path has several builds', () => {
    const rows = uniteLoadObjects([
      program({ path: '/a/app', build: '4f' }),
      program({ path: '/a/app', build: '50' }),
      program({ path: '/a/app' }),
    ]);
    deepStrictEqual(new Set(rows.map(([row]) => row)).size, 3);
  });

  it('are never the same for code made at run time', () => {
    deepStrictEqual(same({ path: '[jit]', kind: 'jit' }, { path: '[jit]', kind: 'jit' }), false);
  });

  it('do not depend on the order of the programs', () => {
    const spec = fc.record(
      {
        path: fc.constantFrom('/a/app', '/b/app', '[jit]'),
        build: fc.constantFrom('4f', '50'),
        kind: fc.constantFrom<LoadObjectKind>('library', 'jit'),
      },
      { requiredKeys: ['path'] },
    );
    const programs = fc.array(
      fc.array(spec, { maxLength: 4 }).map((specs) => program(...specs)),
      { minLength: 1, maxLength: 4 },
    );
    /** By program and row: the first program and row that is the same. */
    const classes = (rows: readonly Int32Array[]): string[][] => {
      const all = rows.flatMap((of, place) => [...of].map((row, id) => ({ row, place, id })));
      return rows.map((of) =>
        [...of].map((row) => {
          const first = all.find((other) => other.row === row && row >= 0);
          return first === undefined ? 'none' : `${first.place} ${first.id}`;
        }),
      );
    };
    fc.assert(
      fc.property(programs, (of) => {
        const there = uniteLoadObjects(of);
        const back = [...uniteLoadObjects([...of].reverse())].reverse();
        deepStrictEqual(classes(back), classes(there));
      }),
      runs(1000),
    );
  });
});
