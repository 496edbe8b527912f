/** Peculiarities of the files of each agent and release: the data read, and the problems with their offsets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { threadName } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import type { ContentSection, HprofContent } from './testing/hprof-content.js';
import { seenByReader } from './testing/hprof-seen.js';
import { hprofFixture, readTwice } from './testing/hprof-texts.node.js';
import { latin1 } from './testing/hprof-truth-grammar.js';

interface Fixture {
  readonly text: string;
  readonly recording: Recording;
  readonly seen: ReturnType<typeof seenByReader>;
}

async function fixture(name: string): Promise<Fixture> {
  const file = hprofFixture(name);
  const { recording } = await readTwice(file);
  return { text: latin1(file.bytes), recording, seen: seenByReader(recording) };
}

function problems({ recording }: Fixture): string[] {
  return recording.problems.list.map(({ code, severity, offset }) => `${code} ${severity} ${offset}`);
}

function section({ sections }: HprofContent, named: string, at = 0): ContentSection {
  const found = sections.filter((one) => one.named === named)[at];
  assert.ok(found !== undefined, named);
  return found;
}

describe('the JVMPI agent', () => {
  test('monitors have addresses, or are raw monitors of the VM', async () => {
    const { seen } = await fixture('jvmpi.txt');
    assert.deepEqual(
      section(seen, 'MONITOR DUMP').lines.filter((line) => !line.startsWith('THREAD')),
      [
        'MONITOR java/lang/ref/Reference$Lock 135380304 -1 -1 java/lang/ref/Reference$Lock(811bd50)',
        '  notify 2',
        'MONITOR [I 135481104 4 1 [I(8134710)',
        '  enter 8',
        '  enter 1',
        'RAW _hprof_dump_lock 134666192 8 1 "_hprof_dump_lock"(0x806d7d0)',
        'RAW Thread queue lock 134581192 -1 -1 "Thread queue lock"(0x8058bc8)',
      ],
    );
  });

  test('the state of a thread comes after its other flags', async () => {
    const { seen } = await fixture('jvmpi.txt');
    assert.deepEqual(section(seen, 'MONITOR DUMP').lines.slice(0, 2), [
      'THREAD 8 1 R runnable',
      'THREAD 4 5 S|intr|CW waiting',
    ]);
  });

  test('a thread that another one stopped is suspended, unless it was blocked or waiting', async () => {
    const text = latin1(hprofFixture('jvmpi.txt').bytes);
    const statuses = ['S', 'S|R', 'S|MW', 'S|intr|R', 'S|intr|CW'];
    const lines = statuses.map((status, i) => `    THREAD ${i + 1}, trace 1, status: ${status}\n`).join('');
    const bytes = Buffer.from(text.replace('MONITOR DUMP BEGIN\n', `MONITOR DUMP BEGIN\n${lines}`), 'latin1');
    const { recording } = await readTwice({ name: 'suspended.txt', bytes });
    assert.deepEqual(
      section(seenByReader(recording), 'MONITOR DUMP').lines.slice(0, 5),
      ['suspended', 'suspended', 'blocked', 'suspended', 'waiting'].map(
        (state, i) => `THREAD ${i + 1} 1 ${statuses[i]} ${state}`,
      ),
    );
  });

  test('the header is in the metadata, without its first line and the dashes', async () => {
    const { recording } = await fixture('both-cpu-samples.txt');
    const header = recording.metadata.find(({ key }) => key === 'header')?.value;
    assert.equal(header, 'SITES, HEAP DUMP and TRACE are records of this file.');
    const bare = await fixture('jvmpi.txt');
    assert.equal(
      bare.recording.metadata.some(({ key }) => key === 'header'),
      false,
    );
  });

  test('constants have their numbers, arrays the types of their elements', async () => {
    const { lines } = section((await fixture('jvmpi.txt')).seen, 'HEAP DUMP');
    assert.ok(lines.includes('  constant 25 9092424'), lines.join('\n'));
    assert.ok(lines.includes('ARR 9092424 40 9 16 primitives char[] char'));
    const objects = 'ARR 9156984 4 5 2 objects java/io/ObjectStreamField[] java/io/ObjectStreamField@8bac80';
    assert.ok(lines.includes(objects));
    assert.ok(lines.includes('ROOT 9156984 jni-local 4 -1 -1 '));
  });

  test('array types of JDK 1.2 keep their blank', async () => {
    const { seen } = await fixture('jvmpi.txt');
    assert.deepEqual(
      section(seen, 'SITES').rows.map(({ name, numbers }) => [name, numbers[0]]),
      [
        ['char []', 149224],
        ['[Ljava/lang/String;', 118320],
        ['<Unknown>', 8000],
      ],
    );
  });

  test('sections may be empty; times of monitors are in ms', async () => {
    const { seen } = await fixture('jvmpi.txt');
    assert.deepEqual(section(seen, 'CPU SAMPLES').rows, []);
    assert.deepEqual(section(seen, 'MONITOR TIME', 0).rows, []);
    const at = seen.sections.indexOf(section(seen, 'MONITOR TIME', 1));
    assert.deepEqual(seen.values[at], [3e9, 1e9]);
    assert.equal(section(seen, 'CPU TIME (ms)').ended, true);
  });

  test('ids without an object are reported, and nothing else', async () => {
    const file = await fixture('jvmpi.txt');
    assert.deepEqual(problems(file), [`hprof-missing-object info ${file.text.indexOf('HEAP DUMP BEGIN')}`]);
  });
});

describe('tables', () => {
  test('if both are called CPU SAMPLES, the second has times', async () => {
    const file = await fixture('both-cpu-samples.txt');
    assert.deepEqual(
      file.seen.sections.map(({ named, kind, dump }) => [named, kind, dump]),
      [
        ['CPU SAMPLES', 'CPU SAMPLES', 0],
        ['CPU SAMPLES', 'CPU TIME (ms)', 0],
      ],
    );
    assert.deepEqual(file.seen.values, [
      [7, 3],
      [800e6, 150e6, 50e6],
    ]);
    assert.deepEqual(problems(file), [`hprof-two-samples info ${file.text.lastIndexOf('CPU SAMPLES BEGIN')}`]);
  });

  test('a negative total lacks its sign only', async () => {
    const file = await fixture('negative-total.txt');
    const total = 2 ** 32 - 1e9;
    const [times = []] = file.seen.values;
    times.forEach((time, row) => {
      const part = [0.6, 0.3][row] ?? 0;
      assert.ok(Math.abs(time / 1e6 / total - part) < 1e-4, `${time}`);
    });
    const [rest = 0] = file.seen.remainders;
    assert.ok(Math.abs(rest / 1e6 / total - 0.1) < 1e-4, `${rest}`);
    assert.deepEqual(problems(file), [`hprof-negative-total info ${file.text.indexOf('CPU TIME')}`]);
  });

  test('the values below the cutoff have one row', async () => {
    const { seen } = await fixture('crlf-headless.txt');
    assert.deepEqual([seen.values[0], seen.remainders[0]], [[30, 8], 2]);
  });

  test('a repeated section begins the second dump', async () => {
    const { seen } = await fixture('sections.txt');
    assert.deepEqual(
      seen.sections.map(({ named, dump }) => `${dump} ${named}`),
      ['0 MONITOR DUMP', '0 MONITOR TIME', '0 HEAP DUMP', '0 SITES', '0 CPU SAMPLES', '1 CPU SAMPLES'],
    );
  });

  test('the JVMTI agent divides times of monitors by a million', async () => {
    const file = await fixture('sections.txt');
    const at = file.seen.sections.findIndex(({ named }) => named === 'MONITOR TIME');
    assert.deepEqual(file.seen.values[at], [1500e9, 500e9]);
    assert.ok(problems(file).includes(`hprof-monitor-unit info ${file.text.indexOf('MONITOR TIME BEGIN')}`));
  });
});

describe('lines', () => {
  test('CR LF and no heading', async () => {
    const file = await fixture('crlf-headless.txt');
    assert.deepEqual(problems(file), []);
    assert.equal(file.seen.prelude, '');
    assert.deepEqual(
      file.seen.traces.map(({ phase, thread }) => [phase, thread]),
      [
        ['dead', 3],
        ['onload', -1],
      ],
    );
  });

  test('values in place of a line', async () => {
    const { recording, seen } = await fixture('crlf-headless.txt');
    assert.deepEqual(seen.traces[0]?.frames, [
      'demo.Main.hot(Main.java:Compiled method)',
      'demo.Main.main(Main.java:Native method)',
    ]);
    const names = Array.from({ length: recording.program.locations.length }, (_, id) =>
      locationName(recording.program, id),
    );
    assert.ok(names.includes('demo.Main.cold(Main.java:65535)'), names.join());
  });

  test('one cut at 1,023 bytes: the next one is read', async () => {
    const file = await fixture('cut-lines.txt');
    const at = file.text.indexOf('\tdemo.Very');
    assert.deepEqual(problems(file), [`hprof-line-cut warning ${at}`, `hprof-frame warning ${at}`]);
    assert.equal(file.seen.traces[0]?.frames.length, 4);
    assert.equal(file.seen.traces[0]?.frames[2], 'demo.Main.run(Main.java:5)');
  });

  test('a thread name with quotes, brackets and a line feed', async () => {
    const { recording } = await fixture('sections.txt');
    const { profile, program } = recording;
    assert.ok(profile !== undefined);
    const names = Array.from({ length: profile.threads?.length ?? 0 }, (_, id) => threadName(profile, program, id));
    assert.ok(names.includes('a "quoted", (odd)\nname'), names.join());
  });

  test('an unknown caller and callee of cpu=old', async () => {
    const file = await fixture('cpu-old.txt');
    assert.deepEqual(problems(file), []);
    assert.deepEqual(file.seen.old.slice(2), [
      '3 java.lang.Thread.run()void <unknown caller> 12',
      '2 <unknown callee> demo.Main.of([[J,[Ldemo.Main;)demo.Main 0',
    ]);
  });

  test('a wait of an unknown thread', async () => {
    const { seen, text } = await fixture('sections.txt');
    assert.equal(seen.waits[3], `wait Ljava/lang/Object; 0 -1 ${text.indexOf('WAIT: MONITOR Ljava/lang/Object;')}`);
  });
});
