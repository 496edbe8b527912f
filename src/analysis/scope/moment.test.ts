/** Dumps of drawn recordings: how many there are, which is meant, which heap is of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { errorLines } from '../../cli/render/spelling.js';
import type { ScopeStep } from '../../models/scope.js';
import { dumpedRecording } from '../../testing/pictures/dumped.js';
import { lockPicture } from '../../testing/pictures/lock-picture.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { dumpCount, heapAt, resolveMoment, stepsBeside } from './moment.js';
import { scopeRecording, withinScope } from './scoped.js';

const dump = (number: number): ScopeStep => ({ kind: 'dump', number });
const FOCUS: ScopeStep = { kind: 'focus', pattern: 'a' };

/** Of three dumps the second alone has a heap. */
const three = dumpedRecording([{ samples: { a: 1 } }, { samples: { a: 2 }, heap: 'instance A 8' }, { live: { b: 3 } }]);
const none = drawnRecording(picture('App.a'));

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return errorLines(error).join(' ');
  }
  return 'not refused';
}

describe('the dumps of a recording', () => {
  test('are those of its events, its heaps and its locks', () => {
    assert.equal(dumpCount(three), 3);
    assert.equal(dumpCount(dumpedRecording([{}, {}, { heap: 'instance A 8' }])), 3);
    assert.equal(dumpCount(lockPicture('A holds X\ndump 2\nA holds X')), 2);
    assert.equal(dumpCount(none), 0);
  });

  test('are numbered from 1; naming one is optional', () => {
    assert.deepEqual(resolveMoment(three, [dump(3), FOCUS]), { moment: 3, of: 3 });
    assert.deepEqual(resolveMoment(three, [FOCUS]), { moment: undefined, of: 3 });
    assert.deepEqual(resolveMoment(three, [dump(2), dump(2)]), { moment: 2, of: 3 });
  });

  test('that do not exist are the same error for all data', () => {
    for (const missing of [0, 4])
      assert.equal(
        refusal(() => scopeRecording(three, [dump(missing)])),
        `${three.name} has no dump ${missing} It has 3 dumps, the first is 1.`,
      );
    const { profile: _, ...locks } = lockPicture('A holds X');
    assert.equal(
      refusal(() => scopeRecording(locks, [dump(2)])),
      'picture has no dump 2 It has 1 dump, the first is 1.',
    );
    assert.equal(
      refusal(() => scopeRecording(none, [dump(1)])),
      `${none.name} has no dump 1 It has no dumps.`,
    );
    assert.match(
      refusal(() => scopeRecording(three, [dump(1), dump(2)])),
      /--dump can be given only once/,
    );
  });
});

describe('the heap of a dump', () => {
  const sizes = (moment: number | undefined) => heapAt(three, { moment, of: 3 })?.recorded?.objects.length;

  test('is that of the same dump as the events, although others lack a heap', () => {
    assert.deepEqual([1, 2, 3].map(sizes), [undefined, 1, undefined]);
  });

  test('is the last one if no dump is named', () => {
    assert.equal(sizes(undefined), 1);
  });

  test('is not filtered by stacks and threads, which is reported', () => {
    assert.deepEqual([...scopeRecording(three, [dump(2)]).unscoped], []);
    assert.deepEqual([...scopeRecording(three, [FOCUS]).unscoped], ['heap']);
  });

  test('is the only heap of a recording within the scope', () => {
    const { recording } = withinScope(three, [dump(1)]);
    assert.deepEqual(recording.heaps, []);
    assert.equal(withinScope(three, [dump(2)]).recording.heaps?.length, 1);
    assert.equal(withinScope(three, [FOCUS]).recording.heaps?.length, 1);
  });
});

describe('a recording compared with a dump', () => {
  test('uses its last dump', () => {
    assert.deepEqual(stepsBeside(three, [FOCUS], [dump(1)]), [FOCUS, dump(3)]);
  });

  test('uses the dump it names, and is unchanged if none is named or it has only one', () => {
    assert.deepEqual(stepsBeside(three, [dump(2)], [dump(1)]), [dump(2)]);
    assert.deepEqual(stepsBeside(three, [FOCUS], []), [FOCUS]);
    assert.deepEqual(stepsBeside(none, [FOCUS], [dump(1)]), [FOCUS]);
    assert.deepEqual(stepsBeside(dumpedRecording([{ samples: { a: 1 } }]), [], [dump(1)]), []);
  });
});
