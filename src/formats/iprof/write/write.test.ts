/** Reading and writing back, conversion, salvage, and writing from models alone. Oracle: `JSON.parse`, Python's `json`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FormatError, UsageError } from '../../../base/errors.js';
import { encodeUtf8 } from '../../../base/text.js';
import { CALL_EVENTS } from '../../../models/events/call.js';
import { RECEIVER_EVENTS } from '../../../models/events/receiver.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import type { Recording } from '../../../models/recording.js';
import { sharedData } from '../../../testing/shared-data.js';
import { CHUNK } from '../../shared/json-writer.js';
import {
  bytesOf,
  fixture,
  jsonOf,
  REAL,
  readBytes,
  readText,
  SHIPPED,
  schemaErrors,
} from '../testing/iprof-documents.js';
import { KNOWN_VERSIONS } from '../vocabulary.js';
import { salvageIprof, writeIprof } from './write.js';

const SAME_IN_PYTHON = `
import json, sys
same = lambda a, b: type(a) is type(b) and (
  len(a) == len(b) and all(k in b and same(v, b[k]) for k, v in a.items()) if isinstance(a, dict)
  else len(a) == len(b) and all(map(same, a, b)) if isinstance(a, list)
  else repr(a) == repr(b))
first, second = (json.loads(open(name, 'rb').read().decode('utf-8', 'strict')) for name in sys.argv[1:])
sys.exit(0 if same(first, second) else 1)
`;

function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

/** Whether Python reads the same value from both, big integers to the last digit. */
function sameInPython(first: Uint8Array, second: Uint8Array): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-iprof-'));
  try {
    const files = [first, second].map((bytes, index) => {
      const path = join(folder, `${index}.json`);
      writeFileSync(path, bytes);
      return path;
    });
    return spawnSync('python3', ['-c', SAME_IN_PYTHON, ...files]).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const name of SHIPPED) {
  test(`${name}: written back it is the same value`, async () => {
    const bytes = fixture(name);
    const written = writeIprof(await readBytes(bytes));
    assert.deepStrictEqual(jsonOf(bytesOf(written)), jsonOf(bytes));
    assert.deepStrictEqual(written.dropped, []);
    assert.deepStrictEqual(schemaErrors(jsonOf(bytes)), []);
  });

  test(`${name}: Python reads the same value`, async (t) => {
    if (!hasPython()) return t.skip('needs python3');
    const bytes = fixture(name);
    assert.ok(sameInPython(bytes, bytesOf(writeIprof(await readBytes(bytes)))));
    assert.ok(!sameInPython(bytes, new TextEncoder().encode('{"version":"1.0.0"}')));
  });
}

for (const name of REAL) {
  test(`real file ${name}: the same value for us and for Python; passes the schema, salvaged too`, async (t) => {
    const path = sharedData(t, `iprof/${name}`);
    if (path === undefined) return;
    const bytes = readFileSync(path);
    const recording = await readBytes(bytes);
    const written = bytesOf(writeIprof(recording));
    assert.deepStrictEqual(jsonOf(written), jsonOf(bytes));
    if (hasPython()) assert.ok(sameInPython(bytes, written));
    assert.deepStrictEqual(schemaErrors(jsonOf(bytes)), []);
    const salvaged = salvageIprof(recording);
    assert.deepStrictEqual(jsonOf(bytesOf(salvaged)), jsonOf(bytes));
    assert.deepStrictEqual(salvaged.dropped, []);
  });
}

test('chunks are about 1 MiB and can be taken again', async () => {
  const written = writeIprof(await readBytes(fixture('krisfoster-binary-tree.iprof')));
  const sizes = [...written.chunks].map((chunk) => chunk.length);
  assert.equal(sizes.length, 4);
  for (const size of sizes.slice(0, -1)) assert.ok(size >= CHUNK && size < CHUNK + 65536, String(size));
  assert.deepStrictEqual(
    [...written.chunks].map((chunk) => chunk.length),
    sizes,
  );
});

test('writing stops when it is cancelled and reports the bytes written', async () => {
  const recording = await readBytes(fixture('krisfoster-binary-tree.iprof'));
  const control = new AbortController();
  const done: number[] = [];
  const work = {
    signal: control.signal,
    progress: (progress: { done: number }) => {
      done.push(progress.done);
      control.abort();
    },
  };
  assert.throws(() => bytesOf(writeIprof(recording, { work })), { name: 'AbortError' });
  assert.equal(done.length, 1);
});

test('0.2.0 to 1.1.0 and back gives the same value; in between it has the newer words', async () => {
  const bytes = fixture('krisfoster-binary-tree.iprof');
  const up = writeIprof(await readBytes(bytes), { version: '1.1.0' });
  const upBytes = bytesOf(up);
  const upText = new TextDecoder().decode(upBytes);
  assert.deepStrictEqual(schemaErrors(JSON.parse(upText)), []);
  assert.doesNotMatch(upText, /typeName|methodName|methodBciList|hotnessPoints|monitorsProfile/);
  assert.match(upText, /"callCountProfiles":\[\{"ctx":"40159:0<40315:20","records":\[180\]\}/);
  const down = writeIprof(await readBytes(upBytes), { version: '0.2.0' });
  assert.deepStrictEqual(jsonOf(bytesOf(down)), jsonOf(bytes));
  assert.deepStrictEqual([...up.dropped, ...down.dropped], []);
});

test('1.1.0 to 1.0.0 drops the instance-of entries and nothing else', async () => {
  const bytes = fixture('all-sections-1.1.0.iprof');
  const written = writeIprof(await readBytes(bytes), { version: '1.0.0' });
  const value = jsonOf(bytesOf(written));
  const { instanceOfProfiles, ...rest } = JSON.parse(new TextDecoder().decode(bytes));
  assert.equal(instanceOfProfiles.length, 2);
  assert.deepStrictEqual(value, { ...rest, version: '1.0.0' });
  assert.deepStrictEqual(written.dropped, ['2 instance-of entries: not supported by version 1.0.0']);
});

test('a conversion keeps unknown keys, and numbers that a double cannot hold', async () => {
  const recording = await readBytes(fixture('all-sections-1.1.0.iprof'));
  const written = writeIprof(recording, { version: '0.2.0' });
  const text = new TextDecoder().decode(bytesOf(written));
  assert.ok(text.includes('{"methodBciList":"555:0","records":[9007199254740993]}'));
  assert.ok(text.includes('{"methodBciList":"20:0","records":[4],"note":"extra"}'));
  assert.ok(text.includes('"monitorsProfile":{"records":[2,4]}'));
  assert.deepStrictEqual(schemaErrors(JSON.parse(text)), []);
  assert.deepStrictEqual(written.dropped, [
    '1 sampled stack: not supported by version 0.2.0',
    '2 instance-of entries: not supported by version 0.2.0',
  ]);
});

test('version 1.1.0 spells instance-of profiles as real files do; a copy keeps its spelling', async () => {
  const text = '{"version":"1.1.1","types":[],"methods":[],"instanceofProfiles":[{"ctx":"1:2","records":[3,4]}]}';
  const recording = await readText(text);
  assert.deepStrictEqual(jsonOf(bytesOf(writeIprof(recording))), JSON.parse(text));
  const converted = JSON.stringify(jsonOf(bytesOf(writeIprof(recording, { version: '1.1.0' }))));
  assert.equal(converted, text.replace('1.1.1', '1.1.0').replace('instanceof', 'instanceOf'));
});

test('an unknown version is an error before anything is written', async () => {
  const recording = await readText('{"version":"3.0.0","types":[],"methods":[]}');
  assert.throws(() => writeIprof(recording, { version: '2.0.0' }), UsageError);
  assert.throws(
    () => writeIprof(recording, { version: '2.0.0' }),
    (error) => error instanceof UsageError && KNOWN_VERSIONS.every((version) => error.advice?.includes(version)),
  );
  assert.equal(JSON.stringify(jsonOf(bytesOf(writeIprof(recording, { version: '3.0.0' })))).length, 43);
});

test('several monitor entries become the one object of 0.2.0', async () => {
  const text =
    '{"version":"1.0.0","types":[],"methods":[],"monitorProfiles":[{"ctx":"0:0","records":[1,2]},{"ctx":"0:0","records":[3,4,5,6]}]}';
  const written = writeIprof(await readText(text), { version: '0.2.0' });
  assert.deepStrictEqual(jsonOf(bytesOf(written)), {
    version: '0.2.0',
    types: [],
    methods: [],
    monitorsProfile: { records: [1, 2, 3, 4, 5, 6] },
  });
  assert.deepStrictEqual(written.dropped, []);
});

test('salvage leaves out data that violates the schema, and reports it', async () => {
  const text = `{"version":7,"types":[{"id":1,"name":"A","extra":[1e2]},{"id":"x","name":"B"},5],"methods":{},
    "callCountProfiles":[{"ctx":"1:0","records":[1]},{"ctx":"1:3","records":[1]},{"ctx":"one","records":[1]},{"ctx":"2:0","records":[1.5]}],
    "monitorProfiles":[{"ctx":"3:4","records":[1,2]}],"mine":{"a":null}}`;
  const recording = await readText(text);
  assert.deepStrictEqual(jsonOf(bytesOf(writeIprof(recording))), JSON.parse(text));
  const salvaged = salvageIprof(recording);
  const value = jsonOf(bytesOf(salvaged));
  assert.deepStrictEqual(value, {
    version: '1.1.0',
    methods: [],
    types: [{ id: 1, name: 'A', extra: [100] }],
    callCountProfiles: [{ ctx: '1:0', records: [1] }],
    monitorProfiles: [{ ctx: '0:0', records: [1, 2] }],
    mine: { a: null },
  });
  assert.deepStrictEqual(schemaErrors(value), []);
  assert.deepStrictEqual(salvaged.dropped, [
    '1 section: "methods" is a duplicate or not an array',
    '2 types: violates the schema',
    '2 call counts: violates the schema',
    '1 call count: not at BCI 0 of a method',
  ]);
});

test('a file cut anywhere is written as a valid file of its intact part', async () => {
  const bytes = fixture('all-sections-1.1.0.iprof');
  const whole = await readBytes(bytes);
  let last = 0;
  // Of a file cut before its first section nothing can be read.
  await assert.rejects(readBytes(bytes.subarray(0, 2)), FormatError);
  for (let end = 32; end < bytes.length; end += 7) {
    const recording = await readBytes(bytes.subarray(0, end));
    assert.equal(recording.complete, false);
    for (const written of [writeIprof(recording), salvageIprof(recording)]) {
      const value = jsonOf(bytesOf(written));
      assert.deepStrictEqual(schemaErrors(value), [], `cut at ${end}`);
      const again = await readBytes(bytesOf(written));
      assert.equal(again.complete, true);
      assert.deepStrictEqual(
        again.profile?.events.map((table) => table.length),
        recording.profile?.events.map((table) => table.length),
      );
    }
    const types = recording.program.classes.length + recording.program.functions.length;
    assert.ok(types <= whole.program.classes.length + whole.program.functions.length);
    last = recording.sections.length;
  }
  assert.equal(last, whole.sections.length - 1);
});

test('only damaged entries are lost; the rest is written', async () => {
  const bytes = fixture('fib-1.0.0.iprof');
  const text = new TextDecoder()
    .decode(bytes)
    .replace('{"id":9,"name":"java.lang.Object"}', '{"id":9,"name":java.lang.Object"}');
  const value = JSON.stringify(jsonOf(bytesOf(writeIprof(await readText(text)))));
  assert.equal(value, new TextDecoder().decode(bytes).replace('{"id":9,"name":"java.lang.Object"},', ''));
});

/** Two functions of another format, with events that have no sites. */
function foreignRecording(): Recording {
  const names = ['Main', 'main', 'wörk', 'native\ud800', 'int'].map((name) => encodeUtf8(name));
  const offsets = Int32Array.from(
    [0, ...names].map((_, index) => names.slice(0, index).reduce((sum, name) => sum + name.length, 0)),
  );
  const stacks = new StackBuilder();
  const main = stacks.add(rootOf('whole'), 0);
  const work = stacks.add(main, 1);
  const unknown = stacks.add(work, 2);
  const samples = SAMPLE_EVENTS.builder();
  for (const at of [work, main, work, unknown, -1]) samples.add({ stack: at, count: 1 });
  const calls = CALL_EVENTS.builder();
  calls.add({ stack: work, count: 2 ** 40 });
  calls.add({ stack: main, count: 2.5 });
  const receivers = RECEIVER_EVENTS.builder();
  receivers.add({ stack: work, site: 0, type: 0, count: 3 });
  receivers.add({ stack: work, site: 0, type: 1, count: 4 });
  receivers.add({ stack: work, site: 0, type: -1, count: 4 });
  const waits = WAIT_EVENTS.builder();
  waits.add({ thread: 0, reason: 0, waited: 5 });
  return {
    name: 'foreign',
    format: 'other',
    metadata: [{ key: 'version', value: '0.9' }],
    sections: [],
    program: {
      names: { bytes: Buffer.concat(names), offsets },
      classes: {
        length: 2,
        name: Int32Array.of(0, 4),
        kind: new Uint8Array(2),
        fileId: Int32Array.of(77, 77),
      },
      functions: {
        length: 3,
        name: Int32Array.of(1, 2, 3),
        class: Int32Array.of(0, 0, -1),
        kind: Uint8Array.of(0, 0, 1),
        fileId: Int32Array.of(-1, -1, -1),
        signatureStart: Int32Array.of(0, 1, 3, 4),
        signature: Int32Array.of(1, 1, 0, 1),
      },
      locations: { length: 3, function: Int32Array.of(0, 1, -1), bci: Int32Array.of(5, -1, 0) },
    },
    profile: {
      stacks: stacks.finish(),
      events: [samples.finish(), calls.finish(), receivers.finish(), waits.finish()],
      metrics: [],
    },
    problems: { list: [], counts: {} },
    complete: true,
    residue: { sections: 'of another format', verbatim: 1 },
  };
}

test('a recording of another format is written from its models', () => {
  const written = writeIprof(foreignRecording());
  const value = jsonOf(bytesOf(written));
  assert.deepStrictEqual(value, {
    version: '1.1.0',
    types: [
      { id: 0, name: 'Main' },
      { id: 1, name: 'int' },
    ],
    methods: [
      { id: 0, name: 'main', signature: [0, 1] },
      { id: 1, name: 'wörk', signature: [0, 1, 0] },
      { id: 2, name: 'native\ud800', signature: [] },
    ],
    callCountProfiles: [
      { ctx: '1:0<0:5', records: [2 ** 40] },
      { ctx: '0:0', records: [3] },
    ],
    virtualInvokeProfiles: [{ ctx: '1:-1<0:5', records: [0, 3, 1, 4] }],
    samplingProfiles: [
      { ctx: '1:-1<0:5', records: [2] },
      { ctx: '0:5', records: [1] },
    ],
  });
  assert.deepStrictEqual(schemaErrors(value), []);
  assert.deepStrictEqual(written.dropped, [
    '2 sample events: without a complete stack of known functions',
    '1 call event: a non-integer count is rounded, and one that is not a finite number is omitted',
    '1 receiver event: without a class',
    '1 event: .iprof does not support wait events',
    '1 method: written without its types because the declaring class is unknown',
  ]);
});

test('another format as version 0.2.0', () => {
  const written = writeIprof(foreignRecording(), { version: '0.2.0' });
  const text = new TextDecoder().decode(bytesOf(written));
  assert.ok(text.includes('"hotnessPoints":[{"methodBciList":"1:0,0:5","records":[1099511627776]}'));
  assert.ok(written.dropped.includes('2 sampled stacks: not supported by version 0.2.0'));
  assert.deepStrictEqual(schemaErrors(JSON.parse(text)), []);
});

test('without residue, a recording is written from its models with the ids of the file', async () => {
  const bytes = fixture('fib-1.0.0.iprof');
  const recording = { ...(await readBytes(bytes)), residue: undefined };
  assert.deepStrictEqual(jsonOf(bytesOf(writeIprof(recording))), jsonOf(bytes));
});

test('undefined ids stay references and get no symbols, with or without residue', async () => {
  const recording = { ...(await readBytes(fixture('all-sections-1.1.0.iprof'))), residue: undefined };
  const text = new TextDecoder().decode(bytesOf(writeIprof(recording)));
  assert.match(text, /"id":123456,"name":"unknownTypes","signature":\[77,78\]/);
  assert.doesNotMatch(text, /"id":7[78],|"id":555,/);
  assert.match(text, /"ctx":"555:0","records":/);
});

test('an unknown key with a meaning in the other version is left out and counted', async () => {
  const text =
    '{"version":"1.0.0","types":[{"id":1,"name":"A","typeName":"B","note":2},{"id":2,"name":"C","typeName":"D"}],"methods":[]}';
  const written = writeIprof(await readText(text), { version: '0.2.0' });
  assert.deepStrictEqual(jsonOf(bytesOf(written)), {
    version: '0.2.0',
    types: [
      { id: 1, typeName: 'A', note: 2 },
      { id: 2, typeName: 'C' },
    ],
    methods: [],
  });
  assert.deepStrictEqual(written.dropped, ['2 keys: types: they have another meaning in this version']);
});
