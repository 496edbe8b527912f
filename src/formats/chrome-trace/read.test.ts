/** Traces as read: against speedscope, and the parts that it does not read by hand. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { functionName } from '../../models/program/names.js';
import { readWith, saidFrames, seenFunctions, unpacked } from '../../testing/interop/speedscope-truth.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { chromeTrace } from './index.js';
import { plainTrace, traceFigures } from './testing/trace-oracle.js';

/** Where the readings differ, and why: see docs/formats/chrome-trace.md. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'catapult-simple_trace.json': 'spans that overlap, or have no end',
  'speedscope-invalid-x-nesting.json': 'spans that overlap',
  'speedscope-multi-thread-with-samples.json': 'samples with stackFrames',
  'speedscope-simple-with-samples.json': 'samples with stackFrames',
};

test('self times of real files as in speedscope', async (t) => {
  const folder = sharedData(t, 'interop/chrome-trace');
  if (folder === undefined) return;
  let compared = 0;
  for (const file of readdirSync(folder).filter((name) => /\.json(?:\.gz)?$/.test(name))) {
    const recording = await readWith(chromeTrace, join(folder, file));
    const name = file.replace(/\.gz$/, '');
    const sums = new Map<string, number>();
    for (const [kind, field] of [
      ['time', 'spent'],
      ['sample', 'spent'],
    ] as const)
      for (const [frame, { self }] of seenFunctions(recording, kind, field))
        sums.set(frame, (sums.get(frame) ?? 0) + self / 1e3);
    const truth = new Map<string, number>();
    for (const frame of saidFrames(join(folder, `expected/${name}.speedscope.txt`))) {
      // It has arguments in names.
      const plain = frame.name.replace(/ \{.*$/s, '');
      truth.set(plain, (truth.get(plain) ?? 0) + frame.self);
    }
    if (DIFFERENT[name] !== undefined) continue;
    for (const [frame, self] of truth) {
      // It puts (program) on the stack before in part.
      if (frame === '(program)') continue;
      compared++;
      ok(Math.abs((sums.get(frame) ?? 0) - self) < 0.6, `${name}: ${frame} ${self}, not ${sums.get(frame)}`);
    }
    if (name.startsWith('damaged') || name === 'speedscope-simple-partial.json') continue;
    const plain = plainTrace(JSON.parse(Buffer.from(unpacked(join(folder, file))).toString()));
    equal(traceFigures(recording).events, plain?.events, name);
  }
  ok(compared > 90, `${compared} frames`);
});

test('threads, processes, counters, spans of no thread, samples of V8 with lines', async () => {
  const path = join(ROOT, 'src/formats/chrome-trace/testing/fixtures/all-sorts.json');
  const recording = await readWith(chromeTrace, path);
  deepEqual([recording.complete, recording.problems.list], [true, []]);
  const { program, profile } = recording;
  deepEqual(
    recording.sections.map(({ entries }) => entries),
    [16, 4, 2, 2, 3, 3],
  );
  deepEqual(
    [...seenFunctions(recording, 'time', 'spent')],
    [
      ['a', { self: 29_500, total: 50_000 }],
      ['b', { self: 20_500, total: 20_500 }],
      ['c', { self: 5000, total: 5000 }],
    ],
  );
  const samples = profile?.events[1]?.columns;
  deepEqual([...(samples?.time ?? [])], [5000, 15_000, 25_000]);
  deepEqual([...(samples?.spent ?? [])], [10_000, 10_000, 15_000]);
  deepEqual([...(samples?.thread ?? [])], [0, 0, 0]);
  deepEqual(
    Array.from(samples?.stack ?? [], (stack) => {
      const place = profile?.stacks.location[stack] ?? -1;
      return `${functionName(program, program.locations.function[place])} ${program.locations.line?.[place]}`;
    }),
    ['f 5', 'f 4', '(anonymous a.js:9) 9'],
  );
  deepEqual([...(profile?.counters?.columns.value ?? [])], [10, 5, 12, 3]);
  deepEqual([profile?.ranges?.columns.time?.[0], profile?.ranges?.columns.duration?.[0]], [5000, 20_000]);
  deepEqual(traceFigures(recording), plainTrace(JSON.parse(Buffer.from(unpacked(path)).toString())));
});
