/**
 * Every text of the collection and every fixture against a second, naive reading; and facts known about the programs
 * that were profiled (README of the collection), of the samples in the guides of the agents.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { OBJECT_KINDS } from '../../models/heap/heap.js';
import { REFERENCE_KINDS } from '../../models/heap/heap-graph.js';
import { eventTable } from '../../models/profile/profile.js';
import { className } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { sharedData } from '../../testing/shared-data.js';
import { readHprofText } from './read.js';
import type { HprofContent } from './testing/hprof-content.js';
import { difference } from './testing/hprof-oracle.js';
import { seenByReader } from './testing/hprof-seen.js';
import { type HprofText, hprofFixtures, hprofTextAt, hprofTexts, readTwice } from './testing/hprof-texts.node.js';
import { nameOf } from './testing/hprof-truth-grammar.js';

const PARTS = ['prelude', 'items', 'threads', 'waits', 'traces', 'sections', 'old', 'dangling'] as const;

async function mustAgree(t: TestContext, text: HprofText): Promise<void> {
  const { recording, truth } = await readTwice(text);
  const seen = seenByReader(recording);
  for (const part of PARTS) assert.deepEqual(seen[part], truth[part], `${text.name}: ${part}`);
  assert.deepEqual(sectionCounts(recording), trueCounts(truth), text.name);
  const rows = [...trueCounts(truth)].map(([name, count]) => `${name} ${count}`);
  t.diagnostic(`${text.name}: ${rows.join(', ')}`);
}

function sectionCounts(recording: Recording): Map<string, number> {
  return new Map(recording.sections.map(({ name, entries }) => [name, entries]));
}

/** Entries of each section, counted in the second reading. */
function trueCounts({ items, sections, old }: HprofContent): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => {
    if (count > 0 || sections.some(({ named }) => named === name)) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  const of = (kind: string): number => items.filter((item) => item === kind).length;
  add('THREAD START', of('thread-start'));
  add('THREAD END', of('thread-end'));
  add('WAIT, WAITED, SLEEP', of('wait'));
  add('TRACE', of('trace'));
  add('cpu=old', old.length);
  for (const { named, rows, lines } of sections) {
    const begins = named === 'MONITOR DUMP' ? /^THREAD / : /^(?:OBJ|ARR|CLS) /;
    add(named, rows.length + lines.filter((line) => begins.test(line)).length);
  }
  return counts;
}

describe('every section, row, frame, object and reference is read', () => {
  test('of the texts of the collection', async (t) => {
    const folder = sharedData(t, 'hprof/agent');
    if (folder === undefined) return;
    const texts = hprofTexts(folder);
    assert.equal(texts.length, 39);
    for (const text of texts) {
      await mustAgree(t, text);
      const { truth, recording } = await readTwice(text);
      assert.deepEqual(truth.breaches, [], text.name);
      const bad = recording.problems.list.filter(({ severity }) => severity !== 'info');
      assert.deepEqual([bad, recording.complete], [[], true], text.name);
    }
  });

  test('of the fixtures', async (t) => {
    for (const text of hprofFixtures()) {
      const { truth, recording } = await readTwice(text);
      assert.equal(difference(truth, recording), undefined, text.name);
      if (truth.breaches.length === 0) await mustAgree(t, text);
    }
  });
});

/** The texts of the collection, each read once a test. */
async function shared(t: TestContext, name: string) {
  const path = sharedData(t, `hprof/agent/${name}`);
  return path === undefined ? undefined : readTwice(hprofTextAt(path));
}

function classCounts(recording: Recording, kind: (typeof OBJECT_KINDS)[number]): Map<string, number> {
  const counts = new Map<string, number>();
  const objects = recording.heaps?.[0]?.recorded?.objects;
  for (let i = 0; i < (objects?.length ?? 0); i++) {
    if (objects === undefined || OBJECT_KINDS[objects.kind[i]] !== kind) continue;
    const name = className(recording.program, objects.class[i]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Objects that an object refers to, by the names of its fields and the numbers of its elements. */
function referencesOf(recording: Recording, object: number): Map<string, number> {
  const { program } = recording;
  const heap = recording.heaps?.[0]?.recorded;
  const found = new Map<string, number>();
  if (heap === undefined) return found;
  const { references, objects } = heap;
  const { bytes, offsets } = program.names;
  for (let i = objects.first[object]; i < objects.first[object + 1]; i++) {
    const name = references.name[i];
    const isName = ['field', 'static'].includes(REFERENCE_KINDS[references.kind[i]] ?? '');
    const key = isName ? Buffer.from(bytes.subarray(offsets[name], offsets[name + 1])).toString() : String(name);
    found.set(key, references.target[i]);
  }
  return found;
}

describe('facts of the programs', () => {
  for (const name of ['graph-heap-dump.txt.gz', 'graph-heap-dump-jdk25.txt.gz']) {
    test(`the heap of GraphDemo in ${name}`, async (t) => {
      const recording = (await shared(t, name))?.recording;
      if (recording === undefined) return;
      const objects = recording.heaps?.[0]?.recorded?.objects;
      assert.ok(objects !== undefined);
      const instances = classCounts(recording, 'instance');
      assert.equal(instances.get('GraphDemo$Derived'), 2);
      assert.equal(instances.get('GraphDemo$Prims'), 1);
      assert.equal(instances.get('GraphDemo$Colour'), 3);
      const rows = Array.from({ length: objects.length }, (_, row) => row);
      const typed = (type: string): number[] =>
        rows.filter((row) => className(recording.program, objects.class[row]) === type && objects.kind[row] !== 3);
      const bytes = (count: number): number[] => typed('byte[]').filter((row) => objects.elements[row] === count);
      assert.equal(bytes(1048576).length, 1);
      // The agent dumps when the VM dies: `main` has ended, and the array of its ThreadLocal is in no line of the file.
      assert.equal(bytes(12345).length, 0);
      const nodes = new Set(
        typed('java.util.LinkedList$Node').map((row) => referencesOf(recording, row).get('item') ?? -1),
      );
      assert.equal(bytes(1000).filter((row) => nodes.has(row)).length, 100);
      assert.equal(mapEntries(recording, typed('java.util.HashMap')).includes(1000), true);
    });
  }

  test('calls of CpuDemo', async (t) => {
    for (const name of [
      'cpu-times.txt',
      'cpu-times-jdk25.txt',
      'cpu-times-cutoff.txt',
      'cpu-times-thread-depth10.txt',
    ]) {
      const truth = (await shared(t, name))?.recording;
      if (truth === undefined) return;
      const { sections } = seenByReader(truth);
      const calls = (leaf: string): number =>
        (sections[0]?.rows ?? []).reduce((sum, row) => (row.leaf === leaf ? sum + (row.numbers[0] ?? 0) : sum), 0);
      assert.deepEqual([calls('CpuDemo.mix'), calls('CpuDemo.hot')], [840000, 60], name);
    }
    for (const name of ['cpu-old.txt', 'cpu-old-jdk25.txt.gz']) {
      const recording = (await shared(t, name))?.recording;
      if (recording === undefined) return;
      const calls = (callee: string): number =>
        seenByReader(recording).old.reduce((sum, row) => {
          const [count, name = ''] = row.split(' ');
          return name.startsWith(`${callee}(`) ? sum + Number(count) : sum;
        }, 0);
      assert.deepEqual([calls('CpuDemo.mix'), calls('CpuDemo.hot')], [840000, 60], name);
    }
  });

  test('284 of 336 traces were cut: 300 have 4 frames, of these 15 begin in main and one in Thread.exit', async (t) => {
    const recording = (await shared(t, 'alloc-heap-sites.txt'))?.recording;
    if (recording === undefined) return;
    const { traces } = seenByReader(recording);
    assert.equal(traces.length, 336);
    assert.equal(traces.filter(({ cut }) => cut).length, 284);
  });

  test('a name with a character beyond U+FFFF and a line feed', async (t) => {
    const recording = (await shared(t, 'names-cpu-samples.txt'))?.recording;
    const threads = recording?.profile?.threads;
    if (recording === undefined || threads === undefined) return;
    const { bytes, offsets } = recording.program.names;
    const names = Array.from(column(threads, 'name'), (id) =>
      nameOf(Buffer.from(bytes.subarray(offsets[id], offsets[id + 1])).toString('latin1')),
    );
    assert.ok(names.includes('fire 🔥 naïve\nsecond line'), names.join());
    assert.ok(names.includes('観測スレッド-１'), names.join());
  });

  test('two dumps: sites continue, samples begin again', async (t) => {
    const recording = (await shared(t, 'sigquit-two-dumps.txt'))?.recording;
    if (recording === undefined) return;
    const { sections } = seenByReader(recording);
    const of = (name: string) => sections.filter(({ named }) => named === name);
    assert.deepEqual(
      of('SITES').map(({ dump }) => dump),
      [0, 1],
    );
    const allocated = of('SITES').map(({ rows }) => rows.reduce((sum, { numbers }) => sum + (numbers[2] ?? 0), 0));
    assert.ok((allocated[1] ?? 0) > (allocated[0] ?? 0), allocated.join());
    const [first, second] = of('CPU SAMPLES');
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([first.dump, second.dump], [0, 1]);
    const events = recording.profile === undefined ? undefined : eventTable(recording.profile, 'sample');
    const all = events === undefined ? [] : Array.from(column(events, 'count'));
    assert.equal(
      all.reduce((sum, count) => sum + count, 0),
      first.total + second.total,
    );
  });

  test('contention of about 2,000 s, printed as 2 ms', async (t) => {
    const recording = (await shared(t, 'pileup-monitor-time.txt'))?.recording;
    if (recording === undefined) return;
    const seen = seenByReader(recording);
    const at = seen.sections.findIndex(({ named }) => named === 'MONITOR TIME');
    const seconds = [...(seen.values[at] ?? []), seen.remainders[at] ?? 0].map((ns) => ns / 1e9);
    assert.equal(Math.round(seconds.reduce((sum, one) => sum + one, 0)), 2000);
    assert.ok(Math.abs((seconds[0] ?? 0) - 1500) < 1, seconds.join());
    assert.equal(recording.problems.counts['hprof-monitor-unit'], 1);
  });
});

/** Entries of each map: its table's nodes and those that hang below them. */
function mapEntries(recording: Recording, maps: readonly number[]): number[] {
  return maps.map((map) => {
    const table = referencesOf(recording, map).get('table') ?? -1;
    if (table < 0) return 0;
    let entries = 0;
    for (const node of referencesOf(recording, table).values())
      for (let at = node; at >= 0; at = referencesOf(recording, at).get('next') ?? -1) entries++;
    return entries;
  });
}

describe('samples in the guides of the agents', () => {
  /** The lines from one that begins with `first` to the next that begins with `last`. */
  const cutOut = (text: string, first: string, last: string): string => {
    const from = text.indexOf(`\n${first}`) + 1;
    const end = text.indexOf(`\n${last}`, from) + 1;
    assert.ok(from > 0 && end > from, first);
    return text.slice(from, text.indexOf('\n', end) + 1);
  };
  const seed = (t: TestContext, name: string): string | undefined => {
    const path = sharedData(t, join('..', 'seeds', name));
    return path === undefined ? undefined : readFileSync(path, 'utf8');
  };
  const read = (text: string): Promise<Recording> => readHprofText(memorySource('sample', Buffer.from(text)));
  const problemsOf = ({ problems }: Recording): Record<string, number> =>
    Object.fromEntries(Object.entries(problems.counts).filter(([code]) => code !== 'hprof-dangling-trace'));

  test("IBM's guide", async (t) => {
    const text = seed(t, '002_4079a653ac96c37b.txt');
    if (text === undefined) return;
    const threads = await read(cutOut(text, 'THREAD START (obj=11199050', 'THREAD END (id = 5)'));
    assert.deepEqual([threads.profile?.threads?.length, threads.problems.list], [7, []]);

    const trace = seenByReader(await read(cutOut(text, 'TRACE 5:', '\tjava/util/Locale.<clinit>')));
    assert.equal(trace.traces[0]?.frames.length, 4);
    assert.equal(trace.traces[0]?.frames[2], 'java/util/Locale.<init>(Locale.java:273)');

    const monitors = await read(cutOut(text, 'MONITOR DUMP BEGIN', 'MONITOR TIME END'));
    assert.deepEqual(problemsOf(monitors), {});
    const [dump, times] = seenByReader(monitors).sections;
    assert.equal(dump?.lines.filter((line) => line.startsWith('RAW ')).length, 4);
    assert.equal(dump?.lines.filter((line) => line.startsWith('THREAD ')).length, 4);
    assert.deepEqual([times?.named, times?.total, times?.rows.length], ['MONITOR TIME', 0, 0]);

    // The sample shows records without the lines around them.
    const begin = 'HEAP DUMP BEGIN (5 objects, 1000 bytes) Thu Aug 29 16:41:59 2002\n';
    const classes = cutOut(text, 'CLS 1123edb0', 'CLS 111504e8') + cutOut(text, '\tconstant[18]', '');
    const others = cutOut(text, 'OBJ 111a9e78', 'ARR 8bb978');
    const heap = await read(`${begin}${classes}${others}HEAP DUMP END\n`);
    assert.deepEqual(heap.heaps?.[0]?.recorded?.objects.length, 5);
    assert.deepEqual([heap.heaps?.[0]?.recorded?.references.length, heap.problems.counts['hprof-line']], [23, 1]);

    const sites = await read(cutOut(text, 'SITES BEGIN', '   19 '));
    assert.equal(seenByReader(sites).sections[0]?.rows.length, 19);
    assert.deepEqual(problemsOf(sites), { 'hprof-cut': 1 });

    const samples = await read(cutOut(text, 'CPU SAMPLES BEGIN', 'CPU SAMPLES END'));
    const [table] = seenByReader(samples).sections;
    assert.deepEqual(
      table?.rows.map(({ leaf, numbers }) => [leaf, numbers[0]]),
      [
        ['MyThread2.bigMethod', 501],
        ['MyThread2.smallMethod', 47],
      ],
    );
    // Its shares refer to another total than the printed one.
    assert.deepEqual(problemsOf(samples), { 'hprof-line': 1, 'hprof-share': 2 });
  });

  test('the guide of JVMPI', async (t) => {
    const text = seed(t, '004_41ef9b783210f947.txt');
    if (text === undefined) return;
    const sites = await read(cutOut(text, 'SITES BEGIN', 'SITES END'));
    const [table] = seenByReader(sites).sections;
    assert.deepEqual(
      table?.rows.map(({ rank, name, numbers }) => [rank, name, numbers[0]]),
      [
        [1, 'char []', 149224],
        [2, 'sun/tools/java/Identifier', 118320],
        [3, 'java/util/Hashtable$Entry', 118320],
        [7, 'java/util/Hashtable$Entry', 55180],
      ],
    );
    assert.equal(sites.problems.counts['hprof-line'], 2);
    assert.equal(sites.problems.counts['hprof-rank'], 1);

    const traces = await read(cutOut(text, 'THREAD START (obj=1d6b20', '        sun/tools/java/Type.tMethod'));
    const seen = seenByReader(traces);
    assert.deepEqual(
      seen.traces.map(({ serial, frames }) => [serial, frames.length]),
      [
        [1073, 4],
        [1090, 4],
        [1091, 4],
        [1264, 4],
      ],
    );
    // Two frames without `<init>`; the dots between the records.
    assert.deepEqual([traces.problems.counts['hprof-frame'], traces.problems.counts['hprof-line']], [3, 1]);

    const samples = await read(cutOut(text, 'CPU SAMPLES BEGIN', 'CPU SAMPLES END'));
    const [rows] = seenByReader(samples).sections;
    assert.equal(rows?.rows.length, 10);
    assert.equal(rows?.total, 252378);
    assert.equal(samples.problems.counts['hprof-line'], 1);
  });
});
