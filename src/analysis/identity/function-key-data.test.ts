/** Keys of the functions of real recordings, beside what `unite` joins. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Program } from '../../models/program/program.js';
import { openInputs } from '../../session/open.node.js';
import { namedRecordings } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';
import { functionKey, functionsOfKey, stemOf } from './function-key.js';
import { unite } from './unite.js';

async function programsOf(names: readonly string[]): Promise<Program[]> {
  const session = await openInputs(names, { cache: false, announce: () => undefined, work: {} });
  try {
    return (await namedRecordings(session)).map(({ program }) => program);
  } finally {
    await session.close();
  }
}

function keysOf(program: Program): (string | undefined)[] {
  return Array.from({ length: program.functions.length }, (_, id) => functionKey(program, id));
}

/** The texts of both lists, each once. */
function shared(first: readonly (string | undefined)[], second: readonly (string | undefined)[]): Set<string> {
  const others = new Set(second);
  return new Set(first.flatMap((text) => (text !== undefined && others.has(text) ? [text] : [])));
}

/**
 * Two runs of a program each. `same`: both recordings say the same of each function, so the keys that they share are the rows that unite. Others know
 * other details, or are of other builds: fewer keys are equal.
 */
const PAIRS: readonly (readonly [first: string, second: string, same?: 'same'])[] = [
  ['shop/s17def.jfr', 'shop/late.jfr', 'same'],
  ['shop/s17def.jfr', 'shop/s25virt.jfr', 'same'],
  ['interop/jfr/warehouse-jdk17.jfr', 'interop/jfr/warehouse-jdk25.jfr.gz', 'same'],
  ['experiments/java17.er.tar.gz', 'interop/jfr/warehouse-jdk17.jfr', 'same'],
  ['experiments/c-single.er.tar.gz', 'experiments/deb240-c-single.er.tar.gz'],
  ['experiments/c-single.er.tar.gz', 'experiments/c-single-dwarf5.er.tar.gz'],
  ['experiments/threads-sync.er.tar.gz', 'experiments/deb240-threads-sync.er.tar.gz'],
  ['interop/collapsed/own-depot.collapsed', 'interop/collapsed/own-depot-second-run.collapsed', 'same'],
  ['interop/jfr/ap44-warehouse.jfr.gz', 'interop/collapsed/ap44-warehouse-threads.collapsed.gz'],
  ['hprof/agent/cpu-samples.txt', 'hprof/agent/cpu-times.txt', 'same'],
  ['hprof/agent/cpu-samples.txt', 'hprof/agent/cpu-samples.hprof'],
  ['iprof/krisfoster-binary-tree.iprof', 'iprof/f-cramer-some-compiler.iprof'],
];

for (const [first, second, same] of PAIRS)
  test(`${first} and ${second}`, async (t) => {
    const paths = [first, second].flatMap((path) => sharedData(t, path) ?? []);
    if (paths.length < 2) return;
    const programs = await programsOf(paths);
    const { rows } = unite(programs).functions;
    const keys = programs.map(keysOf);
    const rowOf = new Map<string, number>();
    for (const [i, list] of keys.entries())
      for (const [id, key] of list.entries()) {
        if (key === undefined) continue;
        equal(rows[i][id], rowOf.get(key) ?? rows[i][id], key);
        rowOf.set(key, rows[i][id]);
      }
    const [one, other] = keys;
    const [named, stems] = [
      shared(one, other),
      shared(
        one.map((key) => key && stemOf(key)),
        other.map((key) => key && stemOf(key)),
      ),
    ];
    const joined = new Set(rows[1]);
    const united = new Set(rows[0].filter((row) => joined.has(row))).size;
    ok(stems.size > 0 && named.size <= united, `${named.size} keys, ${united} rows`);
    if (same !== undefined) equal(named.size, united);
    // A sample of the functions: each look-up reads all names.
    for (const key of [...named].filter((_, i) => i % 97 === 0))
      for (const [i, program] of programs.entries()) {
        const { functions, sameBuild } = functionsOfKey(program, key);
        ok(sameBuild && functions.every((id) => keys[i][id] === key) && functions.length > 0, key);
      }
  });

test('keys of one build of a C program are equal, those of another build differ in the build id', async (t) => {
  const names = ['c-single', 'deb240-c-single', 'c-single-dwarf5'].map((name) => `experiments/${name}.er.tar.gz`);
  const paths = names.flatMap((name) => sharedData(t, name) ?? []);
  if (paths.length < 3) return;
  const [run, again, rebuilt] = (await programsOf(paths)).map((program) => {
    const keys = keysOf(program).filter((key) => key !== undefined);
    return new Map(keys.filter((key) => key.includes(';o=cpuwork')).map((key) => [stemOf(key), key]));
  });
  ok(again.size >= 8);
  for (const [stem, key] of again) equal(run.get(stem), key);
  const [id, otherId] = ['f239d887bb28ed209c27e46717bfc7323f8a0415', 'c308fb7098e47e951089d812220931915741f088'];
  for (const [stem, key] of run) equal(rebuilt.get(stem), key.replace(`;B=${id};`, `;B=${otherId};`), stem);
});
