/** Methods, and functions in handlers, on running JVMs: what a program does is known from its source. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { amount, inFullTier } from '../../testing/amount.js';
import { compiledAgent } from './testing/c-agents.js';
import { compiledFor, folder, PROBE, probed, runAgent } from './testing/probed.js';

const REFERENCES = 'JNI_GLOBALREF_ALLOC+JNI_GLOBALREF_FREE+JNI_WEAK_GLOBALREF_ALLOC+JNI_WEAK_GLOBALREF_FREE';

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
      assert.deepEqual([counts['start main/DestroyJavaVM'], counts['end main/DestroyJavaVM']], [1, 1]);
      assert.ok(Array.isArray(seen.contended));
      // The line of `synchronized` in the worker; 2 is JVMPI_THREAD_MONITOR_WAIT, 0 JVMPI_SUCCESS.
      assert.equal(seen.contended[0], 'Busy.lambda$main$0:18');
      assert.deepEqual([seen.status, seen.cpu, seen.object, seen.requested], [2, true, true, 0]);
    });

    it(`JDK ${version}: global references of a library, and none of the agent itself`, (t) => {
      const home = compiledFor(t, version, 'References');
      if (home === undefined) return;
      const library = compiledAgent(home, 'references');
      const file = join(folder, `references-${version}.json`);
      const command = [join(home, 'bin/java'), '-cp', folder, 'References', library];
      const { status, stdout, stderr } = runAgent(`${PROBE}:${REFERENCES}@${file}`, command);
      assert.deepEqual([status, stdout], [0, 'made\n']);
      // JDK 24 and later warn of native libraries.
      assert.match(stderr, /^(?:WARNING: .*\n|\n)*$/);
      const { counts } = JSON.parse(readFileSync(file, 'utf8'));
      const kinds = REFERENCES.split('+').map((name) => counts[name]);
      assert.deepEqual(kinds, [10, 5, 5, 5]);
    });

    it(`JDK ${version}: who left a monitor that another thread waited for`, (t) => {
      const told = probed(t, version, 'MONITOR_CONTENDED_ENTERED+MONITOR_CONTENDED_EXIT');
      if (told === undefined) return;
      const { counts } = told;
      // The owner may leave before the VM is asked who it is.
      assert.ok((counts.MONITOR_CONTENDED_EXIT ?? 0) <= (counts.MONITOR_CONTENDED_ENTERED ?? 0));
    });

    it(`JDK ${version}: each instruction, and the request to reset behind the one to dump`, (t) => {
      if (!inFullTier(t, 'live')) return;
      const home = compiledFor(t, version, 'Quit');
      if (home === undefined) return;
      const file = join(folder, `quit-${version}.json`);
      const agent = `${PROBE}:INSTRUCTION_START+DATA_DUMP_REQUEST+DATA_RESET_REQUEST@${file}`;
      const { status, stderr } = runAgent(agent, [join(home, 'bin/java'), '-cp', folder, 'Quit']);
      assert.deepEqual([status, stderr], [0, '']);
      const { counts } = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual([counts.DATA_DUMP_REQUEST, counts.DATA_RESET_REQUEST], [1, 1]);
      assert.ok(counts.INSTRUCTION_START > 1000, counts.INSTRUCTION_START);
    });
  }
});
