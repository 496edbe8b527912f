/** Written CPU profiles are read as the same values, and have the shape that Node writes. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { runs } from '../../testing/amount.js';
import { readWith } from '../../testing/interop/speedscope-truth.js';
import { ROOT } from '../../testing/shared-data.js';
import { collapsed } from '../collapsed/index.js';
import { readCpuProfile } from './read.js';
import { plainProfile, seenRows } from './testing/cpuprofile-oracle.js';
import { writeCpuProfile } from './write.js';

const FORMATS = join(ROOT, 'src/formats');

async function again(recording: Awaited<ReturnType<typeof readCpuProfile>>) {
  const { chunks, dropped } = writeCpuProfile(recording);
  const bytes = Buffer.concat([...chunks]);
  return { read: await readCpuProfile(memorySource('again', bytes)), bytes, dropped };
}

const NODE20 = join(FORMATS, 'cpuprofile/fixtures/node20-warehouse.cpuprofile');

test('a profile of Node: stacks, times and lines stay; so does a second writing', async () => {
  const before = await readCpuProfile(memorySource('a', readFileSync(NODE20)));
  const { read, bytes, dropped } = await again(before);
  deepEqual(
    dropped.filter((line) => !String(line).includes('remark')),
    [],
  );
  deepEqual(seenRows(read), seenRows(before));
  deepEqual(read.profile?.events[0]?.columns.time, before.profile?.events[0]?.columns.time);
  deepEqual(linesOf(read), linesOf(before));
  equal(read.program.functions.length, before.program.functions.length);
  deepEqual(read.problems.list, []);
  deepEqual((await again(read)).bytes, bytes);
});

function linesOf({ program, profile }: Awaited<ReturnType<typeof readCpuProfile>>): unknown {
  const { stack } = profile?.events[0]?.columns ?? {};
  return Array.from(stack ?? [], (id) => program.locations.line?.[profile?.stacks.location[id] ?? -1]);
}

test('samples of another format: their numbers become times, what is lost is said', async () => {
  const before = await readWith(collapsed, join(FORMATS, 'collapsed/testing/fixtures/unusual.collapsed'));
  const { read, dropped } = await again(before);
  // One value is negative.
  equal(read.profile?.events[0]?.length, (before.profile?.events[0]?.length ?? 0) - 1);
  equal(dropped.includes('1 events with values below 0: samples have no such times'), true);
  equal(
    dropped.some((line) => String(line).includes('unit')),
    true,
  );
});

test('any profile: what the engine reads of the written file is what was read', async () => {
  const node = fc.record({
    name: fc.constantFrom('a', 'b', '', 'ü"'),
    line: fc.integer({ min: -1, max: 9 }),
    parent: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(node, { maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(2000)), { minLength: 1, maxLength: 12 }),
      async (nodes, samples) => {
        const frame = (functionName: string, lineNumber: number) => ({
          functionName,
          scriptId: '7',
          url: 'f.js',
          lineNumber,
          columnNumber: 3,
        });
        const list = [
          {
            id: 1,
            callFrame: { functionName: '(root)', scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 },
            children: [2],
          },
          { id: 2, parent: 1, callFrame: frame('main', 0) },
          ...nodes.map(({ name, line, parent }, i) => ({
            id: i + 3,
            parent: 2 + (parent % (i + 1)),
            callFrame: frame(name, line),
          })),
        ];
        const root = {
          nodes: list,
          startTime: 0,
          endTime: 1,
          samples: samples.map(([pick]) => 2 + (pick % (nodes.length + 1))),
          timeDeltas: samples.map(([, delta]) => delta),
        };
        const first = await readCpuProfile(memorySource('first', Buffer.from(JSON.stringify(root))));
        deepEqual(seenRows(first), plainProfile(root)?.rows);
        const { read, bytes } = await again(first);
        deepEqual(seenRows(read), seenRows(first));
        deepEqual(plainProfile(JSON.parse(Buffer.from(bytes).toString()))?.rows, seenRows(first));
      },
    ),
    runs(200),
  );
});
