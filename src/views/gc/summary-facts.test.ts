/** The facts with which a summary begins, of recordings of live virtual machines, against the tool of their JDK. */
import { equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { inFullTier } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';

const COLLECTORS = ['Serial', 'Parallel', 'G1', 'Z'];
const TYPES = 'JVMInformation,GCConfiguration,GCHeapConfiguration,CPUInformation,CPULoad,GCHeapSummary';

interface Printed {
  readonly recording: {
    readonly events: readonly {
      readonly type: string;
      readonly values: Readonly<Record<string, string | number | null>>;
    }[];
  };
}

test('JVM, command, arguments, collector, processors, load and used heap are those of `jfr print`', async (t) => {
  if (!inFullTier(t, 'views/gc/summary-facts')) return;
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-facts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const homes = jdkHomes(t);
  if (homes.length > 0)
    jdkTool(homes[0], 'javac', ['--release', '17', '-d', folder, join(ROOT, 'examples/jfr/Churn.java')]);
  for (const home of homes)
    for (const collector of COLLECTORS) {
      const file = join(folder, `${collector}.jfr`);
      const options = [
        '-Xmx48m',
        '-XX:-UseSerialGC',
        `-XX:+Use${collector}GC`,
        '-Duser.language=de',
        '-Duser.timezone=Asia/Kolkata',
      ];
      const recording = `-XX:StartFlightRecording=filename=${file},settings=profile`;
      jdkTool(home, 'java', [...options, recording, '-cp', folder, 'Churn', '300']);
      const print: Printed = JSON.parse(jdkTool(home, 'jfr', ['print', '--json', '--events', TYPES, file]));
      const valuesOf = (type: string) =>
        print.recording.events.filter((event) => event.type === `jdk.${type}`).map(({ values }) => values);
      const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
      const { metadata, cpu_load: load, gc } = await ask(session, { view: 'summary' });
      await session.close();
      const about = `${collector} ${home}`;
      const [jvm] = valuesOf('JVMInformation');
      equal(metadata.jvm, jvm?.jvmVersion, about);
      equal(metadata.command, jvm?.javaArguments, about);
      equal(metadata['jvm-arguments'], jvm?.jvmArguments, about);
      const [collectors] = valuesOf('GCConfiguration');
      const names = [collectors?.youngCollector, collectors?.oldCollector].filter(
        (name) => name !== null && name !== 'N/A',
      );
      equal(metadata.collector, names.join(', '), about);
      equal(metadata.cpus, String(valuesOf('CPUInformation')[0]?.hwThreads), about);
      equal(valuesOf('GCHeapConfiguration')[0]?.maxSize, 48 * 2 ** 20, about);
      ok(metadata.heap?.startsWith('50.33 MB at most'), about);
      const loads = valuesOf('CPULoad').map(({ machineTotal }) => Number(machineTotal));
      const mean = loads.reduce((sum, value) => sum + value, 0) / loads.length;
      if (loads.length > 0)
        ok(Math.abs((load?.machine ?? -1) - mean) < 1e-6, `${load?.machine} is not ${mean}: ${about}`);
      equal(load?.values ?? 0, loads.length, about);
      const uses = valuesOf('GCHeapSummary');
      const after = uses.filter(({ when }) => when === 'After GC');
      const last = after.reduce((most, values) => (Number(values.gcId) > Number(most.gcId) ? values : most), after[0]);
      equal(gc?.used_after, last?.heapUsed, about);
      equal(gc?.used_most, Math.max(...uses.map(({ heapUsed }) => Number(heapUsed))), about);
    }
});
