/** Names of fields in files and in the tables of kinds: a filter with the one says what the other is called. */
import { ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { ask, openSession } from '../../../session/session.js';
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

test('a filter with a name of the file, or a word of it, names that of the table', async () => {
  const chunk = smallChunk();
  const records = chunk.records.map((record) =>
    'type' in record && record.type === 'jdk.ExecutionSample'
      ? { ...record, values: { ...record.values, state: 1 } }
      : record,
  );
  const states = { type: 'jdk.types.ThreadState', constants: [[1n, { name: 'STATE_RUNNABLE' }]] } as const;
  const bytes = jfrBytes([{ ...chunk, types: STATES, records: [{ checkpoint: [states] }, ...records] }]);
  const session = await openSession([memorySource('x.jfr', bytes)]);
  const refused = async (view: 'functions' | 'events', expression: string, words: string): Promise<void> => {
    const scope = [{ kind: 'filter', expression }] as const;
    const question =
      view === 'events' ? { view, options: { types: ['ObjectAllocationSample'] }, scope } : { view, scope };
    await rejects(ask(session, question), (error: Error & { lines?: readonly string[] }) => {
      const text = [error.message, ...(error.lines ?? [])].join('\n');
      ok(text.includes(words), text);
      return true;
    });
  };
  await refused('functions', 'objectClass = "x"', 'Did you mean class?');
  await refused('functions', 'sampledThread = "main"', 'Did you mean thread?');
  await refused('events', 'class = "x"', 'Did you mean objectClass?');
  await refused('functions', 'state = "STATE_RUNNABLE"', 'state is one of unknown, new, runnable');
  const scope = [{ kind: 'filter', expression: 'status = "STATE_RUNNABLE" and state = "runnable"' }] as const;
  const { rows } = await ask(session, { view: 'functions', options: { metric: 'samples' }, scope });
  ok(rows.length > 0);
  await session.close();
});
