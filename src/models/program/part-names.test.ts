/** Names of clones, outlined code and bodies of parallel constructs. The first four are those of the manual of the Performance Analyzer. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { partName, partOf, readPartName, shownSymbol } from './part-names.js';

/** The linker's name, and the readable one; `line`: where the code begins. */
function readable(symbol: string, line?: number): string | undefined {
  const part = partOf(symbol);
  return part && partName(part, symbol, part.origin, line);
}

test('names that compilers encoded are readable, with their origin', () => {
  for (const [symbol, expected, line] of [
    ['_$p1C9.bardo_', 'bardo_ -- OMP parallel region from line 9 [_$p1C9.bardo_]'],
    ['_$d1A7.atomsum_', 'atomsum_ -- Parallel loop from line 7 [_$d1A7.atomsum_]'],
    ['_$s1AB120.f', 'f -- OMP sections from line 120 [_$s1AB120.f]'],
    ['_$t1A3.f', 'f -- OMP task from line 3 [_$t1A3.f]'],
    ['_$l1A3.f', 'f -- Parallel loop from line 3 [_$l1A3.f]'],
    ['_$o1B33.main', 'main -- outline code from line 33 [_$o1B33.main]'],
    ['_$c1A.run', 'run -- cloned version [_$c1A.run]'],
    ['hash.constprop.0', 'hash -- cloned version [hash.constprop.0]', 12],
    ['hash.isra.12', 'hash -- cloned version [hash.isra.12]'],
    ['hash.lto_priv.0', 'hash -- cloned version [hash.lto_priv.0]'],
    ['hash.clone.3', 'hash -- cloned version [hash.clone.3]'],
    ['hash.llvm.1234567', 'hash -- cloned version [hash.llvm.1234567]'],
    ['failed.cold', 'failed -- outline code from line 12 [failed.cold]', 12],
    ['failed.part.0.cold.3', 'failed -- outline code [failed.part.0.cold.3]'],
    ['hash.constprop.0.isra.0.cold', 'hash -- outline code [hash.constprop.0.isra.0.cold]'],
    ['work._omp_fn.0', 'work -- OMP region from line 7 [work._omp_fn.0]', 7],
    ['work._omp_fn.1.cold', 'work -- OMP region [work._omp_fn.1.cold]'],
    ['main.omp_outlined', 'main -- OMP region [main.omp_outlined]'],
    ['main.omp_outlined_debug__.1', 'main -- OMP region [main.omp_outlined_debug__.1]'],
    ['.omp_outlined.', 'OMP region from line 5 [.omp_outlined.]', 5],
    ['.omp_outlined._debug__.2', 'OMP region [.omp_outlined._debug__.2]'],
    ['.omp_outlined..17', 'OMP region [.omp_outlined..17]'],
  ] as const)
    equal(readable(symbol, line), expected, symbol);
});

test('other names are no parts', () => {
  for (const name of [
    'main',
    'a.b',
    'cold',
    'partial.1',
    'f.cold_start',
    '_$x1A7.f',
    '_$d1A7',
    'x.isra_7',
    'f.part.x',
    '',
  ])
    equal(partOf(name), undefined, name);
});

test('the readable name gives back origin and symbol', () => {
  for (const symbol of [
    '_$p1C9.bardo_',
    'hash.constprop.0',
    'failed.cold',
    '_$o1B33.main',
    'a.isra.0',
    'w._omp_fn.0',
  ]) {
    const part = partOf(symbol);
    for (const line of [undefined, 8])
      deepStrictEqual(readPartName(part ? partName(part, symbol, part.origin, line) : ''), {
        origin: part?.origin,
        symbol,
      });
  }
  deepStrictEqual(readPartName('OMP region from line 5 [.omp_outlined.]'), {
    origin: undefined,
    symbol: '.omp_outlined.',
  });
  for (const name of ['main', 'a -- b [c]', 'std::vector<int> [clone .isra.0]', 'cloned version', ''])
    equal(readPartName(name), undefined, name);
});

test('names that may be of no linker are read only if they are encoded', () => {
  equal(shownSymbol('java.lang.Object.clone'), 'java.lang.Object.clone');
  equal(shownSymbol('scale.part.0'), 'scale.part.0');
  equal(shownSymbol('_$d1A7.atomsum_'), 'atomsum_ -- Parallel loop from line 7 [_$d1A7.atomsum_]');
});
