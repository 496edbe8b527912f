/** callgrind files as read: against callgrind_annotate, and against a second reading of the same file. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { FUNCTION_KINDS } from '../../models/program/program.js';
import { ask, sessionOf } from '../../session/session.js';
import { readWith, saidFrames, unpacked } from '../../testing/interop/speedscope-truth.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { callgrind } from './index.js';
import { callgrindSums, plainCallgrind } from './testing/callgrind-oracle.js';

const FIXTURES = join(ROOT, 'src/formats/callgrind/testing/fixtures');

/** What callgrind_annotate printed: `file:function` without object → value of the first event; of several with a name, all. */
function annotated(path: string): Map<string, number[]> {
  const values = new Map<string, number[]>();
  const rows = Buffer.from(unpacked(path))
    .toString('utf8')
    .matchAll(/^ *([\d,]+)(?: +[\d,.]+)* {2}(\S.*?)(?: \[[^\]]*\])?$/gm);
  for (const [, value = '', name = ''] of rows)
    if (name !== 'PROGRAM TOTALS') values.set(name, [...(values.get(name) ?? []), Number(value.replaceAll(',', ''))]);
  return values;
}

describe('real files: self and inclusive costs as in callgrind_annotate', () => {
  for (const [name, least] of [
    ['callgrind.depot.plain.out', 250],
    ['callgrind.depot.instr.out', 250],
    ['callgrind.depot.cache.out', 250],
  ] as const)
    test(name, async (t) => {
      const path = sharedData(t, `interop/callgrind/${name}.gz`);
      if (path === undefined) return;
      const recording = await readWith(callgrind, path);
      equal(recording.complete, true);
      const { rows } = await ask(sessionOf([recording]), {
        view: 'functions',
        options: { metric: 'Ir' },
        page: { limit: 0 },
      });
      const exclusive = annotated(join(path, `../expected/${name}.exclusive.txt`));
      const inclusive = annotated(join(path, `../expected/${name}.inclusive.txt`));
      ok(exclusive.size > least);
      const plain = plainCallgrind(unpacked(path));
      equal(plain.isBroken, false);
      const sums = callgrindSums(recording);
      for (const [key, value] of plain.sums) equal(sums.get(key), value, key);
      equal(sums.size, plain.sums.size);
      // By the names that callgrind_annotate prints.
      const self = new Map<string, number>();
      for (const [key, value] of plain.sums) {
        const [, file = '', text = ''] = /^Ir [^|]*\|([^|]*)\|([^\t]*)$/.exec(key) ?? [];
        if (text !== '')
          self.set(
            `${file === '' ? '???' : file}:${text}`,
            (self.get(`${file === '' ? '???' : file}:${text}`) ?? 0) + value,
          );
      }
      let compared = 0;
      for (const [function_, values] of exclusive) {
        const sum = self.get(function_);
        if (sum === undefined) continue;
        compared++;
        equal(
          sum,
          values.reduce((all, value) => all + value, 0),
          function_,
        );
      }
      ok(compared > least, `${compared} of ${exclusive.size}`);
      const main = inclusive.get('/opt/depot/depot.cpp:main') ?? inclusive.get('depot.cpp:main');
      const total = totalOf(rows, 'main (depot.cpp)');
      equal(total, main?.[0]);
    });
});

function totalOf(rows: readonly object[], name: string): unknown {
  const row = rows.find((each) => Object.values(each).includes(name));
  return row === undefined ? undefined : Object.entries(row).find(([key]) => key === 'total')?.[1];
}

describe('small files: totals as in speedscope', () => {
  for (const name of ['callgrind.example.log', 'callgrind.name-compression.log', 'callgrind.cfn-reset.log'])
    test(name, async (t) => {
      const path = sharedData(t, `interop/callgrind/${name}`);
      if (path === undefined) return;
      const { rows } = await ask(sessionOf([await readWith(callgrind, path)]), { view: 'functions', options: {} });
      for (const frame of saidFrames(join(path, `../expected/${name}.speedscope.txt`)))
        equal(totalOf(rows, `${frame.name} (${frame.file})`), frame.total, frame.name);
    });
});

test('inlined code, calls, instructions, several events', async () => {
  const recording = await readWith(callgrind, join(FIXTURES, 'all-sorts.callgrind'));
  deepEqual([recording.complete, recording.problems.list], [true, []]);
  deepEqual(
    recording.sections.map(({ name, entries }) => `${name} ${entries}`),
    ['lines with costs 7', 'calls 2', 'jumps 2'],
  );
  const { program, profile } = recording;
  ok(program.functions.kind.every((kind) => FUNCTION_KINDS[kind] === 'native'));
  equal(program.locations.loadObject?.filter((object) => object >= 0).length, 8);
  const { rows } = await ask(sessionOf([recording]), { view: 'callers', options: { function: 'main' } });
  deepEqual(
    rows.map((row) => [row.relation, row.function, row.attributed]),
    [
      ['function', '2 functions matching main', 10],
      ['callee', 'qsort (qsort.c)', 40],
      ['callee', 'price (shop.c)', 7],
    ],
  );
  equal(profile?.metrics.map(({ id }) => id).join(), 'Ir,Dr,calls');
});

test('several parts with their own events', async () => {
  const recording = await readWith(callgrind, join(FIXTURES, 'two-parts.callgrind'));
  deepEqual([recording.complete, recording.problems.list], [true, []]);
  deepEqual(callgrindSums(recording), plainCallgrind(unpacked(join(FIXTURES, 'two-parts.callgrind'))).sums);
});

test('a file that was cut says how much of the costs it has', async () => {
  const text = 'events: Ir\nsummary: 9\nfl=a.c\nfn=a\n1 4\n';
  const { complete, problems } = await callgrind.read(memorySource('cut', Buffer.from(text)));
  deepEqual([complete, problems.list[0]?.message], [false, 'the costs of Ir are 4, but the file says 9']);
});
