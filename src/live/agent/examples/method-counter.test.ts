/** The method counter of the document (§1.5) on running JVMs, replayed, and beside the document's own handlers in C. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { amount } from '../../../testing/amount.js';
import { compiledAgent, documentFragments, runWithC } from '../testing/c-agents.js';
import { compiledFor, folder, recordedAndReplayed } from '../testing/probed.js';

/** The numbers of methods that the handler of §1.5 printed, in the order of the threads' ends. */
function methodCounts(text: string): number[] {
  return [...text.matchAll(/^Thread [0-9a-f]+ executed (\d+) methods$/gm)].map(([, count]) => Number(count));
}

/** What the document's handlers count; undefined where the document is missing. */
function countedInC(t: TestContext, home: string): number[] | undefined {
  if (!documentFragments(t)) return undefined;
  return methodCounts(runWithC(home, [compiledAgent(home, 'document'), ''], ['Counted']).stdout);
}

describe('the method counter', () => {
  for (const version of amount(['17', '25'], ['17']))
    it(`counts on JDK ${version} what the program calls, and in a replay`, (t) => {
      const home = compiledFor(t, version, 'Counted');
      if (home === undefined) return;
      const command = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Counted'];
      const file = recordedAndReplayed('examples/jvmpi/method-counter.ts', command, `counter-${version}`);
      const counts = methodCounts(readFileSync(file, 'utf8'));
      // Threads that call leaf() 10 and 1000 times, and what every thread calls.
      const [ten = 0, thousand = 0] = counts;
      assert.ok(ten > 10);
      assert.equal(thousand - ten, 990);
      const inC = countedInC(t, home);
      if (inC !== undefined) assert.deepEqual(inC.slice(0, 2), [ten, thousand]);
    });
});
