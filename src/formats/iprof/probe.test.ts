/** The probe of `.iprof` files: every version, layout and order; and the JSON files of other tools that look alike. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headOf, RECOGNISED } from '../capabilities/probe.js';
import { probeIprof } from './probe.js';

function confidence(text: string, options: { name?: string; whole?: boolean } = {}): number {
  return probeIprof(headOf(options.name ?? 'input', Buffer.from(text), options.whole ?? true)).confidence;
}

const type = { id: 0, name: 'demo.Main' };
const method = { id: 0, name: 'run', signature: [0, 0] };
const entry = { ctx: '0:3<0:5', records: [7] };
const CURRENT = {
  version: '1.1.0',
  types: [type],
  methods: [method],
  monitorProfiles: [],
  virtualInvokeProfiles: [{ ctx: '0:3', records: [0, 7] }],
  instanceOfProfiles: [],
  callCountProfiles: [entry],
  conditionalProfiles: [],
  samplingProfiles: [],
};
const LEGACY = {
  version: '0.2.0',
  types: [{ id: 4783, typeName: 'demo.Main' }],
  methods: [{ id: 1, methodName: 'run', signature: [4783] }],
  hotnessPoints: [{ methodBciList: '1:2,3:4', records: [5] }],
};
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
};

describe('an .iprof file', () => {
  const versions = [LEGACY, { ...CURRENT, version: '0.4.0' }, { ...CURRENT, version: '1.0.0' }, CURRENT];
  for (const file of versions) {
    test(`of version ${file.version}, in any layout and order`, () => {
      for (const value of [file, reversed(file)]) {
        assert.equal(confidence(JSON.stringify(value)), 1);
        assert.equal(confidence(JSON.stringify(value, undefined, '\t')), 1);
        assert.equal(confidence(`\ufeff\r\n ${JSON.stringify(value, undefined, 7).replaceAll(':', ' \n: ')}`), 1);
      }
    });
  }

  test('of the smallest size', () => {
    assert.ok(confidence('{"version": "1.0.0","types": [],"methods": []}') >= 0.8);
    assert.ok(confidence('{"types":[],"methods":[]}') >= RECOGNISED);
  });

  test('with unknown sections, and with one section only', () => {
    assert.equal(confidence(JSON.stringify({ ceConditionalProfilesV2: [{ stage: 1 }], ...CURRENT })), 1);
    assert.equal(confidence('{"instanceofProfiles":[]}'), 1);
    assert.equal(confidence('{"samplingProfiles":[{"records":[1],"ctx":"-1:0"}]}'), 1);
  });

  test('cut anywhere after its first type', () => {
    const text = JSON.stringify(CURRENT);
    for (let length = text.indexOf('demo'); length < text.length; length++) {
      const cut = confidence(text.slice(0, length), { whole: false });
      assert.ok(cut >= RECOGNISED, text.slice(0, length));
    }
    assert.ok(confidence('{"types":[{"id":1,"name":"a.B"},{"id":2,', { whole: false }) >= RECOGNISED);
  });

  test('that ends before its first section is recognised by its name', () => {
    assert.ok(confidence('{"version":"1.0.0","ty', { name: 'default.iprof' }) >= RECOGNISED);
    assert.ok(confidence('{"version":"1.0.0","ty') < RECOGNISED);
  });
});

describe('not an .iprof file', () => {
  const others: Record<string, unknown> = {
    'tsconfig.json': { compilerOptions: { types: ['node'] }, include: ['src'] },
    'package.json': { name: 'demo', version: '1.0.0', types: 'dist/index.d.ts', methods: 'none' },
    speedscope: { version: '0.0.1', $schema: 'https://www.speedscope.app/file-format-schema.json', profiles: [] },
    firefox: { meta: { version: 24 }, libs: [], threads: [] },
    cpuprofile: { nodes: [], samples: [], timeDeltas: [] },
    'an interface description': {
      version: '1.0.0',
      types: [{ id: 'a', name: 'Order' }],
      methods: [{ name: 'create' }],
    },
    'a list of kinds': { types: [{ id: 1, name: 'Order' }] },
    'a list of words': { version: '1.0.0', types: ['a', 'b'], methods: ['c'] },
    'methods of an open RPC': { openrpc: '1.2.6', methods: [{ name: 'getBlock', params: [], result: {} }] },
    'sections of another shape': { callCountProfiles: [{ ctx: 5 }] },
    'strings for sections': { callCountProfiles: 'none', version: '1.0.0' },
    nothing: {},
  };
  for (const [name, value] of Object.entries(others)) {
    test(name, () => {
      assert.ok(confidence(JSON.stringify(value)) < RECOGNISED);
      assert.ok(confidence(JSON.stringify(value, undefined, 2)) < RECOGNISED);
    });
  }
  test('an array, text, nothing at all', () => {
    for (const text of ['[]', '[{"types":[],"methods":[]}]', '"types": [], "methods": []', '']) {
      assert.equal(confidence(text), 0);
    }
  });
});

describe('a profile with an error in its first entries', () => {
  const faults: readonly object[] = [
    { ...CURRENT, callCountProfiles: [{ ctx: 5, records: [1] }, entry] },
    { ...CURRENT, types: {} },
    { ...CURRENT, types: [{ id: '1', name: 'demo.Main' }] },
    { version: '1.0.0', types: [{ id: '1', name: 'demo.Main' }], methods: [method] },
  ];
  for (const fault of faults) {
    test(`is still recognised, for check: ${JSON.stringify(fault).slice(0, 60)}`, () => {
      assert.ok(confidence(JSON.stringify(fault), { name: 'default.iprof' }) >= RECOGNISED);
    });
  }

  test('is not recognised under another name and without its own sections', () => {
    assert.ok(confidence('{"version":"1.0.0","types":[{"id":"1","name":"A"}]}', { name: 'package.json' }) < RECOGNISED);
  });
});
