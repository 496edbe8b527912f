/** Sites of drawn waits: where own code waited, and which threads were only idle. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { WAIT_EVENTS, WAIT_REASONS, type WaitReason } from '../../models/events/wait.js';
import { className, locationName } from '../../models/program/names.js';
import { column } from '../../models/table.js';
import { picture } from '../../testing/pictures/picture.js';
import { waitSites } from './wait-sites.js';

/** A row a wait: why, its column of the picture, the frame whose class it waits for, and the thread that held it before. */
const WAITS: readonly (readonly [reason: WaitReason, stack: number, waited: number, lock: string, other?: number])[] = [
  ['enter', 0, 2, 'Lock', 7],
  ['enter', 0, 3, 'Lock', 8],
  ['enter', 0, 2, 'Lock', 7],
  ['enter', 0, 1, 'Lock'],
  ['park', 1, 10, 'java.util.concurrent.locks.ReentrantLock$NonfairSync'],
  ['park', 1, 7, 'java.util.concurrent.locks.ReentrantLock$NonfairSync'],
  ['park', 2, 100, 'Lock'],
  ['park', 3, 20, 'java.util.concurrent.locks.ReentrantLock$NonfairSync'],
  ['sleep', 0, 1000, 'Lock'],
  ['park', -1, 3, 'Lock'],
];

test('parked threads are idle without own code on their stack, unless they want a lock', () => {
  const { program, profile } = picture(`
    java.lang.Thread.run  shop.App.main                                java.lang.Thread.run                         java.lang.Thread.run                         Lock.x  java.util.concurrent.locks.ReentrantLock$NonfairSync.x
    java.util.Vector.get  java.util.concurrent.locks.LockSupport.park  java.util.concurrent.Pool.await              java.util.concurrent.Queue.take
                          jdk.internal.misc.Unsafe.park                java.util.concurrent.locks.LockSupport.park  java.util.concurrent.locks.LockSupport.park
  `);
  const [drawn] = profile.events;
  const stacks = drawn === undefined ? new Int32Array() : column(drawn, 'stack');
  const classes = new Map(
    Array.from({ length: program.classes.length }, (_, id) => [className(program, id), id] as const),
  );
  const waits = WAIT_EVENTS.having(['stack', 'class', 'other', 'contended']).builder();
  for (const [reason, at, waited, lock, other = -1] of WAITS)
    waits.add({
      ...{ stack: stacks[at] ?? -1, thread: 0, reason: WAIT_REASONS.indexOf(reason), class: classes.get(lock) ?? -1 },
      ...{ other, waited, contended: waited },
    });
  const table = waits.finish();
  const { sites, idle } = waitSites(table, profile.stacks, program, 'site');
  deepEqual(
    sites.map(({ site, time, count, longest }) => [site < 0 ? '' : locationName(program, site), time, count, longest]),
    [
      ['java.util.Vector.get:0', 8, 4, 3],
      ['shop.App.main:0', 17, 2, 10],
      ['java.util.concurrent.Queue.take:0', 20, 1, 20],
      ['', 3, 1, 3],
    ],
  );
  deepEqual(
    sites.map(({ owners }) => owners),
    [
      [
        { thread: 7, count: 2, time: 4 },
        { thread: 8, count: 1, time: 3 },
      ],
      [],
      [],
      [],
    ],
  );
  deepEqual(idle, { count: 1, time: 100 });
});
