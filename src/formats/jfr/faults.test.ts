/** Faults that the damage tests found, as fixed cases: what is wrong with a file must show, with its place. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { ask, openSession } from '../../session/session.js';
import { readJfr } from './read.js';
import { jfrBytes } from './testing/jfr-writer.js';
import { smallChunk } from './testing/small-recording.js';

/** Where the header has the place of the metadata. */
const METADATA_FIELD = 24;
/** Where the small recording has its checkpoint. */
const CHECKPOINT = 95;
/** Events of the small recording: 11 samples, an allocation, an order. */
const EVENTS = { 'jdk.ExecutionSample': 11, 'jdk.ObjectAllocationSample': 1, 'shop.Order': 1 };

const read = (bytes: Uint8Array): Promise<Recording> => readJfr(memorySource('x.jfr', bytes));
const counts = ({ sections }: Recording) => Object.fromEntries(sections.map(({ name, entries }) => [name, entries]));
const found = ({ problems }: Recording) =>
  problems.list.map(({ code, offset, message }) => ({ code, offset, message }));

/** The file with the only occurrence of a word in the metadata replaced by another one of the same length. */
function renamed(bytes: Uint8Array, word: string, other: string): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  equal(text.split(word).length, 2, `${word} is there once`);
  equal(word.length, other.length);
  return Uint8Array.from(Buffer.from(text.replace(word, other), 'latin1'));
}

describe('faults of recordings', () => {
  test('the small recording itself has none', async () => {
    const recording = await read(jfrBytes([smallChunk()]));
    deepEqual([found(recording), counts(recording)], [[], EVENTS]);
  });

  test('a lone byte behind the last chunk', async () => {
    const whole = jfrBytes([smallChunk()]);
    const recording = await read(Uint8Array.from([...whole, 0]));
    const [problem, ...others] = found(recording);
    deepEqual([problem?.code, problem?.offset, others.length], ['jfr-chunk', whole.length, 0]);
    ok(problem?.message.includes('1 bytes skipped'), problem?.message);
    deepEqual([counts(recording), recording.complete], [EVENTS, false]);
  });

  test('two fields of one name', async () => {
    const recording = await read(renamed(jfrBytes([smallChunk()]), 'price', 'share'));
    deepEqual(
      found(recording).map(({ code, offset }) => [code, offset]),
      [['jfr-metadata', METADATA_FIELD]],
    );
    ok(!recording.complete);
  });

  test('two types of one id', async () => {
    // The third and the fourth type, `shop.Order` and `shop.Part`: the writer counts from 100.
    const whole = jfrBytes([smallChunk()]);
    const recording = await read(renamed(whole, '103', '102'));
    const problems = found(recording);
    ok(
      problems.some(({ code, offset }) => code === 'jfr-metadata' && offset === METADATA_FIELD),
      JSON.stringify(problems),
    );
    ok(!recording.complete);
  });

  test('a type of events with the id of metadata events: they are no events of it', async () => {
    // The first type, `jdk.ExecutionSample`.
    const recording = await read(renamed(jfrBytes([smallChunk()]), '100', '000'));
    ok(found(recording).some(({ code, offset }) => code === 'jfr-metadata' && offset === METADATA_FIELD));
    const { 'jdk.ExecutionSample': _, ...others } = EVENTS;
    const { 'jdk.ExecutionSample': samples = 0, ...seen } = counts(recording);
    equal(samples, 0);
    for (const type of Object.keys(seen)) ok(type in others || type.includes('100'), type);
    ok(!recording.complete);
  });

  test('constants that cannot be read, which opening does not read: each view of events says so', async () => {
    const whole = jfrBytes([smallChunk()]);
    const damaged = whole.slice();
    // The only checkpoint: its head has 9 bytes, the type of its first pool follows.
    equal(whole[CHECKPOINT + 2], 1, 'type of a checkpoint');
    damaged[CHECKPOINT + 9] = 0x7f;
    const { list } = (await read(damaged)).problems;
    deepEqual(
      list.map(({ code, offset }) => [code, offset]),
      [['jfr-constants', CHECKPOINT + 9]],
    );
    const answers = async (bytes: Uint8Array): Promise<readonly boolean[]> => {
      const session = await openSession([memorySource('x.jfr', bytes)], { extent: 'outline' });
      const types = ['jdk.ExecutionSample'];
      const scope = [{ kind: 'time', from: 0 }] as const;
      const results = await Promise.all([
        ask(session, { view: 'events', options: { types }, page: { limit: 3, offset: 0 } }),
        ask(session, { view: 'events', options: { types }, page: { limit: 3, offset: 1 } }),
        ask(session, { view: 'event-groups', options: { types, by: ['startTime'] } }),
        ask(session, { view: 'event-types', options: {}, scope }),
      ]);
      await session.close();
      return results.map(({ complete, notes }) => complete && !notes.some(({ code }) => code === 'damaged'));
    };
    deepEqual(await answers(whole), [true, true, true, true]);
    deepEqual(await answers(damaged), [false, false, false, false]);
  });
});
