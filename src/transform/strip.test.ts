/** Stripping, against plain loops over the JSON of the file; and the proof, against files that were changed. */
import { deepStrictEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mergeRecordings } from '../analysis/merge/merge.js';
import { type Entry, isEntry } from '../analysis/merge/testing/merge-oracle.js';
import { defined } from '../base/defined.js';
import { memorySource } from '../bytes/byte-source.js';
import { commandLineText } from '../cli/render/spelling.js';
import { proveIprof } from '../formats/iprof/prove.js';
import { readIprof } from '../formats/iprof/read.js';
import { bytesOf, fixture, readText, schemaErrors } from '../formats/iprof/testing/iprof-documents.js';
import { drawnProfile, textOf } from '../formats/iprof/testing/iprof-profiles.js';
import { salvageIprof, writeIprof } from '../formats/iprof/write/write.js';
import type { Recording } from '../models/recording.js';
import { amount, runs } from '../testing/amount.js';
import { applyMutation, randomMutation } from '../testing/fuzz/mutate.js';
import { drawn } from '../testing/pictures/random-picture.js';
import { Random } from '../testing/random.js';
import { drawnRecording } from '../testing/recordings.js';
import { iprofFiles, ROOT } from '../testing/shared-data.js';
import { type StripOptions, type StrippedRecording, selectEntries, stripRecording } from './strip.js';

interface Symbols {
  readonly id: number;
  readonly signature?: readonly number[];
}
interface Document {
  readonly types: readonly Symbols[];
  readonly methods: readonly Symbols[];
  readonly [section: string]: unknown;
}

function strip(recording: Recording, options: StripOptions = {}, version?: string) {
  const selection = selectEntries(recording, options);
  const expected = stripRecording(recording, selection);
  const written = bytesOf(writeIprof(expected.part.recording, defined({ version })));
  return { bytes: written, text: written.toString(), expected, selection };
}

function proof(text: string, expected: StrippedRecording): Promise<Recording> {
  return proveIprof(memorySource('written.iprof', Buffer.from(text)), expected);
}

const SECTIONS = /Profiles?$|Points$/;
const TYPED = /^(?:virtualInvoke|invokePoints|instance|monitor)/;

/** The document without symbols that no entry uses: by sets, from the JSON alone. */
function naive(json: Document, keep: (key: string, entry: Entry) => boolean = () => true): Document {
  const types = new Set<number>();
  const methods = new Set<number>();
  const left: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(json)) {
    left[key] = value;
    if (!SECTIONS.test(key)) continue;
    const entries = [value]
      .flat()
      .filter(isEntry)
      .filter((entry) => keep(key, entry));
    left[key] = Array.isArray(value) ? entries : entries[0];
    for (const { ctx, methodBciList, records } of entries) {
      const monitor = /^monitor/.test(key);
      for (const frame of monitor ? [] : (ctx ?? methodBciList ?? '').split(/[<,]/))
        methods.add(Number(frame.split(':')[0]));
      if (TYPED.test(key)) for (let i = 0; i < records.length; i += 2) types.add(records[i] ?? -1);
    }
  }
  left.methods = json.methods.filter(({ id }) => methods.has(id));
  for (const { id, signature = [] } of json.methods) if (methods.has(id)) for (const type of signature) types.add(type);
  left.types = json.types.filter(({ id }) => types.has(id));
  return {
    ...left,
    types: json.types.filter(({ id }) => types.has(id)),
    methods: json.methods.filter(({ id }) => methods.has(id)),
  };
}

describe('without options only unused symbols are removed', () => {
  for (const file of iprofFiles()) {
    test(file.slice(file.lastIndexOf('/') + 1), async () => {
      const text = readFileSync(file, 'utf8');
      const { text: written, expected } = strip(await readText(text));
      deepStrictEqual(JSON.parse(written), naive(JSON.parse(text)));
      await proof(written, expected);
    });
  }

  test('of random profiles; stripping twice changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(drawnProfile(3), async (profile) => {
        const text = textOf(profile);
        const { text: written } = strip(await readText(text));
        deepStrictEqual(JSON.parse(written), naive(JSON.parse(text)));
        equal(strip(await readText(written)).text, written);
      }),
      runs(100),
    );
  });

  test('unknown data stays, with all symbols it may refer to', async () => {
    const text = JSON.stringify({
      version: '1.1.0',
      types: [5, 6, 7, 8].map((id) => ({ id, name: `T${id}`, ...(id === 5 ? { note: id } : {}) })),
      methods: [1, 2, 3, 4].map((id) => ({ id, name: `m${id}`, signature: [4 + id] })),
      callCountProfiles: [
        { ctx: '1:0', records: [1], stage: 'late' },
        { ctx: 'none', records: [3] },
      ],
      foreignProfiles: { at: '3:9<x', deep: [{ count: -2 }] },
    });
    const { text: written, expected } = strip(await readText(text));
    const json = JSON.parse(written);
    deepStrictEqual(
      [json.types, json.methods].map((list: Symbols[]) => list.map(({ id }) => id)),
      [
        [5, 7],
        [1, 3],
      ],
    );
    deepStrictEqual(json.callCountProfiles, JSON.parse(text).callCountProfiles);
    deepStrictEqual(json.foreignProfiles, JSON.parse(text).foreignProfiles);
    equal(json.types[0].note, 5);
    const { classes, functions } = expected.part;
    deepStrictEqual([classes.perhaps, functions.perhaps], [1, 1]);
    deepStrictEqual([classes.before, classes.after, functions.before, functions.after], [4, 2, 4, 2]);
  });
});

describe('entries chosen for removal', () => {
  const file = iprofFiles().find((path) => path.includes('binary-tree')) ?? '';
  const text = readFileSync(file, 'utf8');
  const json: Document = JSON.parse(text);
  const sum = (key: string, { records }: Entry): number => {
    const width = /hotness/.test(key) ? 1 : /conditional/.test(key) ? 3 : 2;
    return records.filter((_, i) => i % width === width - 1).reduce((all, count) => all + count, 0);
  };
  // Of 0.2.0.
  const typeNames = new Map(
    [...json.types].map((type) => [type.id, 'typeName' in type ? String(type.typeName) : ''] as const),
  );
  const owners = new Map(json.methods.map(({ id, signature }) => [id, typeNames.get(signature?.[0] ?? -1) ?? '']));
  const frames = (entry: Entry): string[] =>
    (entry.methodBciList ?? '').split(',').map((frame) => owners.get(Number(frame.split(':')[0])) ?? '');
  const monitors = 'monitorsProfile';
  const cases: readonly [string, StripOptions, (key: string, entry: Entry) => boolean][] = [
    ['by a least count', { minimum: 1000 }, (key, entry) => sum(key, entry) >= 1000],
    ['by kinds', { kinds: ['call', 'receiver'] }, (key) => /hotness|invoke/.test(key)],
    [
      'by what is on the stack',
      { scope: [{ kind: 'focus', pattern: '^java\\.util\\.' }] },
      (key, entry) => key === monitors || frames(entry).some((name) => name.startsWith('java.util.')),
    ],
    [
      'by what is not on the stack',
      { scope: [{ kind: 'ignore', pattern: '^com\\.oracle\\.' }] },
      (key, entry) => key === monitors || !frames(entry).some((name) => name.startsWith('com.oracle.')),
    ],
    [
      "the profiler's own",
      { profiler: false },
      (key, entry) =>
        key === monitors ||
        !frames(entry).some((name) =>
          /^com\.oracle\.svm\.(enterprise|core)\.(profiling|pgo)\.|^com\.oracle\.graal\.enterprise\.profiling\./.test(
            name,
          ),
        ),
    ],
  ];
  // The quick tier tries those that take most conditions at once: kinds, frames and the profiler's own.
  for (const [what, options, keep] of amount(
    cases,
    [cases[3], cases[4]].flatMap((one) => (one ? [one] : [])),
  )) {
    test(what, async () => {
      const { text: written, expected, selection } = strip(await readText(text), options);
      const { [monitors]: own, ...left } = naive(json, keep);
      const { [monitors]: found, ...rest } = JSON.parse(written);
      deepStrictEqual(rest, left);
      deepStrictEqual(found, own);
      const gone = selection.kinds.flatMap((kind) => Object.values(kind.gone)).reduce((all, each) => all + each, 0);
      ok(gone > 0);
      await proof(written, expected);
    });
  }

  test('other recordings are an error', () => {
    const event = { frames: ['a'], thread: 'main', time: 0, count: 1 };
    throws(() => selectEntries(drawnRecording(drawn([event]))), /is not a PGO profile/);
  });

  test('a profile without a file, and unknown kinds, are an error', async () => {
    const recording = await readText(text);
    throws(() => selectEntries(mergeRecordings([recording, recording])), /was not read from one file/);
    throws(
      () => selectEntries(recording, { kinds: ['call', 'calls'] }),
      /^UsageError: calls is unknown; expected one of call, branch/,
    );
  });
});

describe('the proof', () => {
  const kinds = ['call', 'branch', 'receiver', 'sample'];
  const base = JSON.stringify({
    version: '1.0.0',
    types: [
      { id: 1, name: 'A' },
      { id: 2, name: 'void' },
    ],
    methods: [
      { id: 5, name: 'm', signature: [1, 2] },
      { id: 6, name: 'n', signature: [1, 2, 1] },
    ],
    callCountProfiles: [
      { ctx: '5:0', records: [4] },
      { ctx: '6:0<5:3', records: [7] },
    ],
    conditionalProfiles: [{ ctx: '5:1', records: [9, 0, 3, 12, 1, 4] }],
    virtualInvokeProfiles: [{ ctx: '6:2', records: [1, 8, 2, 1] }],
    monitorProfiles: [{ ctx: '0:0', records: [1, 2] }],
    samplingProfiles: [{ ctx: '5:1<6:4', records: [2] }],
    laterProfiles: [{ ctx: '5:1', seen: 3 }],
  });
  const changes: readonly [string, string, string][] = [
    ['a count', '[7]', '[8]'],
    ['a context', '6:0<5:3', '6:0<5:4'],
    ['a context cut short', '6:0<5:3', '6:0'],
    ['a target', '[9,0,3', '[8,0,3'],
    ['an index', '12,1,4', '12,2,4'],
    ['a type', '[1,8,2,1]', '[2,8,2,1]'],
    ['a monitor', '[1,2]}]', '[1,3]}]'],
    ['an entry lost', '{"ctx":"5:0","records":[4]},', ''],
    ['an entry more', '{"ctx":"5:0","records":[4]},', '{"ctx":"5:0","records":[4]},{"ctx":"5:0","records":[4]},'],
    ['a sample', '[2]', '[3]'],
    ["a type's name", '"name":"A"', '"name":"B"'],
    ["a method's name", '"name":"n"', '"name":"o"'],
    ['a parameter', '[1,2,1]', '[1,2,2]'],
    ['an unknown section', '"seen":3', '"seen":4'],
    ['an unknown section lost', ',"laterProfiles":[{"ctx":"5:1","seen":3}]', ''],
    ['a type more', '{"id":2,"name":"void"}', '{"id":2,"name":"void"},{"id":3,"name":"app.Secret"}'],
    ['a method lost', '{"id":6,"name":"n","signature":[1,2,1]}', '{"id":7,"name":"n","signature":[1,2,1]}'],
  ];

  test('accepts the written file', async () => {
    const { text, expected } = strip(await readText(base), { kinds: [...kinds, 'monitor'] });
    equal(text, base);
    await proof(text, expected);
  });

  for (const [what, from, to] of changes) {
    test(`finds ${what} changed`, async () => {
      const { text, expected } = strip(await readText(base));
      ok(text.includes(from));
      await rejects(proof(text.replace(from, to), expected), /differs from the expected value; nothing was written/);
    });
  }
});

describe('damaged files', () => {
  const names = ['all-sections-1.1.0.iprof', 'fib-1.0.0.iprof'];

  test('are stripped, in every version, and proven', async () => {
    const random = new Random(4_711);
    const [one = new Uint8Array(0), other = one] = names.map(fixture);
    for (let i = 0; i < amount(150, 20); i++) {
      const damaged = applyMutation(i % 2 === 0 ? one : other, randomMutation(one, other, random));
      const recording = await readIprof(memorySource('damaged.iprof', damaged)).catch(() => undefined);
      if (recording === undefined) continue;
      const options = i % 3 === 0 ? {} : { minimum: i % 7, profiler: false };
      for (const version of [undefined, '0.2.0', '1.1.0']) {
        const { bytes, expected } = strip(recording, options, version);
        await proveIprof(memorySource('written.iprof', bytes), expected);
      }
    }
  });
});

describe('versions', () => {
  test('a section unknown to its version stays, but is dropped for another version without it', async () => {
    const recording = await readText(
      readFileSync(join(ROOT, 'src/formats/iprof/testing/fixtures/pretty-1.0.0.iprof'), 'utf8'),
    );
    const kept = strip(recording);
    ok(JSON.parse(kept.text).instanceofProfiles.length > 0);
    await proof(kept.text, kept.expected);
    const older = strip(recording, {}, '0.4.0');
    await proof(older.text, older.expected);
    await rejects(proof(older.text.replace('0.4.0', '1.0.0'), older.expected), /the number of instanceof records/);
  });

  const all = new TextDecoder().decode(fixture('all-sections-1.1.0.iprof'));

  for (const version of ['0.2.0', '0.4.0', '1.0.0', '1.1.0']) {
    test(`stripped and merged ones are written as ${version}`, async () => {
      const recording = await readText(all);
      const { text, expected } = strip(recording, {}, version);
      equal(JSON.parse(text).version, version);
      deepStrictEqual(schemaErrors(JSON.parse(text)), []);
      const again = await proof(text, expected);
      equal(again.profile?.events.some(({ kind }) => kind === 'instanceof') === true, version === '1.1.0');
      const written = salvageIprof(mergeRecordings([recording, again]), { version });
      deepStrictEqual(schemaErrors(JSON.parse(bytesOf(written).toString())), []);
      equal(
        written.dropped.some((line) => /instance-of/.test(commandLineText(line))),
        version !== '1.1.0',
      );
      if (version !== '1.1.0') match(written.dropped.join('\n'), /not supported by version/);
    });
  }
});
