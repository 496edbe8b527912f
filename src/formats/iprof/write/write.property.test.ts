/**
 * Generated `.iprof` texts with all that JSON and real files allow: read, written, compared with what `JSON.parse` makes
 * of the text. Texts are generated, not values, so that escapes, spaces, key orders and spellings of numbers occur.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventTable } from '../../../models/profile/profile.js';
import { bciOf } from '../../../models/program/places.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import { runs } from '../../../testing/amount.js';
import { bytesOf, jsonOf, readBytes, readText, schemaErrors } from '../testing/iprof-documents.js';
import { KNOWN_VERSIONS } from '../vocabulary.js';
import { salvageIprof, writeIprof } from './write.js';

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t\r\n');
const spaced = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(space, text, space).map((parts) => parts.join(''));

const escapedUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`);
const plainUnit = fc.constantFrom('a', 'B', '$', '.', ';', '[', '/', 'é', '日', '𝒜', '\u2028', '\u007f');
const shortEscape = fc.constantFrom(
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\ud800',
  '\\udc00',
  '\\u0000',
);
/** A byte order mark never stands beside a lone surrogate: `base/text` loses it there. */
const content = fc.oneof(
  { weight: 4, arbitrary: fc.array(plainUnit, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom('\ufeff', 'x', '\\ufeff', 'é'), { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        plainUnit,
        escapedUnit.filter((text) => text !== '\\ufeff'),
        shortEscape,
      ),
      {
        maxLength: 5,
      },
    ),
  },
);
const stringText = content.map((units) => `"${units.join('')}"`);

/** Without -2^31, which means "no type" in the columns: an entry with this id is kept, but only in its own version. */
const integer = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: -0x7fffffff }) },
);
const integerText = integer.map(String);
const oddNumber = fc.constantFrom(
  '1.0',
  '1e3',
  '2E+2',
  '-0',
  '0.5',
  '-0.0',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '123456789012345678901234567890',
  '1e400',
  '-2147483648',
  '-2147483649',
  '2147483648',
  '4294967296',
  '23900000000',
);
const numberText = fc.oneof({ weight: 12, arbitrary: integerText }, { weight: 1, arbitrary: oddNumber });

const joined = (items: readonly string[], open: string, close: string): string => open + items.join(',') + close;

const { anyValue } = fc.letrec<{ anyValue: string }>((tie) => ({
  anyValue: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(numberText, stringText, fc.constantFrom('null', 'true', 'false', '{}', '[]', '""')),
    fc.array(spaced(tie('anyValue')), { maxLength: 3 }).map((items) => joined(items, '[', ']')),
    fc.array(fc.tuple(spaced(stringText), spaced(tie('anyValue'))), { maxLength: 3 }).map((fields) =>
      joined(
        fields.map(([key, value]) => `${key}:${value}`),
        '{',
        '}',
      ),
    ),
  ),
}));

const unknownKey = fc.oneof(
  stringText,
  fc.constantFrom('"__proto__"', '"\\u0069d"', '"typeName"', '"ctx"', '"note"', '"signature"', '"records"', '"name"'),
);

/** An object of the given fields in any order, now and then with unknown, repeated or missing ones. */
function object(fields: readonly fc.Arbitrary<string>[], clean: boolean): fc.Arbitrary<string> {
  const unknown = fc.tuple(spaced(unknownKey), spaced(anyValue)).map(([key, value]) => `${key}:${value}`);
  const extra = clean
    ? fc.constant([])
    : fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, fc.array(unknown, { maxLength: 2 }));
  return fc
    .tuple(fc.tuple(...fields.map(spaced)), extra, fc.integer({ min: 0, max: 99 }))
    .chain(([own, more, luck]) => {
      const kept = !clean && luck > 95 ? own.slice(1) : !clean && luck > 92 ? [...own, ...own.slice(0, 1)] : own;
      const all = [...kept, ...more];
      return luck < 50 ? fc.constant(all) : fc.shuffledSubarray(all, { minLength: all.length });
    })
    .map((items) => joined(items, '{', '}'));
}

const list = (items: fc.Arbitrary<string>, size: fc.ArrayConstraints): fc.Arbitrary<string> =>
  fc.array(spaced(items), size).map((texts) => joined(texts, '[', ']'));

const field = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(space, spaced(value)).map(([before, text]) => `"${key}"${before}:${text}`);

/** Elements of a section: mostly right ones, now and then anything. */
function elements(element: fc.Arbitrary<string>, clean: boolean): fc.Arbitrary<string> {
  const all = clean ? element : fc.oneof({ weight: 15, arbitrary: element }, anyValue);
  return list(all, { maxLength: 6 });
}

interface Words {
  readonly versions: readonly string[];
  readonly typeName: string;
  readonly methodName: string;
  readonly context: string;
  readonly separator: string;
  readonly keys: readonly [kind: Kind, key: string][];
}
type Kind = 'call' | 'branch' | 'receiver' | 'monitor' | 'sample';

const MODERN: Words = {
  versions: ['0.4.0', '1.0.0', '1.1.0'],
  typeName: 'name',
  methodName: 'name',
  context: 'ctx',
  separator: '<',
  keys: [
    ['call', 'callCountProfiles'],
    ['branch', 'conditionalProfiles'],
    ['receiver', 'virtualInvokeProfiles'],
    ['receiver', 'instanceofProfiles'],
    ['receiver', 'instanceOfProfiles'],
    ['monitor', 'monitorProfiles'],
    ['sample', 'samplingProfiles'],
  ],
};
const LEGACY: Words = {
  versions: ['0.2.0'],
  typeName: 'typeName',
  methodName: 'methodName',
  context: 'methodBciList',
  separator: ',',
  keys: [
    ['call', 'hotnessPoints'],
    ['branch', 'conditionalPoints'],
    ['receiver', 'invokePoints'],
    ['monitor', 'monitorsProfile'],
  ],
};

function contextText(words: Words, start: boolean): fc.Arbitrary<string> {
  const id = fc.nat(9).map(String);
  const frame = fc.tuple(id, fc.integer({ min: -6, max: 9 })).map(([method, bci]) => `${method}:${bci}`);
  const leaf = start ? id.map((method) => `${method}:0`) : frame;
  return fc
    .tuple(leaf, fc.array(frame, { maxLength: 4 }))
    .map(([first, callers]) => `"${[first, ...callers].join(words.separator)}"`);
}

const ODD_CONTEXT = fc.constantFrom('"1:\\u0030"', '"01:0"', '"1:-0"', '"2147483648:1"', '""', '"1:0<"', '"0:0"', '7');
const ARITIES: Readonly<Record<Kind, number>> = { call: 1, sample: 1, branch: 3, receiver: 2, monitor: 2 };

function section(kind: Kind, key: string, words: Words, clean: boolean): fc.Arbitrary<string> {
  const arity = ARITIES[kind];
  const record = (number: fc.Arbitrary<string>) => fc.array(number, { minLength: arity, maxLength: arity });
  const number = clean ? integerText : numberText;
  const records = fc
    .array(record(number), { minLength: 1, maxLength: arity === 1 ? 1 : 3 })
    .map((items) => joined(items.flat(), '[', ']'));
  const oddRecords = fc.oneof(list(numberText, { maxLength: 4 }), anyValue);
  const right = kind === 'monitor' ? fc.constant('"0:0"') : contextText(words, kind === 'call');
  const context = clean ? right : fc.oneof({ weight: 12, arbitrary: right }, ODD_CONTEXT);
  const values = clean ? records : fc.oneof({ weight: 12, arbitrary: records }, oddRecords);
  if (key === 'monitorsProfile') {
    const single = object([field('records', values)], clean);
    return field(key, clean ? single : fc.oneof({ weight: 6, arbitrary: single }, anyValue));
  }
  const entry = object([field(words.context, context), field('records', values)], clean);
  const value =
    clean && kind === 'monitor' ? fc.tuple(entry).map((one) => joined(one, '[', ']')) : elements(entry, clean);
  return field(key, clean ? value : fc.oneof({ weight: 20, arbitrary: value }, anyValue));
}

function document(words: Words, clean: boolean): fc.Arbitrary<string> {
  const number = clean ? integerText : numberText;
  const name = clean ? stringText : fc.oneof({ weight: 15, arbitrary: stringText }, anyValue);
  const type = object([field('id', number), field(words.typeName, name)], clean);
  const signature = list(number, { maxLength: 4 });
  const method = object([field('id', number), field(words.methodName, name), field('signature', signature)], clean);
  const version = fc.constantFrom(...words.versions.map((text) => `"${text}"`));
  const keys = clean ? words.keys.filter(([, key]) => key !== 'instanceofProfiles') : words.keys;
  const required = [
    field('version', clean ? version : fc.oneof({ weight: 9, arbitrary: version }, anyValue)),
    field('types', elements(type, clean)),
    field('methods', elements(method, clean)),
  ];
  const others = keys.map(([kind, key]) => section(kind, key, words, clean));
  const unknown = fc
    .array(
      fc.tuple(
        clean ? fc.constant('"mine"') : fc.oneof(stringText, fc.constantFrom('"types"', '"version"')),
        spaced(anyValue),
      ),
      {
        maxLength: 2,
      },
    )
    .map((fields) => fields.map(([key, value]) => `${key}:${value}`));
  return fc
    .tuple(fc.tuple(...required, ...others), unknown, space)
    .chain(([known, more, around]) =>
      (clean
        ? fc.shuffledSubarray([...known, ...more], { minLength: known.length + more.length })
        : fc.shuffledSubarray([...known, ...more])
      ).map((parts) => around + joined(parts, '{', '}') + around),
    );
}

const anyDocument = fc.oneof(document(MODERN, false), document(LEGACY, false));
const cleanDocument = fc.oneof(document(MODERN, true), document(LEGACY, true));

/** Codes of the damage that costs entries; a generated file breaks the schema here and there, but it is JSON. */
function damageOf(recording: Recording): string[] {
  return Object.keys(recording.problems.counts).filter((code) => /-(?:syntax|truncated|trailing|too-)/.test(code));
}

test('generated files: reading and writing gives the same value', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (text) => {
      const recording = await readText(text);
      const written = writeIprof(recording);
      assert.deepStrictEqual(jsonOf(bytesOf(written)), JSON.parse(text));
      assert.deepStrictEqual(written.dropped, []);
      assert.deepStrictEqual(damageOf(recording), []);
    }),
    runs(1500),
  );
});

test('generated files: the salvaged part passes the schema, and salvaging it again loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (text) => {
      const salvaged = bytesOf(salvageIprof(await readText(text)));
      const value = jsonOf(salvaged);
      assert.deepStrictEqual(schemaErrors(value), []);
      const again = salvageIprof(await readBytes(salvaged));
      assert.deepStrictEqual(jsonOf(bytesOf(again)), value);
    }),
    runs(1000),
  );
});

const CONVERTED = ['call', 'branch', 'receiver', 'instanceof', 'sample'] as const;

/** Numbers and contexts of a kind of entry, as the models have them. */
function entriesOf(recording: Recording, kind: string): unknown {
  const { profile, program } = recording;
  const table = profile === undefined ? undefined : eventTable(profile, kind);
  if (profile === undefined || table === undefined) return [];
  const { parent, location } = profile.stacks;
  return Array.from({ length: table.length }, (_, row) => {
    const frames: string[] = [];
    for (let stack = column(table, 'stack')[row]; stack >= 0; stack = parent[stack]) {
      const place = location[stack];
      frames.push(`${program.functions.fileId[program.locations.function[place]]}:${bciOf(program, place)}`);
    }
    const numbers = table.fields.filter((item) => item.holds === 'number').map((item) => column(table, item.key)[row]);
    return [column(table, 'site')[row], frames.join(), ...numbers];
  });
}

test('generated files: every version can be written, with all data that it supports', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, fc.constantFrom(...KNOWN_VERSIONS), async (text, version) => {
      const recording = await readText(text);
      const bytes = bytesOf(writeIprof(recording, { version }));
      const value = jsonOf(bytes);
      assert.ok(typeof value === 'object' && value !== null && 'version' in value);
      const again = await readBytes(bytes);
      assert.deepStrictEqual(damageOf(again), []);
      const own = recording.metadata[0]?.value === version;
      for (const kind of CONVERTED) {
        const roomless = (kind === 'sample' && version === '0.2.0') || (kind === 'instanceof' && version !== '1.1.0');
        const expected = roomless && !own ? [] : entriesOf(recording, kind);
        assert.deepStrictEqual(entriesOf(again, kind), expected, kind);
      }
    }),
    runs(1000),
  );
});

test('generated files without faults: up to 1.1.0 and back is the same value', async () => {
  await fc.assert(
    fc.asyncProperty(cleanDocument, async (text) => {
      const value: { version: string } = JSON.parse(text);
      const recording = await readText(text);
      const up = bytesOf(writeIprof(recording, { version: '1.1.0' }));
      assert.deepStrictEqual(schemaErrors(jsonOf(up)), []);
      const back = writeIprof(await readBytes(up), { version: value.version });
      const expected = Object.fromEntries(
        Object.entries(value).filter(([key]) => key !== 'instanceOfProfiles' || value.version === '1.1.0'),
      );
      assert.deepStrictEqual(jsonOf(bytesOf(back)), expected);
    }),
    runs(500),
  );
});
