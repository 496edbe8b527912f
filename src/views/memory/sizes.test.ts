/** Native memory by size and by stack: of experiments against their programs and what gprofng prints, and of drawn events. */
import { deepEqual, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

async function opened(
  t: { after(run: () => Promise<void>): void },
  path: string,
  inlinedFrames = false,
): Promise<Session> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {}, inlinedFrames });
  t.after(() => session.close());
  return session;
}

/** `1KB - 8KB   182` of a part of gprofng's statistics, by the larger size. */
function rangesOfPeer(text: string, title: string): [number, number][] {
  const [, part = ''] = text.split(`${title}\n`);
  return [...(part.split('\n\n')[0] ?? '').matchAll(/- (\d+)([KMG])B +(\d+)/g)].map(([, size, letter = '', count]) => [
    Number(size) * 1024 ** ' KMG'.indexOf(letter),
    Number(count),
  ]);
}

/** A program that allocates 400 and 100 records, forgets every tenth, and reads a file into a block that grows. */
const STORE = join(ROOT, 'examples', 'experiment', 'store.er.tar.gz');

describe('native memory by size', () => {
  test('allocations are those that gprofng counts', async (t) => {
    const folder = sharedData(t, 'experiments');
    if (folder === undefined) return;
    const session = await opened(t, join(folder, 'heap-leaks.er.tar.gz'));
    const { rows, allocated } = await ask(session, { view: 'memory', page: { limit: 0 } });
    const expected = readFileSync(join(folder, 'expected', 'heap-leaks', 'heapstat.txt'), 'utf8');
    deepEqual(
      rows.map(({ to, allocations }) => [to, allocations]),
      rangesOfPeer(expected, 'Memory Allocations Statistics'),
    );
    const numberOf = (label: string): number => Number(new RegExp(`^${label} +(\\d+)`, 'm').exec(expected)?.[1]);
    deepEqual(allocated, {
      count: numberOf('Total allocations'),
      bytes: numberOf('Total bytes'),
      smallest: numberOf('Smallest allocation bytes'),
      largest: numberOf('Largest allocation bytes'),
    });
  });

  test('only forgotten records are not freed; the peak is while the file is read', async (t) => {
    const session = await opened(t, STORE);
    const { leaked, peak, processes } = await ask(session, { view: 'memory' });
    deepEqual(leaked, { count: 50, bytes: 50 * 64, smallest: 64, largest: 64 });
    // 40 records, and a block of 32768 bytes: realloc has freed the smaller ones.
    deepEqual([peak?.bytes, peak?.process, processes], [40 * 64 + 32768, 1, 2]);
    const scope = [{ kind: 'thread', pattern: '^_f1 ' } as const];
    const child = await ask(session, { view: 'memory', scope });
    deepEqual([child.allocated.count, child.leaked.count, child.peak?.process], [100, 10, 2]);
  });

  test('events without names of functions: those of no allocation free', async () => {
    const program = new ProgramBuilder();
    const rows = NATIVE_MEMORY_EVENTS.having(['time']).builder();
    const add = (time: number, address: number, bytes: number, live = 0): void =>
      rows.add({ stack: -1, time, address, allocations: bytes > 0 ? 1 : 0, bytes, live });
    add(1, 0x10, 100);
    add(4, 0x30, 1024, 1024);
    add(2, 0x20, 3000);
    add(3, 0x10, 0);
    add(5, 0x20, 0);
    const profile = { stacks: new StackBuilder().finish(), events: [rows.finish()], metrics: [] };
    const session = sessionOf([drawnRecording({ program: program.finish(), profile })]);
    const result = await ask(session, { view: 'memory' });
    deepEqual(result.peak, { bytes: 3000 + 1024, time: 4, process: 1 });
    deepEqual(
      result.rows.map(({ from, to, allocations, leaks }) => [from, to, allocations, leaks]),
      [
        [0, 1024, 2, 1],
        [1024, 8192, 1, 0],
      ],
    );
  });

  test('a recording without such events has no answer', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'experiment', 'shop.er.tar.gz'));
    await rejects(ask(session, { view: 'memory' }), /no events of native memory/);
    await rejects(ask(session, { view: 'sites' }), /no allocation sites/);
  });
});

describe('sites of native memory', () => {
  test('each stack has its blocks, and what was not freed of them', async (t) => {
    const session = await opened(t, STORE, true);
    const { rows, live_bytes, live_objects, allocated_bytes } = await ask(session, { view: 'sites' });
    deepEqual([live_bytes, live_objects, allocated_bytes], [50 * 64, 50, 119040]);
    const blockRows = rows.map(({ frames, live_objects: live, allocated_objects: all, class: type }) => {
      return [frames.find((frame) => frame.includes('store.c'))?.replace(/\(.*/, ''), live, all, type];
    });
    deepEqual(blockRows.slice(0, 2), [
      ['write_records', 40, 400, null],
      ['write_records', 10, 100, null],
    ]);
    // Line 37 of store.c calls realloc, whose name only the machine of the recording has.
    const grown = rows.filter(({ frames }) => frames.some((frame) => frame.includes('store.c:37')));
    deepEqual(
      grown.map(({ live_objects: live, allocated_objects: all, allocated_bytes: bytes }) => [live, all, bytes]),
      [[0, 3, 8192 + 16384 + 32768]],
    );
  });

  test('leaks by stack are those of gprofng where nothing was reallocated', async (t) => {
    const folder = sharedData(t, 'experiments');
    if (folder === undefined) return;
    const session = await opened(t, join(folder, 'heap-leaks.er.tar.gz'));
    const { rows } = await ask(session, { view: 'sites', page: { limit: 0 } });
    const text = readFileSync(join(folder, 'expected', 'heap-leaks', 'leaks.txt'), 'utf8');
    const expected = [...text.matchAll(/Instances = (\d+), Bytes Leaked = (\d+)\n {2}(\w+)/g)]
      .filter(([, , , name]) => name !== 'realloc')
      .map(([, count, bytes]) => `${count} ${bytes}`);
    const blockSizes = rows
      .filter(({ frames, live_objects }) => live_objects !== 0 && !frames[0]?.startsWith('realloc'))
      .map(({ live_objects, live_bytes }) => `${live_objects} ${live_bytes}`);
    deepEqual(blockSizes.sort(), expected.sort());
  });

  test('there are no classes', async (t) => {
    const session = await opened(t, STORE);
    await rejects(ask(session, { view: 'sites', options: { by: 'class' } }), /no classes/);
    await rejects(ask(session, { view: 'sites', options: { memory: 'objects' } }), /no allocation sites/);
  });
});
