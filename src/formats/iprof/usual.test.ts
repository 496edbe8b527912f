/** The fast path for the usual spelling against the reader of any JSON: both must make the same recording of any file. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import { readIprof } from './read.js';
import { fixture, SHIPPED } from './testing/iprof-documents.js';
import { drawnProfile, textOf } from './testing/iprof-profiles.js';
import { USUAL_READER, type UsualReader } from './usual.js';

/** Leaves all elements to the reader of any JSON. */
const NONE: UsualReader = { symbols: (_, position) => position, entries: (_, position) => position };

function outcome(bytes: Uint8Array, usual: UsualReader): Promise<Recording | string> {
  return readIprof(memorySource('test.iprof', bytes), {}, undefined, usual).catch((error: unknown) => String(error));
}

async function sameOf(bytes: Uint8Array): Promise<Recording | string> {
  const recording = await outcome(bytes, USUAL_READER);
  deepEqual(recording, await outcome(bytes, NONE));
  return recording;
}

function sameOfText(text: string): Promise<Recording | string> {
  return sameOf(new TextEncoder().encode(text));
}

for (const name of SHIPPED) test(`${name}: the same recording`, async () => void (await sameOf(fixture(name))));

/** Numbers at the limits of the fast path, and texts that are not numbers. */
const number = fc.oneof(
  fc.nat(1e6).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String),
  fc.constantFrom('0', '-0', '-5', '00', '07', '9999999', '99999999', '999999999', '1234567890', '2147483647'),
  fc.constantFrom('2147483648', '-2147483648', '-2147483649', '999999999999999', '9007199254740993', '1e3', '1.5', ''),
  fc.constantFrom(' 1', '1 ', '+1', '1:', '"1"', 'null', '-'),
);
const name = fc.oneof(
  fc.string({ minLength: 0, maxLength: 40 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.nat(40).map((length) => 'x'.repeat(length)),
);
const numbers = fc.array(number, { maxLength: 7 }).map((list) => list.join(','));
/** Valid integers only, in whole records. */
const integer = fc.oneof(fc.nat(1e6).map(String), fc.constantFrom('-7', '2147483647', '2147483648', '-2147483649'));
const wholeRecords = fc
  .constantFrom(1, 2, 3, 4, 6)
  .chain((length) => fc.array(integer, { minLength: length, maxLength: length }).map((list) => list.join(',')));
const context = fc
  .array(fc.tuple(number, number), { minLength: 0, maxLength: 4 })
  .map((frames) => frames.map((frame) => frame.join(':')).join('<'));
const method = fc
  .tuple(number, name, numbers)
  .map(([id, text, all]) => `{"id":${id},"name":"${text}","signature":[${all}]}`);
const type = fc.tuple(number, name).map(([id, text]) => `{"id":${id},"name":"${text}"}`);
const entry = fc
  .tuple(fc.oneof(context, fc.constant('1:0<1:7')), fc.oneof(numbers, wholeRecords))
  .map(([frames, all]) => `{"ctx":"${frames}","records":[${all}]}`);
const elements = (one: fc.Arbitrary<string>) =>
  fc.tuple(fc.array(one, { maxLength: 8 }), fc.constantFrom(',', ', ', ',,')).map(([all, by]) => all.join(by));

test('any spelling of the values', async () => {
  const sections = fc.tuple(elements(type), elements(method), elements(entry), elements(entry), elements(entry));
  const property = fc.asyncProperty(sections, async ([types, methods, calls, branches, receivers]) => {
    const first = '{"id":1,"name":"a"},';
    const usual = '{"ctx":"1:0","records":[1]},';
    await sameOfText(
      `{"version":"1.1.0","types":[${first}${types}],"methods":[${first}${methods}],"callCountProfiles":[${usual}${calls}],` +
        `"conditionalProfiles":[${usual}${branches}],"virtualInvokeProfiles":[${usual}${receivers}]}`,
    );
  });
  await fc.assert(property, runs(3000));
});

test('drawn profiles with changed bytes', async () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(...Buffer.from('0 9-",:<{}[]\\\n\0\u007f'), 0x80, 0xff));
  const property = fc.asyncProperty(drawnProfile(3), fc.array(change, { maxLength: 3 }), async (profile, changes) => {
    const bytes = new TextEncoder().encode(textOf(profile));
    for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
    await sameOf(bytes);
  });
  await fc.assert(property, runs(2000));
});

test('elements across the ends of windows, and elements longer than most', async () => {
  const random = new Random(20261122);
  const some = (most: number): string[] => Array.from({ length: random.below(most) }, () => String(random.below(1e6)));
  const methods = Array.from({ length: 20_000 }, (_, id) => {
    const long = id === 9000 ? 200_000 : 40;
    const text = `${'m'.repeat(random.below(long))}${random.below(500) === 0 ? 'é' : ''}`;
    return `{"id":${id},"name":"${text}","signature":[${['7', ...some(id === 100 ? 300 : 6)].join(',')}]}`;
  });
  const contexts = Array.from({ length: 20_000 }, () => {
    const frames = ['1', ...some(random.below(1000) === 0 ? 20_000 : 9)].map((id) => `${id}:${random.below(90) - 5}`);
    return `{"ctx":"${frames.join('<')}","records":[${random.below(2) * 3}]}`;
  });
  const recording = await sameOfText(
    `{"version":"1.0.0","types":[{"id":7,"name":"t"}],"methods":[${methods.join(',')}],"callCountProfiles":[${contexts.join(',')}]}`,
  );
  ok(typeof recording !== 'string');
  deepEqual(
    recording.sections.map(({ entries }) => entries),
    [1, 20_000, 20_000],
  );
});
