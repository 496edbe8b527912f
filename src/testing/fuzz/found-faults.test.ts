/**
 * The smallest inputs of faults that damaged files have found in readers, all fixed.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { readIprof } from '../../formats/iprof/read.js';
import type { Recording } from '../../models/recording.js';
import { fuzzPool } from './fuzz.js';

/** One character a byte. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function read(text: string): Promise<Recording> {
  return readIprof(memorySource('fault', bytesOf(text)));
}

async function mustShow(text: string): Promise<void> {
  assert.throws(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(text))), 'is not JSON');
  const recording = await read(text);
  const problem = recording.problems.list.find(({ severity }) => severity === 'error');
  assert.ok(problem?.offset !== undefined, `no problem with an offset; complete: ${recording.complete}`);
}

describe('damage that must be reported', () => {
  test('in the brackets of an unknown section', () => mustShow('{"x":{]},"types":[]}'));
  test('in a number of an unknown section', () => mustShow('{"x":[1.,-],"types":[]}'));
  test('in the UTF-8 of a version', () => mustShow('{"version":"1\xb0","types":[]}'));
  test('in an escape of a version', () => mustShow('{"version":"1\\q","types":[]}'));
  test('in the key of an entry', () => mustShow('{"types":[{"id":1,"name":"a","\\q":1}]}'));
  test('in the UTF-8 of an unknown value', () => mustShow('{"types":[{"id":1,"name":"a","x":"\xb0"}]}'));
  test('in the context of a monitor entry', () => mustShow('{"monitorProfiles":[{"ctx":"0\xb00","records":[1,2]}]}'));
  test('in a byte order mark', () => mustShow('\xef\xbb\xbe{"types":[]}'));
});

describe('intact entries', () => {
  test('are read after a first entry with a damaged key', async () => {
    const recording = await read('{"types":[{"id":1,"typeNamd":"a"},{"id":2,"typeName":"b"}]}');
    assert.equal(recording.program.classes.length, 1);
  });
  test('are read if a name of version 0.2.0 looks like a key of version 1.0.0', async () => {
    const recording = await read('{"methods":[{"id":1,"methodName":"name","signature":[]}]}');
    assert.equal(recording.program.functions.length, 1);
  });
  test('are read if the stated size is far too small', async () => {
    const bytes = bytesOf('{"types":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}');
    const recording = await readIprof({ ...memorySource('grown', bytes), size: 0 });
    assert.equal(recording.program.classes.length, 2);
  });
});

describe('entries between damage', () => {
  const entry = (calls: number): string => `{"ctx":"1:0","records":[${calls}]}`;

  test('are read if two brackets are broken', async () => {
    const entries = Array.from({ length: 40 }, (_, i) => entry(i));
    entries[3] = '{"ctx":"1:0","records":[3[}';
    entries[20] = '{"ctx":"1:0","records":[20[}';
    const recording = await read(`{"callCountProfiles":[${entries.join(',')}],"samplingProfiles":[${entry(7)}]}`);
    assert.deepEqual(
      recording.sections.map(({ entries: count }) => count),
      [38, 1],
    );
    assert.equal(recording.problems.counts['iprof-syntax'], 2);
  });

  test('are not made up of values inside a damaged one', async () => {
    const recording = await read(
      '{"types":[{"id":1,"name":tru,"extra":{"id":99,"name":"Invented"}},{"id":2,"name":"B"}]}',
    );
    assert.deepEqual([...recording.program.classes.fileId], [2]);
  });

  test('are read if the comma between two is missing', async () => {
    const recording = await read(`{"callCountProfiles":[${entry(1)}${entry(2)},${entry(3)}]}`);
    assert.equal(recording.sections[0]?.entries, 3);
    assert.equal(recording.complete, false);
  });

  test('that count nowhere make the recording incomplete', async () => {
    const recording = await read('{"callCountProfiles":[{"ctx":"1:0","records":[1]},{"ctx":"1:0","records":[1,2]}]}');
    assert.equal(recording.complete, false);
    assert.equal(recording.problems.counts['iprof-arity'], 1);
  });

  test('may have no records', async () => {
    const recording = await read('{"types":[],"methods":[],"monitorProfiles":[{"ctx":"0:0","records":[]}]}');
    assert.equal(recording.complete, true);
    assert.deepEqual(recording.problems.list, []);
  });
});

describe('names', () => {
  for (const name of ['\ufeffa', '\ufeff\u00fc']) {
    test(`keep a byte order mark at their beginning: ${JSON.stringify(name)}`, async () => {
      const text = new TextEncoder().encode(`{"types":[{"id":1,"name":"${name}"}]}`);
      const { program } = await readIprof(memorySource('fault', text));
      assert.equal(stringAt(program.names, program.classes.name[0]), name);
    });
  }
});

describe('time', () => {
  const pool = fuzzPool(1);
  after(() => pool.close());

  // Intact entries of this size are read in 20 ms; the limit only ends quadratic growth.
  test('is not quadratic in the number of damaged entries', async () => {
    const bytes = bytesOf(`{"types":[${'{"id":x},'.repeat(40_000)}{"id":1,"name":"a"}]}`);
    const problems = await pool.run('countProblems', { reader: 'iprof', bytes }, { timeLimit: 5000 });
    assert.equal(problems, 40_000);
  });

  const within = async (text: string): Promise<number> =>
    pool.run('countProblems', { reader: 'iprof', bytes: bytesOf(text) }, { timeLimit: 5000 });

  test('is not quadratic in the nesting of damaged values', async () => {
    const calls = `{"callCountProfiles":[${'{"records":'.repeat(60_000)}tru${'}'.repeat(60_000)}]}`;
    assert.ok((await within(calls)) > 0);
    const section = `{"types":[],"x":${'{"version":'.repeat(60_000)}tru${'}'.repeat(60_000)}}`;
    assert.ok((await within(section)) > 0);
  });

  test('is not quadratic in the number of sections', async () => {
    const many = `{"types":[]${',"types":[]'.repeat(100_000)}}`;
    assert.ok((await within(many)) > 0);
  });
});
