/** Files name types and fields as they like: also as properties that each object of JavaScript has, or not at all. */
import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { jfrBytes, type WrittenType } from '../../formats/jfr/testing/jfr-writer.js';
import { ask, openSession, type Session } from '../../session/session.js';

const ODD = ['constructor', '__proto__', 'toString', 'valueOf', '', '\0', 'length'];
const START = { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] } as const;
const TYPES: readonly WrittenType[] = ODD.map((name) => ({
  name: `odd.${name}`,
  event: true,
  fields: [START, { name, type: 'int' }, { name: 'part', type: name || 'none' }],
}));
/** Structures with these names, too. */
const PARTS: readonly WrittenType[] = ODD.map((name) => ({
  name: name || 'none',
  fields: [{ name: 'size', type: 'int' }],
}));

async function oddSession(): Promise<Session> {
  const records = ODD.flatMap((name, i) =>
    [1, 2].map((number) => ({
      type: `odd.${name}`,
      values: Object.fromEntries([
        ['startTime', 100 * number],
        [name, 10 * i + number],
        ['part', { size: number }],
      ]),
    })),
  );
  const bytes = jfrBytes([{ startTicks: 0n, types: [...TYPES, ...PARTS], records }]);
  return openSession([memorySource('odd.jfr', bytes)]);
}

for (const [i, name] of ODD.entries())
  test(`a field with the name ${JSON.stringify(name)} has its values`, async () => {
    const session = await oddSession();
    const types = [`odd.${name}`];
    const options = { types };
    const expected = [1, 2].map((number) => [10 * i + number, number]);
    const cellsWith = async (more: object) => {
      const { rows } = await ask(session, { view: 'events', options, ...more });
      return rows.map((row) => [new Map(Object.entries(row)).get(name), row['part.size']]);
    };
    deepEqual(await cellsWith({}), expected);
    // These read all events, not the first ones.
    deepEqual(await cellsWith({ page: { sort: `-${name}` } }), expected);
    deepEqual(await cellsWith({ scope: [{ kind: 'filter', expression: 'part.size >= 0' }] }), expected);
    const { rows } = await ask(session, { view: 'event-types' });
    deepEqual(rows.find(({ type }) => type === types[0])?.count, 2);
  });

test('a field without a name is no thread, and no stack', async () => {
  const scope = [{ kind: 'thread', pattern: '' }] as const;
  await rejects(ask(await oddSession(), { view: 'events', options: { types: ['odd.'] }, scope }), UsageError);
});

test('properties of objects are no columns to sort by', async () => {
  const session = await oddSession();
  for (const sort of ['hasOwnProperty', 'isPrototypeOf', '__proto__', '-constructor'])
    await rejects(ask(session, { view: 'event-types', page: { offset: 0, limit: 3, sort } }), /cannot sort by/);
});
