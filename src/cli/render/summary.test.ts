/** The first lines of a summary: when, how long, of what program. */
import { equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { runCommand } from '../testing/run-command.js';

const summary = async (path: string) => (await runCommand(['summary', path])).stdout;

describe('a summary begins with', () => {
  test('the time and the program of an experiment', async () => {
    const lines = (await summary(join(ROOT, 'examples', 'experiment', 'shop.er.tar.gz'))).split('\n');
    match(lines[1] ?? '', /^Started: 2026-11-24T04:32:18/);
    equal(lines[2], 'Command: ./shop');
  });

  test('the JVM of a recording, and the own events of its program', async (t) => {
    const path = sharedData(t, 'shop/s17def.jfr');
    if (path === undefined) return;
    const text = await summary(path);
    // `jfr summary` and `jfr print --events jdk.JVMInformation`.
    match(text, /^Started: 2026-11-28T08:07:28/m);
    match(text, /^Duration: 25\.\d+ s$/m);
    match(text, /^JVM: OpenJDK 64-Bit Server VM \(17\.0\.15/m);
    match(text, /^Command: acme\.shop\.Main 25$/m);
    match(text, /^JVM arguments: -Xmx300m /m);
    // `jfr print --json` of GCConfiguration, GCHeapConfiguration, CPUInformation; means of the 24 CPULoad, by a script.
    match(text, /^Collector: G1New, G1Old$/m);
    match(text, /^Heap: 314\.57 MB at most, 314\.57 MB at the start$/m);
    match(text, /^Processors: 2$/m);
    match(text, /^CPU load: 33\.18 % by this program, 94\.53 % by all, as means of 24 values$/m);
    match(text, /^Own events: acme\.Request 4,348$/m);
    ok(text.indexOf('Own events') < text.indexOf('Execution samples'));
    for (const line of text.split('\n').slice(0, 9)) ok(line.length <= 160, line);
  });

  test('nothing of a recording that does not say it', async () => {
    const text = await summary(join(ROOT, 'examples', 'pgo', 'before.iprof'));
    ok(!/^(?:Started|Duration|JVM|Command|Own events)/m.test(text), text);
  });
});
