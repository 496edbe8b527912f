/** The schemas load, accept the content of every version, and reject wrong types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, jsonOf, LEGACY_SCHEMA, MODERN_SCHEMA, SHIPPED, schemaErrors } from './testing/iprof-documents.js';

const MINIMAL = { version: '1.0.0', types: [], methods: [] };

for (const version of ['0.4.0', '1.0.0', '1.1.0']) {
  test(`the smallest file of ${version} passes`, () => {
    assert.ok(MODERN_SCHEMA({ ...MINIMAL, version }));
  });
}

test('the smallest file of 0.2.0 passes the older schema, and fails the newer one', () => {
  assert.ok(LEGACY_SCHEMA({ ...MINIMAL, version: '0.2.0' }));
  const legacy = { version: '0.2.0', types: [{ id: 1, typeName: 'A' }], methods: [] };
  assert.ok(LEGACY_SCHEMA(legacy));
  assert.ok(!MODERN_SCHEMA(legacy));
});

test('both spellings of instance-of profiles must have their shape', () => {
  for (const key of ['instanceofProfiles', 'instanceOfProfiles']) {
    assert.ok(MODERN_SCHEMA({ ...MINIMAL, [key]: [{ ctx: '1:2<3:-6', records: [4, 5] }] }));
    assert.ok(!MODERN_SCHEMA({ ...MINIMAL, [key]: [{ ctx: '1', records: [4, 5] }] }));
  }
});

test('the shipped files pass', () => {
  for (const name of SHIPPED) assert.deepStrictEqual(schemaErrors(jsonOf(fixture(name))), [], name);
});

const entry = (ctx: unknown, records: unknown) => [{ ctx, records }];
const WRONG: readonly [string, unknown][] = [
  ['not an object', []],
  ['no types', { version: '1.0.0', methods: [] }],
  ['no methods', { version: '1.0.0', types: [] }],
  ['no version', { types: [], methods: [] }],
  ['a version that is a number', { ...MINIMAL, version: 1 }],
  ['a version without dots', { ...MINIMAL, version: '1x0y0' }],
  ['types in an object', { ...MINIMAL, types: {} }],
  ['a type without a name', { ...MINIMAL, types: [{ id: 1 }] }],
  ['a type id that is a string', { ...MINIMAL, types: [{ id: '1', name: 'A' }] }],
  ['a fractional id', { ...MINIMAL, methods: [{ id: 1.5, name: 'm', signature: [] }] }],
  ['a method without a signature', { ...MINIMAL, methods: [{ id: 1, name: 'm' }] }],
  ['names in a signature', { ...MINIMAL, methods: [{ id: 1, name: 'm', signature: ['int'] }] }],
  ['a call count inside a method', { ...MINIMAL, callCountProfiles: entry('1:4', [1]) }],
  ['two call counts', { ...MINIMAL, callCountProfiles: entry('1:0', [1, 2]) }],
  ['no sample count', { ...MINIMAL, samplingProfiles: entry('1:0', []) }],
  ['a fractional count', { ...MINIMAL, conditionalProfiles: entry('1:0', [1, 0, 0.5]) }],
  ['frames joined by commas', { ...MINIMAL, conditionalProfiles: entry('1:0,2:3', [1, 0, 1]) }],
  ['a negative method id', { ...MINIMAL, virtualInvokeProfiles: entry('-1:0', [1, 2]) }],
  ['monitors with a context', { ...MINIMAL, monitorProfiles: entry('1:0', [1, 2]) }],
  ['monitors in an object', { ...MINIMAL, monitorProfiles: { ctx: '0:0', records: [] } }],
];

for (const [what, value] of WRONG) {
  test(`rejected: ${what}`, () => assert.equal(MODERN_SCHEMA(value), false));
}

test('unknown keys are allowed', () => {
  assert.ok(MODERN_SCHEMA({ ...MINIMAL, mine: 1, types: [{ id: 1, name: 'A', more: {} }] }));
});
