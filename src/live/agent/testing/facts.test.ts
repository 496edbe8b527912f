/**
 * What JVMTI does not tell and the agent finds otherwise, with each collector: classes that unload without CLASS_LOAD, classes of array elements,
 * Thread.sleep, bytes of the heap, and monitors of threads in Object.wait; the last ones also for an agent that comes late. The numbers follow from Facts.java.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { amount } from '../../../testing/amount.js';
import { ROOT } from '../../../testing/shared-data.js';
import { compiledFor, folder, runAgent } from './probed.js';

const AGENT = join(ROOT, 'agent/testing/facts.mts');
const RUNS = ['17', '25'].flatMap((version) => ['Serial', 'Parallel', 'G1', 'Z'].map((gc) => [version, gc] as const));

interface Facts {
  readonly code: number;
  readonly monitors: readonly string[];
  readonly traces: number;
  readonly unloads: number;
  readonly arrays: Readonly<Record<string, number>>;
  readonly asleep: readonly number[];
  readonly slept: readonly number[];
  readonly starts: number;
  readonly heaps: readonly string[];
}

/** Owner, entries, who enters, who waits. `main` may also wait for the thread `dump` to end, or hold its monitor as it begins to wait. */
const MONITORS = [
  '- 0 [] [waits a while]',
  '- 0 [] [waits here]',
  '- 0 [] [waits]',
  'main 1 [enters] []',
  'sleeps 1 [enters class] []',
];

function checkMonitors({ code, monitors, traces }: Facts): void {
  const ofProgram = monitors.filter(
    (each) => each !== 'main 1 [] []' && !/\[(?:main|Common-Cleaner|Finalizer|Reference Handler)\]$/.test(each),
  );
  assert.deepEqual([code, ofProgram], [0, MONITORS]);
  // The threads of the program and those of the VM.
  assert.ok(traces >= 10, `${traces}`);
}

describe('facts that JVMTI does not tell', () => {
  for (const [version, gc] of amount(RUNS, [['25', 'G1']]))
    it(`JDK ${version}, ${gc}`, (t) => {
      const home = compiledFor(t, version, 'Facts');
      if (home === undefined) return;
      const file = join(folder, `facts-${version}-${gc}.json`);
      const log = join(folder, `unload-${version}-${gc}.txt`);
      const options = [`-XX:+Use${gc}GC`, '-Xmx128m', `-Xlog:class+unload:file=${log}`, '-cp', folder];
      const { status, stdout, stderr } = runAgent(`${AGENT}:${file}`, [join(home, 'bin/java'), ...options, 'Facts']);
      assert.deepEqual([status, stdout, stderr], [0, 'done\n', '']);
      const facts: Facts = JSON.parse(readFileSync(file, 'utf8'));
      assert.equal(facts.unloads, readFileSync(log, 'utf8').match(/unloading class/g)?.length);
      assert.equal(facts.unloads, 3);
      const { Facts: one, '[LFacts;': rows, '[J': longs } = facts.arrays;
      assert.deepEqual([one, rows, longs], [100, 50, 20]);
      assert.deepEqual(
        Object.keys(facts.arrays).filter((name) => name.startsWith('unknown')),
        [],
      );
      assert.deepEqual(facts.asleep.slice(0, 4), [5, 6, 7, 8]);
      for (const [i, ms] of facts.slept.slice(0, 4).entries()) assert.ok(ms >= 5 + i - 1, `${ms} ms`);
      // A pause of ZGC is a collection here.
      assert.ok(facts.starts >= 4 && facts.heaps.length === facts.starts);
      for (const heap of facts.heaps) {
        const [used = 0, total = 0] = heap.split('/').map(Number);
        assert.ok(0 < used && used <= total && total <= (128 << 20) + 64, heap);
      }
      checkMonitors(facts);
    });

  for (const version of amount(['17', '25'], ['25']))
    it(`JDK ${version}: monitors for an agent that comes late`, async (t) => {
      const home = compiledFor(t, version, 'Facts');
      if (home === undefined) return;
      const { JAVA_TOOL_OPTIONS: _, ...env } = process.env;
      const java = spawn(join(home, 'bin/java'), ['-XX:+UseSerialGC', '-cp', folder, 'Facts', 'stay'], { env });
      t.after(() => java.kill('SIGKILL'));
      await once(java.stdout, 'data');
      const file = join(folder, `late-${version}.json`);
      const { stderr } = spawnCommand(['jvmpi', 'attach', `${java.pid}`, `${AGENT}:late:${file}`], { env: {} });
      const facts: Facts = JSON.parse(readFileSync(file, 'utf8'));
      assert.equal(stderr, '');
      // Main has left its monitor, and waits for input.
      const held = facts.monitors.filter((each) => each.startsWith('main'));
      assert.deepEqual(held, []);
      checkMonitors({ ...facts, monitors: [...facts.monitors, 'main 1 [enters] []'].sort() });
    });
});
