/** Runs of agents on JVMs are recorded; replayed without a VM, the agents write the same bytes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnCommand } from '../../cli/testing/spawn-command.js';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { compiledFor, folder, PROBE } from './testing/probed.js';

const CONTROL = join(ROOT, 'agent/testing/control.mts');
const env = { JAVA_TOOL_OPTIONS: undefined };

describe('a recorded run', () => {
  const runs = [
    ['25', 'Control', CONTROL, '', 7],
    ['17', 'Busy', PROBE, 'thread@', 0],
  ] as const;
  for (const [version, program, agent, option, exit] of runs.slice(0, amount(2, 1)))
    it(`of ${program} on JDK ${version} gives its agent the same again`, (t) => {
      const home = compiledFor(t, version, program);
      if (home === undefined) return;
      const [file, live, again] = ['jvmpi', 'json', 'again'].map((end) => join(folder, `${program}-${version}.${end}`));
      const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, program];
      const words = ['jvmpi', 'record', '-o', file ?? '', '--agent', `${agent}:${option}${live}`, '--', ...command];
      const recorded = spawnCommand(words, { env });
      assert.equal(recorded.status, exit, recorded.stderr);
      const replayed = spawnCommand(['jvmpi', 'replay', `${agent}:${option}${again}`, file ?? ''], { env });
      assert.deepEqual([replayed.status, replayed.stderr, replayed.stdout], [0, '', '']);
      assert.equal(readFileSync(again ?? '', 'utf8'), readFileSync(live ?? '', 'utf8'));
    });
});
