/** Filters take the names of fields in files and those of the tables of kinds, in all views. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { ask, type CataloguedQuestion, openSession } from '../../../session/session.js';
import { jfrBytes } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const STATES = [
  { name: 'jdk.types.ThreadState', simple: true, fields: [{ name: 'name', type: 'java.lang.String' }] },
  ...SMALL_TYPES.map((type) =>
    type.name === 'jdk.ExecutionSample'
      ? { ...type, fields: [...type.fields, { name: 'state', type: 'jdk.types.ThreadState', pooled: true }] }
      : type,
  ),
];

test('a filter has names and words of the file, or those of the table, for the same events', async () => {
  const chunk = smallChunk();
  const records = chunk.records.map((record) =>
    'type' in record && record.type === 'jdk.ExecutionSample'
      ? { ...record, values: { ...record.values, state: 1 } }
      : record,
  );
  const states = { type: 'jdk.types.ThreadState', constants: [[1n, { name: 'STATE_RUNNABLE' }]] } as const;
  const bytes = jfrBytes([{ ...chunk, types: STATES, records: [{ checkpoint: [states] }, ...records] }]);
  const session = await openSession([memorySource('x.jfr', bytes)]);
  const rowCount = async (question: CataloguedQuestion, expression: string): Promise<number> => {
    const result = await ask(session, { ...question, scope: [{ kind: 'filter', expression }] });
    ok('rows' in result);
    return result.rows.length;
  };
  const samples = { question: 'functions', options: { metric: 'samples' } } as const;
  const allocationSites = { question: 'functions', options: { metric: 'allocation-samples' } } as const;
  const allocations = { question: 'events', options: { types: ['ObjectAllocationSample'] } } as const;
  const ofMain = await rowCount(allocationSites, 'class = "shop.Main"');
  ok(ofMain > 0);
  equal(await rowCount(allocationSites, 'objectClass = "shop.Main"'), ofMain);
  equal(await rowCount(allocationSites, 'objectClass = "shop.Other"'), 0);
  const events = await rowCount(allocations, 'objectClass = "shop.Main"');
  ok(events > 0);
  equal(await rowCount(allocations, 'class = "shop.Main"'), events);
  equal(await rowCount(allocations, 'class = "shop.Other"'), 0);
  equal(await rowCount(allocations, 'bytes > 1 and weight > 1'), await rowCount(allocations, 'weight > 1'));
  ok((await rowCount(samples, 'sampledThread = "main"')) > 0);
  for (const [expression, isFitting] of [
    ['state = "runnable"', true],
    ['state = "STATE_RUNNABLE"', true],
    ['state = "STATE_SLEEPING"', false],
  ] as const)
    equal((await rowCount(samples, expression)) > 0, isFitting, expression);
  await session.close();
});
