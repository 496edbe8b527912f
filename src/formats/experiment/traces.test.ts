/** MPI calls by the rules of the manual, regions of OpenMP, labels and later warnings, and heaps of several processes. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { stringAt } from '../../base/text.js';
import { MPI_EVENTS } from '../../models/events/mpi.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { metricColumn, type Profile } from '../../models/profile/profile.js';
import { RANGES } from '../../models/profile/tables.js';
import { functionName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { column } from '../../models/table.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { MPI_CALLS } from './kinds/mpi.js';
import { readExperiment } from './read.js';
import { MadeExperiment } from './testing/made-experiment.js';
import { memorySet } from './testing/memory-tree.js';

const MAIN = { native: ['main'] };

async function read(files: ReadonlyMap<string, Uint8Array>) {
  const { tree, set } = memorySet(files);
  const recording = await readExperiment(tree, set);
  if (recording.profile === undefined) throw new Error('no profile');
  return { ...recording, profile: recording.profile };
}

/** The sum of a metric. */
function sumOf(profile: Profile, id: string): number | undefined {
  const metric = profile.metrics.find((each) => each.id === id);
  const table = profile.events.find(({ kind }) => kind === metric?.table);
  const values = metric && table && metricColumn(metric, table);
  return values && [...values].reduce((sum, value) => sum + value, 0);
}

/** Functions of a stack, leaf first. */
function path({ stacks }: Profile, program: Program, leaf: number): string[] {
  const names: string[] = [];
  for (let id = leaf; id >= 0; id = stacks.parent[id])
    names.push(functionName(program, program.locations.function[stacks.location[id]]));
  return names;
}

describe('MPI', () => {
  for (const littleEndian of [true, false])
    test(`in a group of 4, messages of 1000 bytes, ${littleEndian ? 'little' : 'big'}-endian`, async () => {
      const call = (name: (typeof MPI_CALLS)[number]): number => MPI_CALLS.indexOf(name);
      const made = new MadeExperiment({ littleEndian, word: 8 });
      // The rules of the manual: the root of a broadcast sends to all, itself included, and all receive; a reduction of all has each send to and
      // receive from each; a scattered one does so with a part of the bytes.
      made.mpi({ stack: MAIN, time: 500 }, call('Bcast'), 100, [4, 4000, 1, 1000]);
      for (let other = 2; other <= 4; other++)
        made.mpi({ stack: MAIN, thread: other, time: 600 }, call('Bcast'), 100, [0, 0, 1, 1000]);
      made.mpi({ stack: MAIN, time: 700 }, call('Allreduce'), 50, [4, 4000, 4, 4000]);
      made.mpi({ stack: MAIN, time: 800 }, call('Reduce_scatter'), 20, [4, 1000, 4, 1000]);
      made.mpi({ stack: MAIN, time: 900 }, call('Barrier'), 10, [0, 0, 0, 0]);
      made.mpi({ stack: MAIN, time: 950 }, 99, 0, [0, 0, 0, 0]);
      const { profile, program } = await read(made.files());
      const ids = ['mpi-time', 'mpi-sends', 'mpi-sent', 'mpi-receives', 'mpi-received', 'mpi-others'];
      deepStrictEqual(
        ids.map((id) => sumOf(profile, id)),
        [480, 12, 9000, 12, 9000, 2],
      );
      const { call: calls } = MPI_EVENTS.of(profile) ?? {};
      const names = Array.from(calls ?? [], (name) => (name < 0 ? '' : stringAt(program.names, name)));
      deepStrictEqual(names.slice(3), ['MPI_Bcast', 'MPI_Allreduce', 'MPI_Reduce_scatter', 'MPI_Barrier', '']);
    });
});

test('samples have the parallel region that their thread was in, and its pragmas', async () => {
  const made = new MadeExperiment();
  const at = (thread: number, time: number) => ({ stack: MAIN, thread, time });
  made.region(7, 0, 'outer').region(8, 7, 'inner');
  made.enter(7, 1, 100).enter(8, 2, 200).enter(8, 1, 300).enter(0, 1, 400);
  for (const time of [50, 100, 250, 300, 399, 450]) made.clock(at(1, time), 1);
  made.clock(at(2, 150), 1).clock(at(2, 999), 1).clock(at(3, 999), 1);
  const { profile, program } = await read(made.files());
  const table = profile.events.find(({ kind }) => kind === CPU_SAMPLE_EVENTS.kind);
  if (table === undefined) throw new Error('no samples');
  deepStrictEqual([...column(table, 'omp_region')], [0, 1, 1, 2, 2, 0, 0, 2, 0]);
  const pragmas = [...column(table, 'omp_region_stack')].map((leaf) => path(profile, program, leaf));
  const [outer, inner] = [['outer'], ['inner', 'outer']];
  deepStrictEqual(pragmas, [[], outer, outer, inner, inner, [], [], inner, []]);
});

test('regions within themselves end', async () => {
  const made = new MadeExperiment()
    .region(7, 8, 'a')
    .region(8, 7, 'b')
    .enter(7, 1, 0)
    .clock({ stack: MAIN, time: 1 }, 1);
  const { profile, program } = await read(made.files());
  const [table] = profile.events;
  const [leaf = -1] = table === undefined ? [] : column(table, 'omp_region_stack');
  equal(path(profile, program, leaf).length, 64);
});

test('labels are spans of time, comments and later warnings are reported', async () => {
  const made = new MadeExperiment().clock({ stack: MAIN, time: 5e9 }, 1);
  const files = made.files();
  const text = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join('\n'));
  const id = (rest: string): string => `<id hostname="unknown" time="0" ${rest}/>`;
  files.set(
    'labels.xml',
    text([
      id('name="load" tstamp="1003.500000000" lbl_ts="0.000000000" relative="0" cmd="start"'),
      id('name="load" tstamp="1005.000000000" lbl_ts="-0.500000000" relative="0" cmd="stop"'),
      id('name="first" lbl_ts="0.250000000" relative="1" cmd="start"'),
      id('name="first" lbl_ts="1.000000000" relative="1" cmd="stop"'),
      id('name="other" tstamp="1.0" cmd="start"').replace('unknown', 'elsewhere'),
      id('name="first" comment="before &amp; after"'),
    ]),
  );
  files.set('warnings.xml', text(['<event kind="cwarn" id="211">copy failed</event>']));
  const { profile, program, metadata, problems } = await read(files);
  const ranges = profile.ranges && RANGES.rows(profile.ranges);
  const spans = Array.from(ranges?.track ?? [], (track, row) => [
    stringAt(program.names, track),
    ranges?.time[row],
    ranges?.duration[row],
  ]);
  deepStrictEqual(spans.slice(1), [
    ['Label: load', 3.5e9, 1e9],
    ['Label: first', 0.25e9, 0.75e9],
  ]);
  equal(metadata.find(({ key }) => key === 'label first')?.value, 'before & after');
  const [warning] = problems.list.filter(({ code }) => code === 'experiment-recorder');
  equal(warning?.message, 'test.er/warnings.xml: the recorder reported a warning: copy failed (211)');
});

test('processes free only what they allocated themselves, though addresses are the same', async () => {
  const [malloc, free] = [0, 1];
  const at = (time: number) => ({ stack: MAIN, time });
  const parent = new MadeExperiment().heap(at(1), malloc, 0x1000, 10).heap(at(4), malloc, 0x2000, 20);
  const child = new MadeExperiment()
    .heap(at(2), free, 0x1000, 0)
    .heap(at(3), malloc, 0x1000, 5)
    .heap(at(5), free, 0x2000, 0);
  const files = parent.files();
  for (const [name, bytes] of child.files()) files.set(`_f1.er/${name}`, bytes);
  const { profile } = await read(files);
  equal(sumOf(profile, 'heap-leaked'), 35);
});

test('an address means what was mapped there at the time: code is unmapped, and its memory is used again', async (t) => {
  if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
  const made = new MadeExperiment();
  const at = (time: number) => ({ stack: { native: ['main', 'first'] }, time });
  // Before the first mapping, in the first, between both, in the second, after it. What runs before a mapping is recorded is that of the next one.
  for (const [time, ticks] of [
    [1e9, 1],
    [3e9, 2],
    [5e9, 4],
    [7e9, 8],
    [9e9, 16],
  ] as const)
    made.clock(at(time), ticks);
  const files = made.files();
  const map = new TextDecoder().decode(files.get('map.xml'));
  const event = /<event [^>]*name="first" \/>\n/.exec(map)?.[0] ?? '';
  const from = (second: number, name: string): string =>
    event.replace('0.000000000', `${second}.000000000`).replace('first', name);
  const until = (second: number): string =>
    `<event kind="unmap" tstamp="${second}.000000000" ${/vaddr="\w+"/.exec(event)?.[0]}/>\n`;
  const reused = [from(2, 'first'), until(4), from(6, 'second'), until(8)].join('');
  files.set('map.xml', new TextEncoder().encode(map.replace(event, reused)));
  const path = join(await temporaryFolder(t), 'reused.er');
  mkdirSync(path);
  for (const [name, bytes] of files) writeFileSync(join(path, name), bytes);
  const words = ['display', 'text', '-metrics', 'e.totalcpu', '-functions', path];
  const text = execFileSync('gprofng', words, { encoding: 'utf8' });
  const peer = [...text.matchAll(/^ *(0\.\d+) +(\S.*)$/gm)].map(
    ([, self = '', name]) => `${name} ${Number(self) / 0.01}`,
  );
  deepStrictEqual(peer.filter((line) => !line.startsWith('<Total>')).sort(), ['<Unknown> 16', 'first 3', 'second 12']);
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  const { rows } = await ask(session, { view: 'functions', page: { limit: 0 } });
  const own = rows.flatMap(({ function: name, self }) => (self ? [`${name.split(' ')[0]} ${self / 1e7}`] : []));
  deepStrictEqual(own.sort(), ['[unknown] 16', 'first 3', 'second 12']);
  await session.close();
});
