/** A merged recording as a session has it: questions to it, and the same numbers as of its parts. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { fileSource } from '../bytes/file.node.js';
import { mergeRecordings, parseWeight } from '../library/index.js';
import { BINARY_TREE } from '../testing/shared-data.js';
import { ask, openSession, sessionOf } from './session.js';

test('a merged recording answers like any other', async () => {
  const { recordings } = await openSession([await fileSource(BINARY_TREE)]);
  const [one] = recordings;
  ok(one !== undefined);
  const session = sessionOf([mergeRecordings([one, one], [parseWeight('2'), parseWeight('1')]), one]);
  const calls = async (recording: string, factor: number) => {
    const { rows } = await ask(session, { view: 'pgo-hot', recording, page: { limit: 0 } });
    return new Map(rows.map(({ method, calls }) => [method, calls * factor]));
  };
  const expected = await calls('r2', 3);
  ok(expected.size > 1000);
  deepEqual(await calls('r1', 1), expected);
  const check = await ask(session, { view: 'check' });
  equal(check.total, 0);
  const branches = await ask(session, { view: 'pgo-branches', page: { limit: 5 } });
  equal(branches.rows.length, 5);
  const summary = await ask(session, { view: 'summary' });
  equal(summary.complete, true);
});
