/** Counts that run on over the dumps of a file, and those that begin again: which they are depends on the agent. */
import { deepStrictEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { CONTENTION_EVENTS } from '../../models/events/contention.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { TIME_EVENTS } from '../../models/events/time.js';
import type { Recording } from '../../models/recording.js';
import { readHprofText } from './read.js';

const DATE = 'Sat Nov 21 01:42:25 2026';

/** The rows of a table as the agents print them: count, trace, name. */
type Row = readonly [count: number, trace: number, name: string];

function table(name: string, total: string, rows: readonly Row[], parts = rows.map(([count]) => count)): string {
  const sum = parts.reduce((all, part) => all + part, 0);
  let before = 0;
  const lines = rows.map(([count, trace, text], i) => {
    before += parts[i] ?? 0;
    const percents = [parts[i] ?? 0, before].map((part) => `${((100 * part) / sum).toFixed(2)}%`);
    return `${i + 1} ${percents.join(' ')} ${count} ${trace} ${text}`;
  });
  return `${[`${name} BEGIN (total = ${total}) ${DATE}`, 'rank   self  accum   count trace method', ...lines, `${name} END`].join('\n')}\n`;
}

function traces(...serials: number[]): string {
  return serials.map((serial) => `TRACE ${serial}:\n\tA.f${serial}(A.java:1)\n`).join('');
}

async function read(text: string): Promise<Recording> {
  return readHprofText(memorySource('dumps.txt', new TextEncoder().encode(text)));
}

const codes = ({ problems }: Recording): string[] => Object.keys(problems.counts);

describe('contended entries continue with both agents', () => {
  for (const [agent, first] of [
    ['JVMTI', 300001],
    ['JVMPI', 1],
  ] as const)
    test(`of the ${agent} agent`, async () => {
      const rows = (a: number, b: number): Row[] => [
        [a, first, 'demo.Gate (Java)'],
        [b, first + 1, 'demo.Door (Java)'],
      ];
      const once = table('MONITOR TIME', '4000 ms', rows(10, 3), [3, 1]);
      const again = table('MONITOR TIME', '8000 ms', rows(14, 3), [3, 1]);
      const reset = table('MONITOR TIME', '8000 ms', rows(2, 9), [3, 1]);
      const recording = await read(traces(first, first + 1) + once + again + reset);
      const events = CONTENTION_EVENTS.of(recording.profile);
      deepStrictEqual([...(events?.dump ?? [])], [0, 0, 1, 1, 2, 2]);
      // The last dump counts less than the one before: it cannot have run on.
      deepStrictEqual([...(events?.count ?? [])], [10, 3, 4, 0, 2, 6]);
    });
});

describe('samples', () => {
  test('begin again with the JVMTI agent', async () => {
    const rows = (a: number, b: number): Row[] => [
      [a, 300001, 'A.f300001'],
      [b, 300002, 'A.f300002'],
    ];
    const dumps = [rows(6, 2), rows(8, 2)].map((of, i) => table('CPU SAMPLES', String([8, 10][i]), of));
    const recording = await read(traces(300001, 300002) + dumps.join(''));
    deepStrictEqual([...(SAMPLE_EVENTS.of(recording.profile)?.count ?? [])], [6, 2, 8, 2]);
    deepStrictEqual(codes(recording), []);
  });

  test('continue with the JVMPI agent; its totals and shares are those of the dump', async () => {
    const first = table('CPU SAMPLES', '8', [
      [6, 1, 'A.f1'],
      [2, 2, 'A.f2'],
    ]);
    const second = table(
      'CPU SAMPLES',
      '10',
      [
        [13, 1, 'A.f1'],
        [4, 2, 'A.f2'],
        [1, 3, 'A.f3'],
      ],
      [7, 2, 1],
    );
    const recording = await read(traces(1, 2, 3) + first + second);
    const samples = SAMPLE_EVENTS.of(recording.profile);
    deepStrictEqual([...(samples?.count ?? [])], [6, 2, 7, 2, 1]);
    deepStrictEqual([...(samples?.dump ?? [])], [0, 0, 1, 1, 1]);
    deepStrictEqual(codes(recording), []);
  });

  test('that a dump omits continue, too', async () => {
    const only = (count: number, trace: number): Row[] => [[count, trace, `A.f${trace}`]];
    const dumps = [only(6, 1), only(2, 2), only(9, 1)];
    const totals = ['6', '2', '3'];
    const text = dumps.map((rows, i) => table('CPU SAMPLES', totals[i] ?? '', rows)).join('');
    const recording = await read(traces(1, 2) + text);
    deepStrictEqual([...(SAMPLE_EVENTS.of(recording.profile)?.count ?? [])], [6, 2, 3]);
    deepStrictEqual(codes(recording), []);
  });
});

test('returns of methods continue with the JVMPI agent, times begin again', async () => {
  const rows = (count: number): Row[] => [[count, 1, 'A.f1']];
  const dumps = [rows(5), rows(7)].map((of, i) => table('CPU TIME (ms)', String([100, 40][i]), of));
  const { profile } = await read(traces(1) + dumps.join(''));
  const times = TIME_EVENTS.of(profile);
  deepStrictEqual(
    [[...(times?.calls ?? [])], [...(times?.spent ?? [])]],
    [
      [5, 2],
      [100e6, 40e6],
    ],
  );
});
