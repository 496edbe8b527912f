/** Data that was once lost between reading and writing, and invalid JSON that must not be accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, jsonOf, readBytes, readText } from '../testing/iprof-documents.js';
import { writeIprof } from './write.js';

const KEPT: readonly [string, string][] = [
  ['-0 as a count', '{"callCountProfiles":[{"ctx":"1:0","records":[-0]}]}'],
  ['-0 as an id', '{"types":[{"id":-0,"name":"A"}]}'],
  ['-0 as a branch target', '{"conditionalProfiles":[{"ctx":"1:0","records":[-0,1,2]}]}'],
  ['a byte order mark in a name', '{"types":[{"id":1,"name":"\ufeffA"}],"\ufeffmine":1}'],
  ['the context of a monitors object', '{"monitorsProfile":{"methodBciList":"0:0","records":[1,2]}}'],
  ['a key that only other sections know', '{"callCountProfiles":[{"ctx":"1:0","records":[1],"name":"A","id":3}]}'],
  ['a key that only methods know', '{"types":[{"id":1,"name":"A","signature":[1],"records":[2],"ctx":"1:0"}]}'],
];

for (const [what, text] of KEPT) {
  test(`kept: ${what}`, async () => {
    const written = writeIprof(await readText(text));
    assert.deepStrictEqual(jsonOf(bytesOf(written)), JSON.parse(text));
  });
}

test('the version of a section is decided by its keys, not by their content', async () => {
  const recording = await readText(
    '{"types":[{"id":1,"typeName":"A","x":{"name":1}},{"id":2,"typeName":"\\"name\\""}]}',
  );
  assert.deepStrictEqual(recording.problems.counts, {});
  assert.equal(recording.program.classes.length, 2);
});

const NO_JSON: readonly [string, string][] = [
  ['a comma at the end of a signature', '{"methods":[{"id":1,"name":"a","signature":[1,]}],"types":[]}'],
  ['an unknown section', '{"mine":[1,,2],"types":[]}'],
  ['an unknown scalar', '{"mine":tru,"types":[]}'],
  ['an element that is no object', '{"methods":[nul],"types":[]}'],
  ['an escape in a context', '{"callCountProfiles":[{"ctx":"\\q","records":[1]}],"types":[]}'],
  ['an escape in an unknown key', '{"types":[{"id":1,"name":"A","\\q":1}]}'],
];

for (const [what, text] of NO_JSON) {
  test(`not JSON, read in part and written as JSON: ${what}`, async () => {
    assert.throws(() => JSON.parse(text), SyntaxError);
    const recording = await readText(text);
    assert.equal(recording.complete, false);
    assert.equal(recording.problems.counts['iprof-syntax'], 1);
    const value = jsonOf(bytesOf(writeIprof(recording)));
    assert.ok(typeof value === 'object' && value !== null && 'types' in value && 'version' in value);
    assert.deepStrictEqual(value.types, []);
  });
}

test('a name that is not UTF-8 is never written', async () => {
  const bytes = Buffer.from(
    '{"version":"1.0.0","types":[{"id":1,"name":"caf\u00e9"},{"id":2,"name":"B"}],"methods":[]}',
    'latin1',
  );
  const recording = await readBytes(bytes);
  assert.equal(recording.problems.counts['iprof-encoding'], 1);
  const written = writeIprof(recording);
  assert.deepStrictEqual(jsonOf(bytesOf(written)), { version: '1.0.0', types: [{ id: 2, name: 'B' }], methods: [] });
  assert.deepStrictEqual(written.dropped, ['1 type: not JSON']);
});
