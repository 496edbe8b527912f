/** Methods, and functions in handlers, on running JVMs: what a program does is known from its source. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amount } from '../../testing/amount.js';
import { probed } from './testing/probed.js';

describe('a running JVM', () => {
  for (const version of amount(['17', '25'], ['17'])) {
    it(`JDK ${version}: methods by thread, and functions in a handler that holds its thread`, (t) => {
      const told = probed(t, version, 'thread');
      if (told === undefined) return;
      const { counts, seen } = told;
      // The loop asks 51 times whether it goes on.
      assert.deepEqual(
        [counts['main/worker Busy.leaf'], counts['exit Busy.leaf'], counts['main/worker Busy.fifty']],
        [50, 50, 51],
      );
      assert.deepEqual([counts['end main/worker'], counts['end main/main']], [1, 1]);
      assert.ok(Array.isArray(seen.contended));
      // The line of `synchronized` in the worker; 2 is JVMPI_THREAD_MONITOR_WAIT, 0 JVMPI_SUCCESS.
      assert.equal(seen.contended[0], 'Busy.lambda$main$0:18');
      assert.deepEqual([seen.status, seen.cpu, seen.object, seen.requested], [2, true, true, 0]);
    });
  }
});
