/** An agent that controls a running JVM: collections, unloaded and changed classes, suspended threads, dumps on request, the exit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { compiledFor, folder, runAgent } from './testing/probed.js';

describe('an agent controls the VM', () => {
  for (const version of amount(['17', '25'], ['25']))
    it(`JDK ${version}`, (t) => {
      const home = compiledFor(t, version, 'Control');
      if (home === undefined) return;
      const file = join(folder, `control-${version}.json`);
      const agent = `${join(ROOT, 'agent/testing/control.mts')}:${file}`;
      const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Control'];
      const { status, stdout, stderr } = runAgent(agent, command);
      // ProfilerExit(7) ends the program before its last line.
      assert.deepEqual(
        [status, stdout, stderr],
        [1, 'VICTIM\nsuspended: true\nresumed: true\n', 'kansoku: the program ended with exit code 7\n'],
      );
      // 0 is success, 1 JVMPI_THREAD_RUNNABLE: the status before the suspension.
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
        counts: { hook: 1, load: 1, 'start of GC': 2, 'end of GC': 2, unload: 1, dump: 1 },
        results: { suspend: [0], status: 1, resume: [0] },
      });
    });
});
