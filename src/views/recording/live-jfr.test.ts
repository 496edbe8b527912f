/** A JVM recorded now: our answers beside those of `jfr view` of JDK 25, which reads the recordings of JDK 17, too. */
import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { fileSource } from '../../bytes/file.node.js';
import { startedJvm } from '../../cli/testing/live-jvm.js';
import { jdkTool } from '../../code/java/testing/jdks.js';
import type { Recording } from '../../models/recording.js';
import { openGrowing } from '../../session/growing.node.js';
import { ask, openSession } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { printedAs, viewRows } from '../../testing/jfr-view.js';
import { ROOT } from '../../testing/shared-data.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-live-jfr-'));
after(() => rmSync(folder, { recursive: true }));

function run(version: string, tool: string, words: readonly string[]): string {
  return jdkTool(jdkHome(version) ?? fail(`no JDK ${version}`), tool, words);
}

/** Records the program `Live.java`, and follows the repository of its JVM until it ends. */
async function recorded(t: TestContext, version: string): Promise<{ file: string; followed: Recording }> {
  const file = join(folder, `live-${version}.jfr`);
  // The cheapest collector and compiler: what is recorded does not depend on them.
  const jvm = ['-Xmx32m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xlog:jfr*=off'];
  const recording = `-XX:StartFlightRecording:settings=profile,filename=${file}`;
  const repository = join(folder, `repository-${version}`);
  const words = [...jvm, recording, `-XX:FlightRecorderOptions:repository=${repository}`];
  const java = join(jdkHome(version) ?? fail(`no JDK ${version}`), 'bin', 'java');
  const { stop } = await startedJvm(t, java, [...words, join(ROOT, 'src/formats/jfr/fixtures/Live.java')]);
  const session = await openGrowing(repository);
  t.after(() => session.close());
  const [source] = session.sources;
  if (source?.refresh === undefined) fail('it does not grow');
  // The JVM writes once a second.
  while (session.recordings[0]?.sections.length === 0) {
    await setTimeout(100);
    await source.refresh();
  }
  await stop();
  while (!(await source.refresh()).final);
  return { file, followed: source.current().recording };
}

function view(name: string, file: string): string[][] {
  const jvm = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
  return viewRows(run('25', 'jfr', [...jvm, 'view', '--width', '300', name, file]));
}

/** `java.util.Map.get(java.lang.Object)` as `jfr view` prints it: `java.util.Map.get(Object)`. */
function shortTypes(signature: string): string {
  const [name = '', types = ''] = signature.split(/(?=\()/);
  return name + types.replace(/[\w$.]*\.(?=[\w$]+)/g, '');
}

for (const version of amount(['17', '25'], ['25']))
  describe(`a program on JDK ${version}`, () => {
    test('has the hot methods, collections and contention that `jfr view` prints', async (t) => {
      if (!hasProgram(t, 'jdk-25') || !hasProgram(t, `jdk-${version}`)) return;
      const { file, followed } = await recorded(t, version);
      const session = await openSession([await fileSource(file)]);
      t.after(() => session.close());

      const { rows: functions } = await ask(session, {
        ...{ view: 'functions', options: { metric: 'samples' }, page: { limit: 0 } },
      });
      // Bridge methods have the same name.
      const ours = functions.map(({ function: name, self }) => `${self} ${shortTypes(name)}`);
      const hot = view('hot-methods', file).map(([name, samples]) => `${samples} ${name}`);
      ok(hot.length > 0);
      deepEqual(
        // Hidden classes are spelled as `Class.getName()` does, not as the recorder.
        hot.filter((line) => !ours.includes(line) && !/\$\$|0x/.test(line)),
        [],
      );
      equal(functions[0]?.self, Number(hot[0]?.split(' ')[0]));

      // The repository is gone, and was read to its end.
      deepEqual(followed.problems.list, []);
      const summary = run('25', 'jfr', ['summary', file]);
      for (const { name, entries } of followed.sections)
        match(summary, new RegExp(`^ ${name.replaceAll('.', '\\.')} +${entries} `, 'm'));
      deepEqual(followed.sections, session.recordings[0]?.sections);

      const { rows: collections } = await ask(session, { view: 'gc', page: { limit: 0 } });
      const expected = view('gc', file);
      ok(expected.length > 0);
      equal(collections.length, expected.length);
      for (const [, id, , before = '', later = '', longest = ''] of expected) {
        const row = collections.find((one) => one.id === Number(id)) ?? fail(`no collection ${id}`);
        for (const [value, words] of [
          [row.before, before],
          [row.after, later],
          [row.longest, longest],
        ] as const)
          ok(printedAs(value, words.split(' ')), `${value} is not ${words} in ${id}`);
      }

      const options = { types: ['JavaMonitorEnter'], by: ['eventThread'] };
      const { rows: groups } = await ask(session, { view: 'event-groups', options, page: { limit: 0 } });
      const { rows: threads } = await ask(session, { view: 'threads', page: { limit: 0 } });
      const byThread = view('contention-by-thread', file);
      ok(byThread.some(([thread]) => thread?.startsWith('holder-')));
      equal(groups.length, byThread.length);
      for (const [thread = '', count, average = '', , longest = ''] of byThread) {
        const group = groups.find(({ eventThread }) => eventThread === thread) ?? fail(`nothing of ${thread}`);
        equal(group.events, Number(count));
        ok(printedAs(group.mean, average.split(' ')), `${group.mean} is not ${average}`);
        ok(printedAs(Number(group.max), longest.split(' ')), `${group.max} is not ${longest}`);
        const contended = threads.find(({ name }) => name === thread)?.contended ?? 0;
        if (thread.startsWith('holder-')) equal(contended, group.sum, thread);
      }
    });
  });
