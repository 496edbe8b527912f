/** Snapshots of a recording that grows are freed once no question needs them: the garbage collector is asked. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ScopeStep } from '../models/scope.js';
import { GrowingRecording } from '../testing/drawn-stages.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import type { ViewName } from '../views/index.js';
import { ask, type Session, sessionOfOpen } from './session.js';

setFlagsFromString('--expose-gc');
// Optimised code may hold one object that it was compiled for.
setFlagsFromString('--no-opt');
const collectGarbage: () => void = runInNewContext('gc');

const recordingOf = (n: number) =>
  drawnRecording({
    ...picture(`${'App.main'.padEnd(13)}App.main App.main\n${`App.get${n}`.padEnd(13)}App.get  App.put`),
    name: 'app',
  });

/** Grows a recording and asks about it each time. */
async function follow(count: number, questions: (session: Session, n: number) => Promise<void>) {
  const source = new GrowingRecording('growing', recordingOf(0));
  const session = sessionOfOpen([source]);
  const snapshots: WeakRef<object>[] = [];
  for (let n = 0; n < count; n++) {
    source.grow(recordingOf(n));
    snapshots.push(new WeakRef(source.current().recording));
    await questions(session, n);
  }
  // What an async function that just ended had in its frame may live a little longer.
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    collectGarbage();
  }
  const alive = snapshots.map((each) => each.deref() !== undefined);
  return { session, alive };
}

const FOCUS: ScopeStep = { kind: 'focus', pattern: 'App' };

for (const view of ['functions', 'summary', 'tree', 'flame'] as const satisfies readonly ViewName[])
  test(`of 50 snapshots asked for ${view}, the newest is left`, async () => {
    const { session, alive } = await follow(50, async (session) => {
      await ask(session, { view });
      await ask(session, { view, scope: [FOCUS] });
    });
    equal(alive.lastIndexOf(true), 49);
    equal(alive.filter((each) => each).length, 1);
    await session.close();
  });

test('an hour of refreshes a second keeps the memory of one snapshot', async () => {
  let most = 0;
  let used = 0;
  const { session } = await follow(3600, async (session, n) => {
    await ask(session, { view: 'functions', scope: n % 2 === 0 ? [] : [FOCUS] });
    most = Math.max(most, session.derived.bytes);
    if (n !== 600) return;
    collectGarbage();
    used = process.memoryUsage().heapUsed;
  });
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - used;
  ok(most < 64 << 10, `${most} bytes of derived values`);
  // 3,000 snapshots of this recording would take 30 MB.
  ok(grown < 5e6, `${grown} bytes more after 3,000 refreshes`);
  await session.close();
});
