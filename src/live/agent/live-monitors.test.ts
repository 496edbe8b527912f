/** Monitors and collections on a running JVM, and agents that fail. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { spawnCommand } from '../../cli/testing/spawn-command.js';
import { compiledFor, folder, PROBE, probed, runAgent } from './testing/probed.js';

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

  it('threads have the status of the moment of each event', (t) => {
    const home = compiledFor(t, '25', 'Busy');
    if (home === undefined) return;
    const file = join(folder, 'status.jvmpi');
    const words = ['jvmpi', 'record', '-o', file, '--status', '--events', 'MONITOR_CONTENDED_ENTER,MONITOR_WAIT', '--'];
    const env = { JAVA_TOOL_OPTIONS: undefined };
    const recorded = spawnCommand([...words, join(home, 'bin/java'), '-cp', folder, 'Busy'], { env });
    assert.deepEqual([recorded.status, recorded.stderr], [0, '']);
    const listed = spawnCommand(['events', file, 'MONITOR_CONTENDED_ENTER,MONITOR_WAIT', '--limit', '0', '--json']);
    const { rows } = JSON.parse(listed.stdout);
    const seen = new Set(rows.map((row: Record<string, unknown>) => `${row.event} ${row.thread} ${row.status}`));
    assert.ok(seen.has('MONITOR_CONTENDED_ENTER#1 worker blocked'), [...seen].join('\n'));
    assert.ok(
      [...seen].some((one) => /^MONITOR_WAIT#\d+ main waiting$/.test(String(one))),
      [...seen].join('\n'),
    );
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
