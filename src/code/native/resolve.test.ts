/**
 * Names of native places: the same whichever places are asked for, in which order; aliases, clones and parts of compiled programs; programs without places
 * are not opened.
 */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { stringAt } from '../../base/text.js';
import { fileSource } from '../../bytes/file.node.js';
import { functionName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { drawnRecording } from '../../testing/recordings.js';
import { readElf } from './elf.js';
import { offsetOf } from './object.js';
import { resolveNative } from './resolve.js';

const SOURCE = `
int sink;
static inline int square(int x) { sink = x; return x * x; }
static int __attribute__((noinline)) scaled(int x, int by) { sink = x; for (int i = 0; i < x; i++) sink += square(i * by); return sink; }
static int __attribute__((cold, noinline)) failed(int x) { sink = x; return x + 1; }
int __attribute__((noinline)) outer(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += scaled(n, 7) + square(i);
    if (__builtin_expect(s < -5, 0)) { s = failed(s); sink = s; __builtin_abort(); }
  }
  return s;
}
int team(int *of, int n) {
  int s = 0;
  #pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++) s += square(of[i]);
  return s;
}
int twin(int x) __attribute__((alias("outer")));
int a_twin(int x) __attribute__((alias("outer")));
`;

/** Two libraries of one source, and the offsets of their instructions; undefined, and the test is skipped, without the compiler. */
async function libraries(
  t: TestContext,
): Promise<readonly { path: string; buildId: string; offsets: readonly number[] }[] | undefined> {
  if (['gcc', 'objdump', 'readelf'].some((program) => spawnSync(program, ['--version']).status !== 0)) {
    t.skip('gcc or binutils are not installed');
    return undefined;
  }
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'a.c'), SOURCE);
  const made = [];
  for (const [name, ...options] of [
    ['one.so', '-gdwarf-5'],
    ['two.so', '-gdwarf-4', '-DOTHER'],
  ] as const) {
    const path = join(folder, name);
    const own = ['-O2', '-fopenmp', '-fPIC', '-c', '-o', `${path}.o`, join(folder, 'a.c')];
    execFileSync('gcc', [...own, ...options]);
    execFileSync('gcc', ['-shared', '-nostdlib', '-Wl,--build-id', '-o', path, `${path}.o`]);
    const notes = execFileSync('readelf', ['-n', path], { encoding: 'utf8' });
    const elf = await readElf(await fileSource(path));
    if (typeof elf === 'string') throw new Error(elf);
    const code = execFileSync('objdump', ['-d', '-j', '.text', path], { encoding: 'utf8' });
    const offsets = [...code.matchAll(/^ *([\da-f]+):\t/gm)].map(
      ([, at = '']) => offsetOf(elf, Number.parseInt(at, 16)) ?? -1,
    );
    made.push({ path, buildId: /Build ID: ([0-9a-f]+)/.exec(notes)?.[1] ?? '', offsets });
  }
  return made;
}

/** A program with places of libraries, in the order that is given. */
function programOf(places: readonly (readonly [path: string, offset: number])[]): Program {
  const builder = new ProgramBuilder();
  for (const [path, offset] of places) {
    const loadObject = builder.loadObject(builder.name(path), 'library');
    builder.nativeLocation(-1, { loadObject, offset });
  }
  return builder.finish();
}

/** By library and offset: function, line and file, and the calls inlined there, outermost first. */
function described(program: Program): Map<string, string> {
  const { locations, loadObjects, functions, names } = program;
  const texts = new Map<string, string>();
  for (let id = 0; id < locations.length; id++) {
    const path = stringAt(names, loadObjects?.path[locations.loadObject?.[id] ?? -1] ?? -1);
    const of = locations.function[id];
    const file = functions.file?.[of] ?? -1;
    const frame = `${functionName(program, of)} ${file < 0 ? '?' : basename(stringAt(names, file))}:${locations.line?.[id]}`;
    const key = `${basename(path)} ${locations.offset?.[id]}`;
    texts.set(key, texts.has(key) ? `${texts.get(key)} > ${frame}` : frame);
  }
  return texts;
}

async function resolved(program: Program, asked?: string[]): Promise<Program> {
  const copyOf = async (path: string) => {
    asked?.push(basename(path));
    return fileSource(path);
  };
  return (await resolveNative(drawnRecording({ program }), { copyOf }, { inlinedFrames: true })).program;
}

test('names do not depend on which places are asked for, and in which order', async (t) => {
  const made = await libraries(t);
  if (made === undefined) return;
  const all = made.flatMap(({ path, offsets }) => offsets.map((offset) => [path, offset] as const));
  const whole = described(await resolved(programOf(all)));
  ok(new Set(whole.values()).size > 20);
  ok([...whole.values()].some((text) => text.includes(' > square a.c:')));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(all, { minLength: 1, maxLength: 40 }), async (places) => {
      const asked: string[] = [];
      const found = described(await resolved(programOf(places), asked));
      for (const [place, text] of found) equal(text, whole.get(place), place);
      deepStrictEqual(asked, [...new Set(places.map(([path]) => basename(path)))], 'only files with places are opened');
    }),
    runs(200),
  );
});

test('load objects get the build ids of their files', async (t) => {
  const made = await libraries(t);
  if (made === undefined) return;
  const { loadObjects, names } = await resolved(programOf(made.map(({ path, offsets }) => [path, offsets[0] ?? 0])));
  const ids = Array.from(loadObjects?.buildId ?? [], (id) => (id < 0 ? 'none' : stringAt(names, id)));
  deepStrictEqual(
    ids,
    made.map(({ buildId }) => buildId),
  );
  equal(new Set(ids).size, 2);
});

test('aliases, clones and parts are named', async (t) => {
  const made = await libraries(t);
  const [one] = made ?? [];
  if (one === undefined) return;
  const program = await resolved(programOf(one.offsets.map((offset) => [one.path, offset])));
  const { functions, names } = program;
  const texts = Array.from({ length: functions.length }, (_, id) => functionName(program, id));
  // The last name in alphabetical order.
  const twin = texts.indexOf('twin');
  ok(twin >= 0 && !texts.includes('outer'), texts.join());
  const aliases = Array.from(functions.alias ?? [], (name, i) => [functions.aliasOf?.[i], stringAt(names, name)]);
  deepStrictEqual(aliases, [
    [twin, 'a_twin'],
    [twin, 'outer'],
  ]);
  const expected: readonly RegExp[] = [
    /^scaled -- cloned version \[scaled\.(?:constprop|isra)\.0[\w.]*\]$/,
    /^outer -- outline code from line 10 \[outer\.cold(?:\.\d+)?\]$/,
    /^team -- OMP region from line 16 \[team\._omp_fn\.0\]$/,
  ];
  for (const pattern of expected) match(texts.join('\n'), new RegExp(pattern, 'm'));
});
