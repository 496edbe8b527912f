/** Merging, case by case; the laws are in `merge.property.test.ts`, real files in `testing/merge-truth.test.ts`. */
import { deepStrictEqual, equal, match, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { readCollapsed } from '../../formats/collapsed/read.js';
import { writeCollapsed } from '../../formats/collapsed/write.js';
import { bytesOf, jsonOf, readText } from '../../formats/iprof/testing/iprof-documents.js';
import { writeIprof } from '../../formats/iprof/write/write.js';
import type { Recording } from '../../models/recording.js';
import { drawn } from '../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { mergeRecordings } from './merge.js';
import { parseWeight } from './rational.js';

const TYPES = ['a.A', 'void', 'int', 'a.A$$Lambda/0x01', 'a.A$$Lambda/0x02'];

interface Sections {
  readonly version?: string;
  readonly types?: readonly string[];
  /** Name and rows of types. */
  readonly methods?: readonly (readonly [string, ...number[]])[];
  readonly [section: string]: unknown;
}

/** A file with ids of `step` times the row. */
function profile(sections: Sections, step = 1): Promise<Recording> {
  const { version = '1.1.0', types = TYPES, methods = [['m', 0, 1]], ...entries } = sections;
  return readText(
    JSON.stringify({
      version,
      types: types.map((name, row) => ({ id: row * step, name })),
      methods: methods.map(([name, ...signature], row) => ({
        id: row * step,
        name,
        signature: signature.map((type) => type * step),
      })),
      ...Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, [value].flat().map(moved)])),
    }),
  );
  function moved(entry: unknown): unknown {
    const [ctx, records] = [section(entry, 'ctx'), section(entry, 'records')];
    const typed = Array.isArray(records) && records.length % 2 === 0;
    return {
      ctx: String(ctx).replace(/(\d+):/g, (_, id: string) => `${Number(id) * step}:`),
      records: typed ? records.map((value, i) => (i % 2 === 0 ? Number(value) * step : value)) : records,
    };
  }
}

function branches(...records: number[]): Sections {
  return { conditionalProfiles: [{ ctx: '0:4', records }] };
}

async function merged(inputs: readonly Promise<Recording>[], weights = inputs.map(() => '1')) {
  const recording = mergeRecordings(await Promise.all(inputs), weights.map(parseWeight));
  return { recording, json: jsonOf(bytesOf(writeIprof(recording))), problems: recording.problems.list };
}

function section(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null
    ? Object.entries(json).find(([name]) => name === key)?.[1]
    : undefined;
}

describe('data that cannot be added', () => {
  it('entries with dangling references are reported in a fixed order', async () => {
    const input = (count: number) =>
      profile({ callCountProfiles: Array.from({ length: count }, (_, i) => ({ ctx: `${70 + i}:0`, records: [1] })) });
    const told = async (counts: readonly number[]) =>
      (await merged([...counts.map(input), profile(branches(9, 0, 3))])).problems.map(({ message }) => message);
    const lines = await told([2, 3]);
    equal(lines.length, 2);
    deepStrictEqual(await told([3, 2]), lines);
  });

  it('unknown sections and keys are reported, independent of the order', async () => {
    const input = (key: string) => {
      const document = { version: '1.0.0', types: [{ id: 0, name: 'A', [key]: 1 }], methods: [], [key]: [1] };
      return readText(JSON.stringify(document));
    };
    const told = async (keys: readonly string[]) => {
      const { problems } = await merged([...keys.map(input), profile(branches(9, 0, 3))]);
      return problems.filter(({ code }) => code === 'merge-left-out').map(({ message }) => message);
    };
    const lines = await told(['later', 'other']);
    equal(lines.length, 4);
    match(lines[0] ?? '', /^later of \S+: unknown to the format/);
    match(lines[2] ?? '', /^unknown data of 1 element of/);
    deepStrictEqual(await told(['other', 'later']), lines);
  });
});

describe('branches that disagree', () => {
  it('an entry of a hostile file has 100,000 records, in the order that sorts worst', async () => {
    const records = Array.from({ length: 100_000 }, (_, i) => [1, 100_000 - i, i]).flat();
    const { json } = await merged([profile({ conditionalProfiles: [{ ctx: '0:4', records }] })]);
    const sorted = Array.from({ length: 100_000 }, (_, i) => [1, i + 1, 99_999 - i]).flat();
    deepStrictEqual(section(json, 'conditionalProfiles'), [{ ctx: '0:4', records: sorted }]);
  });

  it('the heavier one is kept whole and the other reported', async () => {
    const inputs = [profile(branches(9, 0, 3, 20, 1, 4)), profile(branches(9, 0, 5, 22, 1, 1))];
    const { json, problems } = await merged(inputs);
    deepStrictEqual(section(json, 'conditionalProfiles'), [{ ctx: '0:4', records: [9, 0, 3, 20, 1, 4] }]);
    equal(problems[0]?.code, 'merge-conflict');
    match(problems[0]?.message ?? '', /^branch at a\.A\.m:4: the targets differ; those of test\.iprof are kept/);
  });

  it('weights decide which is heavier', async () => {
    const inputs = [profile(branches(9, 0, 3, 20, 1, 4)), profile(branches(9, 0, 5, 22, 1, 1))];
    const { json } = await merged(inputs, ['1', '7/6']);
    // 6 * 7/6 = 7 = 3 + 4: the tie goes to the smaller target.
    deepStrictEqual(section(json, 'conditionalProfiles'), [{ ctx: '0:4', records: [9, 0, 3, 20, 1, 4] }]);
    const heavier = await merged(inputs, ['1', '1.1667']);
    deepStrictEqual(section(heavier.json, 'conditionalProfiles'), [{ ctx: '0:4', records: [9, 0, 6, 22, 1, 1] }]);
  });

  it('those that agree are added before they are weighed', async () => {
    const inputs = [profile(branches(9, 0, 5)), profile(branches(7, 0, 4)), profile(branches(7, 0, 4), 10)];
    const { json } = await merged(inputs);
    deepStrictEqual(section(json, 'conditionalProfiles'), [{ ctx: '0:4', records: [7, 0, 8] }]);
  });

  it('equal records keep their order, and the order of others has no meaning', async () => {
    const one = branches(-5, 1, 2, 9, 0, 1, -5, 1, 30);
    const other = branches(9, 0, 1, -5, 1, 4, -5, 1, 50);
    const { json } = await merged([profile(one), profile(other)]);
    deepStrictEqual(section(json, 'conditionalProfiles'), [{ ctx: '0:4', records: [9, 0, 2, -5, 1, 6, -5, 1, 80] }]);
  });
});

describe('counts', () => {
  const calls = (count: number): Sections => ({ callCountProfiles: [{ ctx: '0:0', records: [count] }] });
  const cases: readonly [string, number[], string[], number][] = [
    ['a half is rounded up', [1, 2], ['0.5', '1'], 3],
    ['thirds are thirds', [1, 1, 1], ['1/3', '1/3', '1/3'], 1],
    ['rounded once, at the end', [1, 1], ['1/4', '1/4'], 1],
    ['what happened is not nothing', [1], ['1/1000'], 1],
    ['nothing stays nothing', [0], ['1000'], 0],
    ['tenths are no doubles', [3, 3, 3], ['0.1', '0.1', '0.3'], 2],
    ['the largest that is exact', [2 ** 53 - 2, 1], ['1', '1'], 2 ** 53 - 1],
    ['beyond it is that', [2 ** 53 - 1, 1], ['1', '1'], 2 ** 53 - 1],
    ['large ones that come back', [2 ** 53 - 1, 2 ** 53 - 1], ['1/2', '1/2'], 2 ** 53 - 1],
  ];
  for (const [what, counts, weights, expected] of cases) {
    it(what, async () => {
      const { json, problems } = await merged(
        counts.map((count) => profile(calls(count))),
        weights,
      );
      deepStrictEqual(section(json, 'callCountProfiles'), [{ ctx: '0:0', records: [expected] }]);
      equal(
        problems.some(({ code }) => code === 'merge-saturated'),
        what === 'beyond it is that',
      );
    });
  }

  it('an invalid weight is an error', () => {
    for (const text of ['', '0', '-1', 'x', '1/0', '0/3', 'NaN', '1e999', '0x1', '1,5'])
      throws(() => parseWeight(text));
  });

  it('types of a site are united; more than eight are reported', async () => {
    const types = Array.from({ length: 6 }, (_, row) => `t.T${row}`);
    const site = (from: string): Sections => ({
      types: [...TYPES, ...types.map((name) => from + name)],
      virtualInvokeProfiles: [
        { ctx: '0:3', records: [2, 1, ...types.flatMap((_, row) => [TYPES.length + row, row + 1])] },
      ],
    });
    const { json, problems } = await merged([profile(site('a')), profile(site('b'), 3)]);
    const [entry] = [section(json, 'virtualInvokeProfiles')].flat();
    const records = section(entry, 'records');
    equal(Array.isArray(records) && records.length, 26);
    equal(problems[0]?.code, 'merge-many-types');
  });
});

describe('names', () => {
  const lambda = (name: string, count: number): Sections => ({
    types: ['a.A', 'void', name],
    methods: [['run', 2, 1]],
    callCountProfiles: [{ ctx: '0:0', records: [count] }],
  });

  it('a run-time number does not prevent a unique join', async () => {
    const { json, problems } = await merged([
      profile(lambda('a.A$$Lambda/0x0a', 2)),
      profile(lambda('a.A$$Lambda/0x0b', 3)),
    ]);
    deepStrictEqual(section(json, 'callCountProfiles'), [{ ctx: '0:0', records: [5] }]);
    deepStrictEqual(problems, []);
  });

  it('several candidates are not guessed, and reported', async () => {
    const two: Sections = {
      methods: [
        ['run', 3, 1],
        ['run', 4, 1],
      ],
      callCountProfiles: [
        { ctx: '0:0', records: [10] },
        { ctx: '1:0', records: [20] },
      ],
    };
    const { json, problems } = await merged([profile(two), profile(lambda('a.A$$Lambda/0x03', 5))]);
    deepStrictEqual(section(json, 'callCountProfiles'), [
      { ctx: '0:0', records: [10] },
      { ctx: '1:0', records: [20] },
      { ctx: '2:0', records: [5] },
    ]);
    deepStrictEqual(
      problems.map(({ code }) => code),
      ['merge-ambiguous'],
    );
    match(problems[0]?.message ?? '', /^3 methods/);
    const again = await merged([profile(two), profile(two, 7)]);
    deepStrictEqual(section(again.json, 'callCountProfiles'), [
      { ctx: '0:0', records: [20] },
      { ctx: '1:0', records: [40] },
    ]);
    deepStrictEqual(again.problems, []);
  });

  it('undefined methods and types are left out', async () => {
    const { json, problems } = await merged([
      profile({
        callCountProfiles: [
          { ctx: '0:0', records: [1] },
          { ctx: '77:0<0:2', records: [4] },
        ],
      }),
      profile({ virtualInvokeProfiles: [{ ctx: '0:1', records: [0, 2, 99, 3] }] }),
    ]);
    deepStrictEqual(section(json, 'callCountProfiles'), [{ ctx: '0:0', records: [1] }]);
    deepStrictEqual(section(json, 'virtualInvokeProfiles'), [{ ctx: '0:1', records: [0, 2] }]);
    deepStrictEqual(
      problems.map(({ code, message }) => `${code} ${message.slice(0, 24)}`),
      ['merge-unexplained 1 entry of test.iprof th', 'merge-unexplained 1 entry of test.iprof th'],
    );
  });
});

describe('files of different kinds', () => {
  it('the newest version is written; an older one does not support type checks', async () => {
    const old = profile({ version: '0.4.0', callCountProfiles: [{ ctx: '0:0', records: [1] }] });
    const checks = profile({ instanceofProfiles: [{ ctx: '0:1', records: [0, 2] }] });
    const { recording, json } = await merged([old, checks]);
    equal(section(json, 'version'), '1.1.0');
    deepStrictEqual(section(json, 'instanceOfProfiles'), [{ ctx: '0:1', records: [0, 2] }]);
    for (const version of ['0.2.0', '0.4.0', '1.0.0']) {
      const written = writeIprof(recording, { version });
      const bytes = bytesOf(written);
      equal(section(jsonOf(bytes), 'version'), version);
      equal(section(jsonOf(bytes), 'instanceOfProfiles'), undefined);
      deepStrictEqual(written.dropped, [`1 instance-of entry: not supported by version ${version}`]);
    }
  });

  it('stacks of names with threads', async () => {
    const read = (text: string) => readCollapsed(memorySource('a.collapsed', new TextEncoder().encode(text)));
    const one = await read('[main tid=1];A.a;B.b 3\n[main tid=2];A.a 1\n');
    const two = await read('[main tid=1];A.a;B.b 4\n[main tid=1];A.a 2\n');
    const both = mergeRecordings([two, one], [parseWeight('2'), parseWeight('1')]);
    equal(
      bytesOf(writeCollapsed(both)).toString(),
      '[main tid=1];A.a 4\n[main tid=2];A.a 1\n[main tid=1];A.a;B.b 11\n',
    );
  });

  it("names in the VM's spelling are the same as those with dots", async () => {
    const read = (text: string) => readCollapsed(memorySource('a.collapsed', new TextEncoder().encode(text)));
    const both = mergeRecordings([await read('x/y/Z.m;x/y/Z$1.n 3\n'), await read('x.y.Z.m;x.y.Z$1.n 4\n')]);
    equal(bytesOf(writeCollapsed(both)).toString(), 'x.y.Z.m;x.y.Z$1.n 7\n');
  });

  it('values with fractions are added without rounding', () => {
    const event = { frames: ['a'], thread: 'main', time: 0 };
    const recordings = [0.1, 0.2, 0.3].map((count) => drawnRecording(drawn([{ ...event, count }])));
    const total = (order: readonly Recording[]): unknown =>
      mergeRecordings(order).profile?.events[0]?.columns.count?.[0];
    equal(total(recordings), 0.6);
    equal(total([...recordings].reverse()), 0.6);
    equal(0.1 + 0.2 + 0.3 === 0.6, false);
  });

  it('levels are an error with the reason', () => {
    const event = { frames: ['a'], thread: 'main', time: 0, count: 2 };
    const level = drawnRecording(drawn([event], { nature: 'level' }));
    throws(() => mergeRecordings([level, level]), /nothing that can be added/);
  });
});
