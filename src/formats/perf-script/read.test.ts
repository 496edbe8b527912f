/** The output of `perf script` as read, against stackcollapse-perf.pl, inferno and a plain reader, and by hand. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { threadName } from '../../models/profile/profile.js';
import { functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { readPerfScript } from './read.js';
import { plainEvents, seenEvents } from './testing/perf-oracle.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'perf-script', 'testing', 'fixtures');

/** Files, the name that their expectations have, and the file of the same recording whose names are the truth. */
const REAL = [
  ['own-depot.perf.txt.gz', 'own-depot.perf', 'stackcollapse-all'],
  ['own-depot-fields.perf.txt.gz', 'own-depot-fields.perf', 'stackcollapse-all'],
  ['own-depot-min.perf.txt.gz', 'own-depot.perf', 'stackcollapse-all'],
  ['firefox-graphviz.perf.txt.gz', 'firefox-graphviz.perf', 'stackcollapse-all'],
  ['firefox-simple-perf.txt.gz', 'firefox-simple-perf', 'stackcollapse-all'],
  ['speedscope-forks.perf.txt', 'speedscope-forks.perf', 'stackcollapse-all'],
  ['speedscope-one-sample.perf.txt', 'speedscope-one-sample.perf', 'inferno'],
  ['speedscope-simple-with-header.perf.txt', 'speedscope-simple-with-header.perf', 'stackcollapse-all'],
  ['speedscope-simple-with-pid.perf.txt', 'speedscope-simple-with-pid.perf', 'stackcollapse-all'],
  ['speedscope-simple.perf.txt', 'speedscope-simple.perf', 'inferno'],
] as const;

/** Two nanoseconds of each sample of this recording, whose file has no periods. */
const PERIOD_OF_MIN = 2_004_008;

function textOf(path: string): string {
  const bytes = readFileSync(existsSync(path) ? path : `${path}.gz`);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
}

function read(text: string): Promise<Recording> {
  return readPerfScript(memorySource('test.txt', Buffer.from(text)));
}

/** A frame without what stackcollapse-perf.pl adds and takes away. */
function plainName(frame: string): string {
  return frame
    .replace(/_\[[kij]\]$/, '')
    .replace(/^\[\[(.*)\]\]$/, '[$1]')
    .replace(/\((?!anonymous namespace\)).*/s, '')
    .replaceAll(';', ':');
}

/** Sums by command and stack: `depot;main;fib`. stackcollapse-perf.pl skips names that begin with a bracket. */
function stacksRead({ program, profile }: Recording, scale: number): Map<string, number> {
  const sums = new Map<string, number>();
  const [table] = profile?.events ?? [];
  const metric = profile?.metrics.find(({ usual }) => usual === true);
  assert.ok(table !== undefined && profile !== undefined && metric !== undefined);
  const values = column(table, metric.field ?? '');
  for (let row = 0; row < table.length; row++) {
    const names: string[] = [];
    for (let id = column(table, 'stack')[row]; id >= 0; id = profile.stacks.parent[id])
      names.unshift(plainName(functionName(program, program.locations.function[profile.stacks.location[id]])));
    const frames = names.filter((frame) => !frame.startsWith('('));
    if (names.length === 0 || values[row] === 0) continue;
    const command = threadName(profile, program, column(table, 'thread')[row])?.replaceAll(' ', '_') ?? '';
    const key = [command, ...frames].join(';');
    sums.set(key, (sums.get(key) ?? 0) + values[row] * scale);
  }
  return sums;
}

function stacksIn(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, stack = '', value] = /^(.*) (\d+)$/.exec(line) ?? [];
    if (value === undefined) continue;
    const [command = '', ...frames] = stack.split(';');
    const key = [command, ...frames.map(plainName)].join(';');
    sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
  return sums;
}

const sorted = (sums: Map<string, number>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

describe('real files have the stacks of other tools', () => {
  for (const [file, name, tool] of REAL)
    test(file, async (t) => {
      const path = sharedData(t, `interop/perf-script/${file}`);
      if (path === undefined) return;
      const text = textOf(path);
      const recording = await read(text);
      assert.ok(recording.complete);
      const golden = textOf(join(path, '..', 'expected', `${name}.${tool}.txt`));
      const scale = file.includes('-min') ? PERIOD_OF_MIN : 1;
      assert.deepEqual(sorted(stacksRead(recording, scale)), sorted(stacksIn(golden)));
    });

  test('and events of the plain reader', async (t) => {
    for (const [file] of REAL) {
      const path = sharedData(t, `interop/perf-script/${file}`);
      if (path === undefined) return;
      const text = textOf(path);
      const { events, unknown } = plainEvents(text);
      assert.equal(unknown, 0, file);
      assert.deepEqual(seenEvents(await read(text)), events, file);
    }
  });
});

describe('output with all sorts', () => {
  const text = readFileSync(join(FIXTURES, 'all-sorts.perf.txt'), 'utf8');

  test('has a metric for the samples and for the periods of each type of event', async () => {
    const { profile } = await read(text);
    assert.deepEqual(
      profile?.metrics.map(({ id, unit, usual }) => [id, unit, usual === true]),
      [
        ['samples', 'samples', false],
        ['cpu-clock:u', 'ns', true],
        ['cpu-clock:u-samples', 'count', false],
        ['page-faults', 'count', false],
        ['page-faults-samples', 'count', false],
      ],
    );
    const [table] = profile?.events ?? [];
    assert.ok(table !== undefined);
    assert.deepEqual([...column(table, 'page-faults')], [0, 0, 1, 0]);
    assert.deepEqual([...column(table, 'processor')], [3, 1, 3, 0]);
  });

  test('has threads by command and number, and processes', async () => {
    const { profile, program } = await read(text);
    assert.ok(profile?.threads !== undefined);
    const { threads } = profile;
    assert.deepEqual(
      Array.from({ length: threads.length }, (_, id) => threadName(profile, program, id)),
      ['depot', 'a b c', 'java'],
    );
    assert.deepEqual([...column(threads, 'native')], [4712, 4713, 100]);
    assert.deepEqual([...column(threads, 'process')], [0, 0, 1]);
  });

  test('has lines below frames, inlined calls, methods of Java; lost events are said', async () => {
    const recording = await read(text);
    const [first, second] = seenEvents(recording);
    assert.deepEqual(first?.frames, ['main:33', '__libc_start_call_main']);
    assert.deepEqual(second?.frames, [
      'native_write_msr',
      'depot::Store::sortAll(int)',
      'main',
      '[unknown]',
      '[libz.so.1]',
    ]);
    const { problems, metadata, complete } = recording;
    assert.deepEqual(problems.counts, { 'perf-script-lost': 1, 'perf-script-record': 1 });
    assert.match(problems.list[0]?.message ?? '', /^7 /);
    assert.deepEqual(metadata[1], { key: 'cmdline', value: '/usr/bin/perf record -g ./depot' });
    assert.ok(complete);
  });
});

test('lines of no kind are counted, events without stacks have their symbol', async () => {
  const { problems, complete, profile } = await read(
    'java 12688 [002] 6544038.708352: cpu-clock:  7f1234 memcpy+0x4 (/lib/libc.so.6)\nnonsense\njava 12688 [002] 6544038.708353: sched:sched_switch: prev_comm=java\n',
  );
  assert.deepEqual([problems.counts, complete, profile?.events[0]?.length], [{ 'perf-script-line': 1 }, false, 2]);
});

test('a text without events is refused', async () => {
  await assert.rejects(read('# a comment\n\n'), /command, thread, time and event/);
});
