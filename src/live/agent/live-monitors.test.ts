/** Monitors and collections on a running JVM, and agents that fail. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { folder, PROBE, probed, runAgent } from './testing/probed.js';

describe('a running JVM', () => {
  it('monitors, collections, targets of calls', (t) => {
    const names = ['METHOD_ENTRY2', 'GC_START', 'GC_FINISH', 'MONITOR_CONTENDED_ENTERED', 'MONITOR_WAITED'];
    const told = probed(t, '25', [...names, 'JVM_INIT_DONE'].join('+'));
    if (told === undefined) return;
    const { counts } = told;
    assert.deepEqual([counts.GC_START, counts.GC_FINISH, counts.JVM_INIT_DONE], [1, 1, 1]);
    // The main thread contends, too, if its wait ends before the worker does.
    assert.ok((counts.MONITOR_CONTENDED_ENTERED ?? 0) >= 1);
    assert.ok((counts.MONITOR_WAITED ?? 0) >= 1);
    assert.ok((counts.METHOD_ENTRY2 ?? 0) > 100);
  });

  it('an agent that throws, or fails in JVM_OnLoad, ends with its message', (t) => {
    if (!hasProgram(t, 'jdk-17') || !hasProgram(t, 'gcc')) return;
    const java = join(jdkHome('17') ?? '', 'bin/java');
    const unknown = `${PROBE}:OBJECT_MOVE@${join(folder, 'none.json')}`;
    const { status, stderr } = runAgent(unknown, [java, '-version']);
    assert.notEqual(status, 0);
    assert.match(stderr, /kansoku: the agent cannot start: JVM_OnLoad failed/);
    assert.match(stderr, /the VM cannot send OBJECT_MOVE \(code 1\)/);
  });
});
