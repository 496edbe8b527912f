/** The step by state against a filter over plain lists, and its errors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { STATE_EVENTS, THREAD_STATES, type ThreadState } from '../../models/events/state.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { dumpedRecording } from '../../testing/pictures/dumped.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';
import { scopeRecording } from './scoped.js';

type Seen = readonly [thread: number, state: ThreadState];

const anyState = fc.constantFrom(...THREAD_STATES);

/** A recording of one dump with a row for each state. */
function recordingOf(seen: readonly Seen[]) {
  const drawn = dumpedRecording([{ threads: seen.map(() => 'run') }]);
  const states = STATE_EVENTS.of(drawn.profile) ?? assert.fail();
  seen.forEach(([, state], row) => {
    states.state[row] = THREAD_STATES.indexOf(state);
  });
  return drawn;
}

function kept(seen: readonly Seen[], steps: readonly ScopeStep[]): number[] {
  const { profile } = scopeRecording(recordingOf(seen), steps);
  return [...(STATE_EVENTS.of(profile) ?? assert.fail()).thread];
}

describe('the step by state', () => {
  test('keeps the same events as a filter over a list; two steps keep the intersection', () => {
    const some = fc.uniqueArray(anyState, { minLength: 1 });
    fc.assert(
      fc.property(fc.array(anyState, { minLength: 1, maxLength: 30 }), some, some, (states, first, second) => {
        const seen = states.map((state, thread): Seen => [thread, state]);
        const filtered = seen.filter(([, state]) => first.includes(state)).map(([thread]) => thread);
        assert.deepEqual(kept(seen, [{ kind: 'state', states: first }]), filtered);
        assert.deepEqual(
          kept(seen, [
            { kind: 'state', states: first },
            { kind: 'state', states: second },
          ]),
          filtered.filter((thread) => second.includes(states[thread])),
        );
      }),
      runs(100),
    );
  });

  test('works for every view: the blocked threads of a real dump, by functions, tree and threads', async () => {
    const path = join(ROOT, 'src/formats/thread-dump/fixtures/states.sigquit-17.txt');
    const session = await openSession([await fileSource(path)]);
    const scope = [{ kind: 'state', states: ['blocked'] }] as const;
    const { rows } = await ask(session, { view: 'threads', scope });
    assert.deepEqual(rows.map(({ name }) => name).sort(), ['notified', 'wants the lock']);
    const tree = await ask(session, { view: 'tree', scope });
    assert.equal(tree.metric.sum, 4);
    const functions = await ask(session, { view: 'functions', scope });
    assert.deepEqual(
      functions.rows.filter(({ self }) => self !== 0).map(({ function: name, self }) => [name, self]),
      [
        ['java.lang.Object.wait', 2],
        ['jdk.internal.misc.Unsafe.park', 2],
      ],
    );
    await assert.rejects(ask(session, { view: 'monitors', scope }), /locks of this recording have no stack/);
  });

  test('a metric without states is an error, and not shown whole', async () => {
    const session = sessionOf([dumpedRecording([{ samples: { run: 5 }, threads: ['run'] }])]);
    const scope = [{ kind: 'state', states: ['runnable'] }] as const;
    await assert.rejects(ask(session, { view: 'functions', scope }), /samples of .* cannot be selected by this scope/);
    const { rows } = await ask(session, { view: 'functions', scope, options: { metric: 'threads' } });
    assert.equal(rows[0]?.self, 1);
  });

  test('is an error for recordings without states, for unknown states and for an empty list', async () => {
    const { program, profile } = picture('a');
    const without = sessionOf([drawnRecording({ program, profile })]);
    const asked = (session: typeof without, states: readonly string[]) =>
      ask(session, { view: 'tree', scope: [{ kind: 'state', states }] });
    await assert.rejects(asked(without, ['blocked']), /no states of threads to select by/);
    const dumps = sessionOf([dumpedRecording([{ threads: ['run'] }])]);
    for (const states of [['blockd'], ['BLOCKED'], []])
      await assert.rejects(asked(dumps, states), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(`${error.message} ${error.advice ?? ''}`, /threads have no state.*runnable, blocked, waiting/);
        return true;
      });
  });
});
