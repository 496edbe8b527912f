/** Words of filters that no event has, against the groups of the same field. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const PATH = join(ROOT, 'examples/jfr/shop.jfr.gz');
const openShop = (): Promise<Session> => openSession([memorySource(PATH, gunzipSync(readFileSync(PATH)))]);

/** Texts of the notes on absent words, of the samples and of functions. */
async function absentNotes(session: Session, expression: string): Promise<string[][]> {
  const scope = [{ kind: 'filter' as const, expression }];
  const events = await ask(session, { view: 'events', options: { types: ['ExecutionSample'] }, scope });
  const functions = await ask(session, { view: 'functions', options: { metric: 'samples' }, scope });
  return [events.notes, functions.notes].map((notes) =>
    notes.filter(({ code }) => code === 'absent-value').map(({ text }) => String(text)),
  );
}

test('a filter that selects nothing lists the words that events have', async () => {
  const session = await openShop();
  const groups = await ask(session, {
    view: 'event-groups',
    options: { types: ['ExecutionSample'], by: ['sampledThread'] },
    page: { limit: 0 },
  });
  const rows = groups.rows.map((row) => [String(row.sampledThread), Number(row.events)] as const);
  const words = rows
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, count]) => `${name} (${count})`);
  const wordList = `Events have ${words.slice(0, 3).join(', ')}, and ${words.length - 3} more.`;
  const threadNote = `No event has nobody as sampledThread. ${wordList}`;
  deepEqual((await absentNotes(session, 'sampledThread = nobody'))[0], [threadNote]);
  const states = await absentNotes(session, 'state = runnable and sampledThread = nobody');
  deepEqual(states[0], ['No event has runnable as state. Events have STATE_RUNNABLE (168).', threadNote]);
  equal(states[1]?.length, 1, 'functions have the words of the house');
  await session.close();
});

test('nothing is said of words that events have, though together they select nothing', async () => {
  const session = await openShop();
  deepEqual(await absentNotes(session, 'sampledThread = main and sampledThread ~ /http/'), [[], []]);
  deepEqual(await absentNotes(session, 'not sampledThread ~ /./'), [[], []]);
  await session.close();
});
