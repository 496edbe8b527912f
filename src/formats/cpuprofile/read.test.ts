/** CPU profiles as read: against speedscope, and against a second reading of the same file. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { functionName, functionSignature } from '../../models/program/names.js';
import { FUNCTION_KINDS } from '../../models/program/program.js';
import { readWith, saidFrames, seenFunctions, unpacked } from '../../testing/interop/speedscope-truth.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { cpuprofile } from './index.js';
import { plainProfile, seenRows } from './testing/cpuprofile-oracle.js';

const FOLDER = join(ROOT, 'src/formats/cpuprofile');
const NODE20 = join(FOLDER, 'fixtures/node20-warehouse.cpuprofile');

describe('real files: self times as in speedscope', () => {
  // Frames that speedscope reads; of the second file its reading lacks the sample of (idle).
  for (const [name, count] of [
    ['chrome65-simple.cpuprofile', 5],
    ['node10-example.cpuprofile', 5],
    ['firefox-hello.cpuprofile', 116],
    ['node20-warehouse.cpuprofile', 97],
  ] as const)
    test(name, async (t) => {
      const path = sharedData(t, `interop/cpuprofile/${name}`);
      if (path === undefined) return;
      const recording = await readWith(cpuprofile, path);
      equal(recording.complete, true);
      const seenSums = seenFunctions(recording, 'sample', 'spent');
      const saidSums = new Map<string, number>();
      for (const frame of saidFrames(join(path, `../expected/${name}.speedscope.txt`)))
        saidSums.set(frame.name, (saidSums.get(frame.name) ?? 0) + frame.self * 1e3);
      for (const [frame, self] of saidSums) ok(Math.abs((seenSums.get(frame)?.self ?? NaN) - self) < 1, frame);
      // It puts (garbage collector) and (program) on the stack before them, and leaves (idle) out.
      const others = [...seenSums.keys()].filter((frame) => !saidSums.has(frame));
      deepEqual(
        others.filter((frame) => frame !== '(idle)'),
        [],
      );
      ok(seenSums.size >= Math.min(count, saidSums.size));
      const plain = plainProfile(JSON.parse(Buffer.from(unpacked(path)).toString()));
      deepEqual(seenRows(recording), plain?.rows);
    });
});

test('functions: names, files, scripts and native code, lines of samples', async () => {
  const { program, profile } = await readWith(cpuprofile, join(FOLDER, 'testing/fixtures/all-sorts.cpuprofile'));
  const kinds = Array.from(program.functions.kind, (kind, id) => [
    functionSignature(program, id),
    FUNCTION_KINDS[kind],
  ]);
  const file = 'file:///opt/näme.mjs';
  deepEqual(kinds, [
    ['(program)', 'pseudo'],
    [`(anonymous näme.mjs:1) (${file})`, 'javascript'],
    [`get (${file})`, 'javascript'],
    [`get (${file})`, 'javascript'],
    ['writeString', 'native'],
    ['(idle)', 'pseudo'],
    ['(garbage collector)', 'pseudo'],
  ]);
  const [table] = profile?.events ?? [];
  const lines = Array.from(table?.columns.stack ?? [], (stack) => {
    const place = profile?.stacks.location[stack] ?? -1;
    return [functionName(program, program.locations.function[place]), program.locations.line?.[place]];
  });
  deepEqual(lines, [
    ['(program)', 0],
    ['(anonymous näme.mjs:1)', 8],
    ['get', 22],
    ['get', 22],
    ['get', 24],
    ['get', 41],
    ['writeString', 0],
    ['(idle)', 0],
    ['(garbage collector)', 0],
    ['(program)', 0],
  ]);
  // The fifth sample has a time before the fourth.
  deepEqual(
    [...(table?.columns.time ?? [])],
    [1500, 2500, 3750, 4750, 4750, 6000, 7000, 8000, 9000, 10000].map((us) => us * 1e3),
  );
  equal(profile?.metrics[0]?.notes?.[0]?.code, 'idle-samples');
});

test('a file that was cut gives the nodes before the cut', async () => {
  const bytes = readFileSync(NODE20).subarray(0, 15_000);
  const recording = await cpuprofile.read(memorySource('cut', bytes));
  equal(recording.complete, false);
  deepEqual(Object.keys(recording.problems.counts), ['cpuprofile-truncated', 'cpuprofile-dangling']);
  equal(
    recording.sections[0]?.entries,
    (
      Buffer.from(bytes)
        .toString()
        .match(/\{"id":\d+,"callFrame":\{[^}]*\}[^{}]*(?:\[(?:\{[^}]*\},?)*\])?\}/g) ?? []
    ).length,
  );
});
