/**
 * Real files against a second reading, against the text that the agent wrote of the same program, and against themselves,
 * written as text.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { TRACES } from '../../models/profile/tables.js';
import { className, functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { readHprofText } from '../hprof-text/read.js';
import { writeHprofText } from '../hprof-text/write/write.js';
import { readHprofFile } from './read.js';
import { difference } from './records/testing/plain-compare.js';
import { plainRecords } from './records/testing/plain-records.js';
import { RecordBytes } from './records/testing/record-bytes.js';

const FIXTURES = join(ROOT, 'src/formats/hprof/records/testing/fixtures');

function fileOf(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

const streamOf = ({ name, open }: ByteSource): ByteSource => ({ name, open, size: undefined });

async function agrees(bytes: Buffer): Promise<void> {
  const plain = plainRecords(bytes);
  ok(plain !== undefined);
  for (const source of [memorySource('x', bytes), streamOf(memorySource('x', bytes))]) {
    const recording = await readHprofFile(source);
    equal(difference(plain, recording), undefined);
    equal(recording.complete, plain.broken < 0);
    deepEqual(Object.keys(recording.problems.counts), plain.broken < 0 ? [] : ['hprof-cut']);
  }
}

describe('as the second reading', () => {
  for (const name of readdirSync(FIXTURES).filter((file) => file.endsWith('.hprof')))
    test(name, () => agrees(readFileSync(join(FIXTURES, name))));

  // All files of the collection agree; these have each recorder, size of ids and kind of record, and a cut.
  test('files of the collection', async (t) => {
    const packed = ['hotspot/hs17-names.hprof.gz', 'hotspot/hs25-diskfull.hprof.gz', 'agent/everything.hprof.gz'];
    const plain = ['agent/alloc-heap-sites.hprof', 'agent/net-commands.hprof', 'agent/unload-cpu-samples.hprof'];
    for (const name of [...packed, ...plain]) {
      const path = sharedData(t, `hprof/${name}`);
      if (path === undefined) return;
      await agrees(fileOf(path));
    }
  });
});

/** Rows of an event table as text, without what differs from run to run. */
function rowsOf(recording: Recording): string[] {
  const { profile, program } = recording;
  const samples = SAMPLE_EVENTS.of(profile);
  const sites = SITE_EVENTS.of(profile);
  const traces = profile?.traces && TRACES.rows(profile.traces);
  const serial = (trace: number | undefined): number => traces?.serial[trace ?? -1] ?? -1;
  const stack = (leaf: number): string => {
    const frames: string[] = [];
    for (let at = leaf; at >= 0; at = profile?.stacks.parent[at] ?? -1) {
      const location = profile?.stacks.location[at] ?? 0;
      frames.push(
        `${functionName(program, program.locations.function[location] ?? 0)}:${program.locations.line?.[location]}`,
      );
    }
    return frames.join(' ');
  };
  const rows: string[] = [];
  for (let i = 0; i < (samples?.length ?? 0); i++)
    rows.push(
      `${samples?.dump?.[i]} ${samples?.count[i]} ${serial(samples?.trace?.[i])} ${stack(samples?.stack[i] ?? -1)}`,
    );
  for (let i = 0; i < (sites?.length ?? 0); i++) {
    // The totals below the cutoff are estimated from texts.
    if ((sites?.trace?.[i] ?? -1) < 0) continue;
    const values = [
      sites?.live_bytes[i],
      sites?.live_objects[i],
      sites?.allocated_bytes[i],
      sites?.allocated_objects[i],
    ];
    const type = className(program, sites?.class[i] ?? -1);
    rows.push(
      `${sites?.dump[i]} ${values.join(' ')} ${type} ${serial(sites?.trace?.[i])} ${stack(sites?.stack[i] ?? -1)}`,
    );
  }
  return rows;
}

async function asText(recording: Recording): Promise<Recording> {
  const bytes = Buffer.concat([...writeHprofText(recording, {}).chunks]);
  return readHprofText(memorySource('x', bytes));
}

test('the JVMPI agent: classes of elements, ids of 8 bytes, counts that continue', async () => {
  const file = new RecordBytes({ version: '1.0.1', idSize: 8 }).settings(3, 4);
  file.loadClass(1, 0x100, 'java/lang/Object').frame(7, 'run', '()V', 'A.java', 1, 3).trace(5, 0, [7]).trace(6, 0, []);
  const values = [10, 1, 20, 2];
  const rows = [
    [0, 1, 5, ...values],
    [2, 1, 5, ...values],
    [10, 0, 6, ...values],
  ];
  file
    .sites(0, [40, 4, 2 ** 33, 8], rows)
    .samples(3, [[3, 5]])
    .samples(4, [[7, 5]]);
  const recording = await readHprofFile(memorySource('x', file.finish()));
  const sites = SITE_EVENTS.of(recording.profile);
  const { program } = recording;
  const types = Array.from({ length: 3 }, (_, i) => className(program, sites?.class[i] ?? -1));
  deepEqual(types, ['java.lang.Object', 'java.lang.Object[]', 'int[]']);
  // Below the cutoff: the totals less the three rows.
  deepEqual(
    [sites?.live_bytes[3], sites?.live_objects[3], sites?.allocated_bytes[3], sites?.allocated_objects[3]],
    [10, 1, 2 ** 33 - 60, 2],
  );
  deepEqual([...(SAMPLE_EVENTS.of(recording.profile)?.count ?? [])], [3, 4]);
  deepEqual([...(SAMPLE_EVENTS.of(recording.profile)?.dump ?? [])], [0, 1]);
  deepEqual(recording.problems.counts, {});
  equal(recording.metadata.find(({ key }) => key === 'recorder')?.value, 'JVMPI agent (JDK 1.2 to 1.4)');
});

describe('written as text and read again', () => {
  for (const name of ['cpu-samples', 'threads', 'net-commands', 'alloc-sites'])
    test(name, async () => {
      const recording = await readHprofFile(memorySource('x', readFileSync(join(FIXTURES, `${name}.hprof`))));
      const text = await asText(recording);
      deepEqual(rowsOf(text), rowsOf(recording));
      deepEqual(text.problems.counts, {});
      equal(text.profile?.threads?.length, recording.profile?.threads?.length);
      deepEqual(
        text.profile?.metrics.map(({ id }) => id),
        recording.profile?.metrics.map(({ id }) => id),
      );
    });

  test('a heap dump is left out and named', async () => {
    const recording = await readHprofFile(memorySource('x', readFileSync(join(FIXTURES, 'dump.hprof'))));
    const { dropped, chunks } = writeHprofText(recording, {});
    equal(dropped[0], '2 heap dumps');
    ok(!Buffer.concat([...chunks]).includes('HEAP DUMP'));
  });
});

/** Samples by innermost method, and by thread root, of another run: near, but not equal. */
function methodsOf({ profile, program }: Recording): Map<string, number> {
  const sums = new Map<string, number>();
  const samples = SAMPLE_EVENTS.of(profile);
  for (let i = 0; i < (samples?.length ?? 0); i++) {
    const location = profile?.stacks.location[samples?.stack[i] ?? -1] ?? 0;
    const name = functionName(program, program.locations.function[location] ?? 0);
    sums.set(name, (sums.get(name) ?? 0) + (samples?.count[i] ?? 0));
  }
  return sums;
}

describe('as the text of another run of the same program', () => {
  const read = async (
    t: Parameters<typeof sharedData>[0],
    name: string,
  ): Promise<[Recording, Recording] | undefined> => {
    const [binary, text] = [sharedData(t, `hprof/agent/${name}.hprof`), sharedData(t, `hprof/agent/${name}.txt`)];
    if (binary === undefined || text === undefined) return undefined;
    const of = (path: string) => memorySource('x', readFileSync(path));
    return [await readHprofFile(of(binary)), await readHprofText(of(text))];
  };

  test('CPU samples: about 70 % in hot', async (t) => {
    const both = await read(t, 'cpu-samples');
    if (both === undefined) return;
    for (const recording of both) {
      const methods = methodsOf(recording);
      const all = [...methods.values()].reduce((sum, count) => sum + count, 0);
      const share = (methods.get('CpuDemo.hot') ?? 0) / all;
      ok(share > 0.6 && share < 0.8, `${share}`);
    }
    const [binary, text] = both.map((one) => one.profile?.metrics.map(({ id, notes }) => [id, notes]));
    deepEqual(binary, text);
  });

  test('allocation sites: the same objects of the program', async (t) => {
    const both = await read(t, 'alloc-heap-sites');
    if (both === undefined) return;
    // 3,000 nodes are kept; single ones, which the cutoff of texts hides, are not compared.
    const [binary, text] = both.map((recording) =>
      rowsOf(recording).flatMap((row) => /^0 \d{4,} .* AllocDemo\$Node(?= \d+ )/.exec(row)?.[0] ?? []),
    );
    deepEqual(binary, ['0 72000 3000 72000 3000 AllocDemo$Node']);
    deepEqual(text, binary);
  });
});
