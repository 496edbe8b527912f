/** Processed profiles as read: against Mozilla's profiler-cli, and against a second reading of the same file. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { functionName, functionSignature } from '../../models/program/names.js';
import { FUNCTION_KINDS } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { readWith, unpacked } from '../../testing/interop/speedscope-truth.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { firefoxProcessed } from './index.js';
import { plainSamples, sampleRows } from './testing/firefox-oracle.js';

const FOLDER = join(ROOT, 'src/formats/firefox-processed');

/** The objects that profiler-cli printed one after the other, one a thread. */
function printed(path: string): { functions: { name: string; selfSamples: number; totalSamples: number }[] }[] {
  const text = Buffer.from(unpacked(path)).toString('utf8');
  return text
    .split(/\n(?=\{)/)
    .filter((part) => part.trim() !== '')
    .map((part) => JSON.parse(part));
}

/** Self and total of each function of a thread. */
function valuesOf({ program, profile }: Recording, thread: number): Map<string, { self: number; total: number }> {
  const sums = new Map<string, { self: number; total: number }>();
  const [table] = profile?.events ?? [];
  if (profile === undefined || table === undefined) return sums;
  const [threads, count] = [column(table, 'thread'), column(table, 'count')];
  for (const [row, leaf] of column(table, 'stack').entries()) {
    if (threads[row] !== thread) continue;
    const names = new Set<string>();
    for (let id = leaf; id >= 0; id = profile.stacks.parent[id]) {
      const name = functionName(program, program.locations.function[profile.stacks.location[id]]);
      const sum = sums.get(name) ?? { self: 0, total: 0 };
      sums.set(name, sum);
      if (id === leaf) sum.self += count[row];
      if (!names.has(name)) sum.total += count[row];
      names.add(name);
    }
  }
  return sums;
}

describe('real files: self and total samples of each thread as in profiler-cli', () => {
  for (const [name, least] of [
    ['own-depot.samply-v55.json.gz', 58],
    ['own-depot.from-perf-v70.json.gz', 30],
    ['node20-warehouse.from-cpuprofile-v70.json.gz', 97],
    ['firefox-unsymbolicated.json.gz', 15],
    ['firefox-sourcemap-single.json', 1],
  ] as const)
    test(name, async (t) => {
      const path = sharedData(t, `interop/firefox/${name}`);
      if (path === undefined) return;
      const recording = await readWith(firefoxProcessed, path);
      equal(recording.complete, true);
      const cli = join(path, `../expected/${name.replace(/\.gz$/, '')}.profiler-cli-functions.json`);
      let compared = 0;
      for (const [thread, { functions }] of printed(cli).entries()) {
        const sums = valuesOf(recording, thread);
        const saidSums = new Map<string, { self: number; total: number; rows: number }>();
        for (const one of functions) {
          const before = saidSums.get(one.name) ?? { self: 0, total: 0, rows: 0 };
          saidSums.set(one.name, {
            self: before.self + one.selfSamples,
            total: before.total + one.totalSamples,
            rows: before.rows + 1,
          });
        }
        for (const [frame, { self, total, rows }] of saidSums) {
          // It leaves samples of the category Idle out, which only this frame is above.
          if (frame === '(root)' && sums.has('(idle)')) continue;
          if (frame === '(anonymous)' || rows > 1) continue;
          compared++;
          deepEqual(sums.get(frame), { self, total }, `${thread}: ${frame}`);
        }
      }
      ok(compared >= least * 0.6, `${compared} functions`);
      deepEqual(sampleRows(recording), plainSamples(JSON.parse(Buffer.from(unpacked(path)).toString())));
    });
});

test('kinds of frames, lines, markers, counters', async () => {
  const recording = await readWith(firefoxProcessed, join(FOLDER, 'testing/fixtures/threads-v55.json'));
  deepEqual([recording.complete, recording.problems.list], [true, []]);
  const { program, profile } = recording;
  deepEqual(
    Array.from(program.functions.kind, (kind, id) => [functionSignature(program, id), FUNCTION_KINDS[kind]]),
    [
      ['main (shop)', 'native'],
      ['sys_read', 'kernel'],
      ['(anonymous ö.mjs:3) (file:///a/ö.mjs)', 'javascript'],
      ['get (file:///a/ö.mjs)', 'javascript'],
    ],
  );
  deepEqual([...(program.locations.line ?? [])], [12, 0, 4, 10, 11]);
  const [table] = profile?.events ?? [];
  deepEqual(
    [...(table?.columns.time ?? [])].map((time) => time / 1e6),
    [0.25, 2.25, 6.75, 7.75],
  );
  const { time, duration } = profile?.ranges?.columns ?? {};
  deepEqual(
    [[...(time ?? [])], [...(duration ?? [])]],
    [
      [1e6, 2e6],
      [0.5e6, 2e6],
    ],
  );
  deepEqual([...(profile?.counters?.columns.value ?? [])], [100, 150, 125]);
  equal(recording.clock?.start, 1700000001000.5);
});

test('files of 2016 are refused with what can be done', async (t) => {
  const path = sharedData(t, 'interop/firefox/firefox-processed-1.json');
  if (path === undefined) return;
  await rejects(readWith(firefoxProcessed, path), /no version: a file of 2016/);
});

test('versions without a real file are read, and said', async (t) => {
  const path = sharedData(t, 'interop/firefox/firefox-processed-3.json');
  if (path === undefined) return;
  const { problems, sections } = await readWith(firefoxProcessed, path);
  match(problems.list[0]?.message ?? '', /version 24 is read as 55/);
  equal(sections.find(({ name }) => name === 'samples')?.entries, 21);
});
