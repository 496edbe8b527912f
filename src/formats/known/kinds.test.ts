/** Each probe claims its own fixtures and no other's, survives hostile heads, and never throws. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { commandLineText } from '../../cli/render/spelling.js';
import { runs } from '../../testing/amount.js';
import { headOf, RECOGNISED } from '../capabilities/probe.js';
import { FORMATS } from '../registry.js';
import { KNOWN_KINDS } from './kinds.js';

const FOLDER = new URL('../../../../src/formats/known/fixtures/', import.meta.url);
const HEAD = 1 << 16;

const fixtures = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, kind: name.slice(0, name.indexOf('.')), bytes: readFileSync(new URL(name, FOLDER)) }));

const ALL = [...FORMATS, ...KNOWN_KINDS.filter((kind) => !FORMATS.some((format) => format.id === kind.id))];

/** Names that say nothing, so that content alone decides. */
function guesses(bytes: Uint8Array, whole = true): { id: string; confidence: number; because: string }[] {
  const head = headOf('input', bytes, whole);
  return ALL.map((kind) => ({ id: kind.id, ...kind.probe(head) }));
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('the matrix of fixtures and probes', () => {
  for (const { name, kind, bytes } of fixtures) {
    test(name, () => {
      const claims = guesses(bytes)
        .filter((claim) => claim.confidence >= RECOGNISED)
        .map((claim) => claim.id);
      assert.deepEqual(claims, kind === 'none' ? [] : [kind]);
    });
  }

  test('every kind has a fixture, a title and advice', () => {
    const without = KNOWN_KINDS.filter((kind) => !fixtures.some((fixture) => fixture.kind === kind.id));
    assert.deepEqual(
      without.map((kind) => kind.id),
      [],
    );
    for (const kind of KNOWN_KINDS) assert.match(commandLineText(kind.advice ?? ''), /^\S.*\.$/, kind.id);
    assert.equal(new Set(KNOWN_KINDS.map((kind) => kind.id)).size, KNOWN_KINDS.length);
  });

  test('a guess has a reason', () => {
    for (const { name, bytes } of fixtures) {
      for (const claim of guesses(bytes)) {
        assert.equal(claim.confidence > 0, claim.because !== '', `${name}: ${claim.id}`);
        assert.ok(claim.confidence >= 0 && claim.confidence <= 1);
      }
    }
  });
});

describe('versions found by the probes', () => {
  const because = (name: string, id: string): string => {
    const fixture = fixtures.find((candidate) => candidate.name === name);
    return guesses(fixture?.bytes ?? new Uint8Array()).find((claim) => claim.id === id)?.because ?? '';
  };
  test('of HPROF', () => {
    for (const version of ['1.0', '1.0.1', '1.0.2', '1.0.3']) {
      assert.match(because(`hprof.${version}.hprof`, 'hprof'), new RegExp(`PROFILE ${version} and`));
    }
    const next = guesses(bytesOf('JAVA PROFILE 1.0.4\0\0\0\0\u0004'));
    assert.equal(next.find((claim) => claim.id === 'hprof')?.confidence, 0.4);
  });
  test('of JFR, with unfinished chunks', () => {
    assert.equal(because('jfr.of-jdk-9.jfr', 'jfr'), 'it begins with FLR, chunks of version 1.0');
    assert.match(because('jfr.unfinished.jfr', 'jfr'), /version 2\.1, the first one incomplete$/);
  });
  test('of collapsed stacks', () => {
    assert.match(because('collapsed.diff.txt', 'collapsed'), /two numbers/);
    assert.match(because('collapsed.utf16be.txt', 'collapsed'), /UTF-16BE/);
  });
});

describe('hostile heads', () => {
  const units = [
    ...'\0 \n\r\t!"#(),./:;=?@AZ[]{}_az019\\\u00ff\u0080\u00e2'.split(''),
    ...['a ', '1 ', ' 1', 'a.', 'a;', 'a:', '[a]', '[[', '{"a":', '[{', '"a",', 'a\t', '0.', '1: ', '(a', 'a(', '\n\n'],
    ...['a b ', '1 2 ', '- ', '\u00e2\u0094\u0080 ', '\u0008\u0080', '\u000a\u0002\u0008\u0001', '<a ', '.er/', '│ '],
  ];
  const starts = [
    '',
    'JAVA PROFILE ',
    '{"a":[',
    'Type ',
    'Method ',
    '"',
    '#1 "',
    'FLR\0',
    'PK\u0003\u0004',
    '\u00ff\u00fe',
  ];

  test('64 KiB of one repeated unit are not a recording, and every probe ends', () => {
    for (const unit of units) {
      for (const start of starts) {
        const bytes = bytesOf((start + unit.repeat(HEAD)).slice(0, HEAD));
        const claims = guesses(bytes, false).filter((claim) => claim.confidence >= RECOGNISED);
        const expected = start === 'FLR\0' ? ['jfr', 'jfr-oracle-7-8'] : [];
        const wrong = claims.filter((claim) => !expected.includes(claim.id));
        assert.deepEqual(wrong, [], JSON.stringify(start + unit));
      }
    }
  });

  test('random bytes and cut or damaged fixtures do not throw', () => {
    const random = fc.uint8Array({ maxLength: 3000 });
    const damaged = fc
      .tuple(
        fc.constantFrom(...fixtures),
        fc.nat(3000),
        fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 8 }),
      )
      .map(([{ bytes }, length, changes]) => {
        const copy = Uint8Array.from(bytes.subarray(0, length));
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(random, damaged), fc.boolean(), (bytes, whole) => {
        for (const claim of guesses(bytes, whole)) assert.ok(claim.confidence >= 0 && claim.confidence <= 1);
      }),
      runs(1500),
    );
  });

  test('random bytes are not a recording', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 2000 }), (bytes) => {
        assert.deepEqual(
          guesses(bytes).filter((claim) => claim.confidence >= RECOGNISED),
          [],
        );
      }),
      runs(1000),
    );
  });

  test('the first half of a fixture is recognised as its kind, or not at all', () => {
    for (const { name, kind, bytes } of fixtures) {
      const claims = guesses(bytes.subarray(0, Math.ceil(bytes.length / 2)))
        .filter((claim) => claim.confidence >= RECOGNISED)
        .map((claim) => claim.id);
      assert.ok(
        claims.every((id) => id === kind),
        `${name}: ${claims.join(', ')}`,
      );
    }
  });
});

describe('pprof and OTLP', () => {
  test('metrics, spans and logs of OTLP are not profiles', () => {
    const metric = Buffer.from(
      '0a2b12290a001225'.concat(
        '0a0f687474702e7365727665722e74696d65',
        '3a120a1019000068b1f1',
        '9a1b17310000000000004540',
      ),
      'hex',
    );
    const claims = guesses(metric).filter((claim) => claim.confidence >= RECOGNISED);
    assert.deepEqual(claims, []);
  });
  test('a field cut by the end does not matter', () => {
    const pprof = fixtures.find((fixture) => fixture.name === 'pprof.pb');
    assert.ok(pprof !== undefined);
    for (let length = 60; length < pprof.bytes.length; length++) {
      const claim = guesses(pprof.bytes.subarray(0, length)).find((one) => one.id === 'pprof');
      assert.ok((claim?.confidence ?? 0) >= RECOGNISED, `cut at ${length}`);
    }
  });
});
