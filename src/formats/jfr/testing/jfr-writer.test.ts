/** The fixtures are what the writer writes, and both readers read them alike. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ByteSource, memorySource } from '../../../bytes/byte-source.js';
import { ROOT } from '../../../testing/shared-data.js';
import { outlineOfJfr, readEvents, readJfr } from '../read.js';
import { difference } from './jfr-oracle.js';
import { plainJfr } from './plain-jfr.js';
import { SMALL_RECORDINGS } from './small-recording.js';

const FIXTURES = join(ROOT, 'src/formats/jfr/testing/fixtures');
const streamOf = ({ name, open }: ByteSource): ByteSource => ({ name, open, size: undefined });

describe('small recordings', () => {
  for (const [name, write] of Object.entries(SMALL_RECORDINGS)) {
    test(`${name} is the fixture`, () => {
      deepEqual(new Uint8Array(readFileSync(join(FIXTURES, name))), write());
    });

    test(`${name} is read as by the second reader, from files and streams`, async () => {
      const bytes = write();
      const plain = plainJfr(bytes);
      equal(plain.broken, -1);
      for (const source of [memorySource(name, bytes), streamOf(memorySource(name, bytes))]) {
        const recording = await readJfr(source);
        deepEqual(recording.problems.list, []);
        ok(recording.complete);
        equal(difference(plain, recording), undefined);
      }
    });

    test(`${name}: all fields of a type of any name`, async () => {
      const { profile } = await readEvents(memorySource(name, write()), ['shop.Order']);
      const [table] = profile.events;
      const values = Object.fromEntries((table?.fields ?? []).map(({ key }) => [key, table?.columns[key]?.[0]]));
      const { text: _, ...numbers } = values;
      deepEqual(numbers, {
        startTime: 50,
        letter: 65,
        small: -2,
        flag: 1,
        price: 1.5,
        share: 0.25,
        'part.id': 7,
        'part.size': 8,
      });
    });
  }

  test('events that are foreseen come from the pass of the outline, others from one of their own', async () => {
    const source = memorySource(
      'x',
      new Uint8Array(Buffer.concat(Object.values(SMALL_RECORDINGS).map((write) => write()))),
    );
    let reads = 0;
    const readAt: ByteSource['readAt'] = (...words) => {
      reads++;
      return source.readAt?.(...words) ?? 0;
    };
    const { recording, events } = await outlineOfJfr(
      { ...source, readAt },
      {},
      { words: ['Order', 'jdk.ExecutionSample'] },
    );
    deepEqual(recording, (await outlineOfJfr(source)).recording);
    const outlined = reads;
    for (const types of [['shop.Order'], ['jdk.ExecutionSample', 'shop.Order']]) {
      const { program, profile } = await events.read(types);
      const alone = await readEvents(source, types);
      const of = (from: typeof alone): unknown =>
        from.profile.events.map(({ length, columns: { startTime } }) => [length, startTime]);
      deepEqual(of({ program, profile }), of(alone));
      deepEqual(
        profile.events.map(({ kind }) => kind),
        types,
      );
    }
    equal(reads, outlined);
    deepEqual(
      await events.read(['jdk.ObjectAllocationSample']),
      await readEvents(source, ['jdk.ObjectAllocationSample']),
    );
    ok(reads > outlined);
  });

  test('chunks of other recordings before them change nothing, though their columns are used again', async () => {
    const parts = Object.values(SMALL_RECORDINGS).map((write) => write());
    for (const order of [parts, [...parts].reverse(), [...parts, ...parts]]) {
      const bytes = new Uint8Array(Buffer.concat(order));
      const recording = await readJfr(memorySource('joined.jfr', bytes));
      equal(difference(plainJfr(bytes), recording), undefined);
    }
  });
});
