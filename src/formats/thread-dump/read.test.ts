/** The reader against a naive reading of every recorded dump, and against what the hand-made ones say. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { headOf } from '../capabilities/probe.js';
import { threadDump } from './index.js';
import { readThreadDump } from './read.js';
import { naiveText } from './testing/thread-dump-naive.js';
import { seenLocks, seenThreads } from './testing/thread-dump-seen.js';

const FOLDER = new URL('../../../../src/formats/thread-dump/fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => /\.(?:txt|json)$/.test(name));
const VM = FILES.filter((name) => !name.includes('to-file'));

const bytesOf = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const read = (text: string | Uint8Array): Promise<Recording> =>
  readThreadDump(memorySource('dump', typeof text === 'string' ? Buffer.from(text) : text));
const codes = (recording: Recording): string[] => recording.problems.list.map(({ code }) => code);
/** Both spell text beyond ASCII in their own ways. */
const ascii = (text: string): string => text.replace(/[^\n -~]+/g, '?');

describe('dumps of the VM', () => {
  for (const name of VM) {
    test(`${name}: every thread, frame and state as in a naive reading`, async () => {
      const naive = naiveText(bytesOf(name).toString('latin1'));
      assert.deepEqual([naive.broken, naive.unsure], [[], []]);
      const recording = await read(bytesOf(name));
      assert.deepEqual(
        seenThreads(recording).map((thread) => ({ ...thread, name: ascii(thread.name) })),
        naive.threads.map(({ locks: _, ...thread }) => ({ ...thread, name: ascii(thread.name) })),
      );
      assert.deepEqual([recording.complete, codes(recording)], [true, []]);
    });
  }

  test('CR LF and a window of a few bytes make no difference', async () => {
    for (const name of VM) {
      const bytes = bytesOf(name);
      const usual = await read(bytes);
      const windows = await read(Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'));
      // A name with a line feed keeps no carriage return: for readers of lines, the line ends there.
      assert.deepEqual(seenThreads(windows), seenThreads(usual), name);
      const slow = await readThreadDump({ ...memorySource('dump', bytes), size: 64 });
      assert.deepEqual(slow, { ...usual, name: slow.name }, name);
    }
  });

  test('a thread in two dumps is one thread, with its CPU and memory in each', async () => {
    const recording = await read(bytesOf('states.sigquit-25.txt'));
    const threads = recording.profile?.threads;
    const states = recording.profile?.events[0];
    assert.ok(threads !== undefined && states !== undefined);
    assert.equal(recording.locks?.snapshots.length, 2);
    assert.equal(states.length, 2 * threads.length);
    const spins = seenThreads(recording).flatMap(({ name }, row) => (name === 'spins' ? [row] : []));
    const [before = 0, after = 0] = spins.map((row) => column(states, 'cpu')[row]);
    assert.ok(before > 0 && after > before);
    assert.equal(column(states, 'thread')[spins[0] ?? 0], column(states, 'thread')[spins[1] ?? 0]);
  });

  test('names are complete: quotes, line feeds, other scripts, texts like headers, empty', async () => {
    for (const version of ['17', '25']) {
      const names = seenThreads(await read(bytesOf(`states.sigquit-${version}.txt`))).map(({ name }) => name);
      const wanted = [
        'sleeps "soundly"',
        'parks\nin two lines',
        '駐車 🅿',
        '',
        '" #7 prio=5 tid=0x0 nid=0x0 runnable [0x0]',
      ];
      for (const name of wanted) assert.equal(names.filter((one) => one === name).length, 2, name);
    }
  });

  test('a no-break space after the state of a thread belongs to it and is not a blank', async () => {
    const header = (end: string): string =>
      `Full thread dump V (1):\n\n"a" #1 prio=5 tid=0x1 nid=0x1 runnable${end}\n\n`;
    for (const [end, status] of [
      ['  ', 'runnable'],
      ['\u00a0', 'runnable\u00a0'],
    ] as const)
      assert.equal(seenThreads(await read(Buffer.from(header(end))))[0]?.status, status);
  });

  test('a name with too many lines loses only its own thread', async () => {
    const thread = (name: string): string => `"${name}" #1 prio=5 tid=0x1 nid=0x1 runnable\n\tat A.a(A.java:1)\n\n`;
    const lines = (count: number): string => Array.from({ length: count }, () => 'x').join('\n');
    const heading = 'Full thread dump V (1):\n\n';
    const names = async (count: number) =>
      seenThreads(await read(`${heading}${thread(lines(count))}${thread('next')}JNI global refs: 1\n`)).map(
        ({ name }) => name,
      );
    assert.deepEqual(await names(50), [lines(50), 'next']);
    assert.deepEqual(await names(5000), ['next']);
  });

  test('owners and waiters, in every form', async () => {
    assert.deepEqual(seenLocks(await read(bytesOf('made-by-hand.jdk-8.txt'))), [
      '0 flusher locked 76ab1c2d8',
      '0 flusher waiting to lock 76ab1e3f0',
      '0 main waiting on 76ab1f000',
      '0 writer locked 76ab1e3f0',
      '0 writer waiting to lock 76ab1c2d8',
    ]);
    const states = seenLocks(await read(bytesOf('states.jcmd-l-e-17.txt')));
    assert.ok(states.includes('0 notified waiting to re-lock in wait() fe0b3800'));
    assert.ok(states.includes('0 main locked fe0b3800'));
    assert.ok(states.includes('0 wants the lock parking to wait for fe0b3bf8'));
    assert.ok(!states.some((line) => line.startsWith('0 waits locked')));
  });

  test("without -l, owners of java.util.concurrent locks are only in the VM's deadlocks", async () => {
    const whole = bytesOf('lock-deadlock.jstack-l-17.txt').toString();
    const short = whole.replaceAll(/\n {3}Locked ownable synchronizers:\n(?:\t- .*\n)+/g, '');
    for (const text of [whole, short]) {
      const { locks, profile } = await read(text);
      assert.ok(locks !== undefined && profile !== undefined);
      const owners = column(locks.monitors, 'owner');
      const kinds = column(locks.monitors, 'kind');
      const names = seenThreads(await read(text)).map(({ name }) => name);
      const held = [...owners.keys()]
        .filter((row) => kinds[row] === 3 && owners[row] >= 0)
        .map((row) => names[owners[row]]);
      assert.deepEqual(held.sort(), ['reader', 'writer']);
    }
  });

  test("a stack of the VM's maximum depth is cut", async () => {
    const deep = (frames: number): string =>
      `"deep" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable [0x1]\n   java.lang.Thread.State: RUNNABLE\n${'\tat a.B.f(B.java:1)\n'.repeat(frames)}\n`;
    const ending = async (frames: number) => (await read(deep(frames))).profile?.stacks.ending[0];
    assert.deepEqual([await ending(1023), await ending(1024)], [0, 1]);
  });

  test("a stack of the VM's maximum depth is whole if it ends in the first method of its thread", async () => {
    const deep = (thread: string, last: string): string =>
      `"${thread}" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable [0x1]\n   java.lang.Thread.State: RUNNABLE\n${'\tat a.B.f(B.java:1)\n'.repeat(1023)}\tat ${last}(B.java:1)\n\n`;
    const ending = async (thread: string, last: string) => (await read(deep(thread, last))).profile?.stacks.ending[0];
    assert.equal(await ending('pool', 'java.lang.Thread.run'), 0);
    assert.equal(await ending('main', 'a.B.main'), 0);
    assert.equal(await ending('pool', 'a.B.main'), 1);
    assert.equal(await ending('pool', 'a.B.run'), 1);
  });

  test('modules, loaders, hidden classes, native and unknown sources', async () => {
    const frames = (await seenOf('made-by-hand.jdk-11.txt')).concat(await seenOf('made-by-hand.jdk-8.txt'));
    for (const frame of [
      'java.base@11.0.11 java.lang.Thread.sleep(Native Method)',
      'app demo.Main.main(Main.java:5)',
      ' demo.Main$$Lambda$1/791452441.run(Unknown Source)',
    ])
      assert.ok(frames.includes(frame), frame);
  });
});

async function seenOf(name: string): Promise<string[]> {
  return seenThreads(await read(bytesOf(name))).flatMap(({ frames }) => frames);
}

describe('dumps of Thread.dump_to_file', () => {
  interface FileThread {
    readonly tid: string;
    readonly name: string;
    readonly state?: string;
    readonly stack: readonly string[];
  }

  for (const name of FILES.filter((file) => file.endsWith('.json'))) {
    test(`${name}: every thread as in JSON.parse`, async () => {
      const { threadDump }: { threadDump: { threadContainers: { threads: FileThread[] }[] } } = JSON.parse(
        bytesOf(name).toString(),
      );
      const wanted = threadDump.threadContainers.flatMap(({ threads }) => threads);
      const recording = await read(bytesOf(name));
      assert.deepEqual(
        seenThreads(recording).map(({ frames, ...thread }) => ({ ...thread, frames: frames.map(withoutModule) })),
        wanted.map(({ tid, name: thread, state = '', stack }) => ({
          dump: 0,
          name: thread,
          number: Number(tid),
          status: state,
          frames: stack.map((frame) => frame.replace(/^[^/(]+\/(?=[^0])/, '')),
        })),
      );
      const compact = await read(JSON.stringify(JSON.parse(bytesOf(name).toString())));
      assert.deepEqual(seenThreads(compact), seenThreads(recording));
      assert.deepEqual(seenLocks(compact), seenLocks(recording));
    });
  }

  const withoutModule = (frame: string): string => frame.slice(frame.indexOf(' ') + 1);

  test('the text has the same threads and locks as the JSON', async () => {
    const [text, json] = [
      await read(bytesOf('virtual.to-file-25.txt')),
      await read(bytesOf('virtual.to-file-25.json')),
    ];
    assert.deepEqual([codes(text), codes(json)], [[], []]);
    const own = (recording: Recording) =>
      seenThreads(recording)
        .filter(({ name }) => !/Attach|unblocker/.test(name))
        .map(({ number, name, status, frames }) => ({ number, name, status, frames }));
    assert.deepEqual(own(text), own(json));
    assert.deepEqual(seenLocks(text), seenLocks(json));
    assert.ok(seenLocks(json).includes('0 blocked waiting to lock b2f8320'));
    assert.equal(column(json.locks?.snapshots ?? assert.fail(), 'together')[0], 0);
  });

  test('JDK 21 writes neither states nor locks; its JSON has containers', async () => {
    const text = await read(bytesOf('made-by-hand.jdk-21-to-file.txt'));
    assert.deepEqual(
      seenThreads(text).map(({ number, name, status }) => [number, name, status]),
      [
        [1, 'main', ''],
        [9, 'Reference Handler', ''],
        [22, '', ''],
      ],
    );
    assert.deepEqual(text.metadata, [
      { key: 'process', value: '4712' },
      { key: 'version', value: '21+35-2513' },
    ]);
    assert.equal(column(text.locks?.snapshots ?? assert.fail(), 'time')[0], Date.UTC(2023, 8, 20, 10, 11, 12, 345));
  });
});

describe('damage', () => {
  const DUMP = bytesOf('monitor-deadlock.jstack-17.txt').toString();

  test('an unreadable header loses its frames, which no other thread gets', async () => {
    const recording = await read(DUMP.replace('"teller-1" #12 daemon prio=5', '"teller-1" #12 daemon prio=x'));
    assert.equal(recording.complete, false);
    assert.deepEqual(codes(recording), ['thread-dump-header', 'thread-dump-missing', 'thread-dump-deadlock']);
    const at = recording.problems.list[0]?.offset ?? -1;
    assert.ok(DUMP.slice(at).startsWith('"teller-1" #12'));
    const whole = seenThreads(await read(DUMP));
    assert.deepEqual(
      seenThreads(recording),
      whole.filter(({ name }) => name !== 'teller-1'),
    );
  });

  test('frames and locks without their tab belong to their thread, in both readings', async () => {
    const whole = await read(DUMP);
    for (const line of [/^\tat /m, /^\t- waiting to lock/m, /^\t- locked/m]) {
      const text = DUMP.replace(line, (start) => start.slice(1));
      const recording = await read(text);
      assert.deepEqual([recording.complete, codes(recording)], [true, []]);
      assert.deepEqual([seenThreads(recording), seenLocks(recording)], [seenThreads(whole), seenLocks(whole)]);
      const naive = naiveText(text);
      assert.deepEqual([naive.broken, naive.threads], [[], naiveText(DUMP).threads]);
    }
  });

  test('a frame whose class is nothing but an address is none, in both readings', async () => {
    const text = DUMP.replace(/^\tat .*$/m, '\tat /0x00007fabfd001000.run(Unknown Source)');
    assert.deepEqual(codes(await read(text)), ['thread-dump-frame']);
    assert.deepEqual(naiveText(text).broken, ['a line that is none: \tat /0x00007fabfd001000.run(Unknown Source)']);
  });

  test('JSON in UTF-16, or after a mark, reads as the same in UTF-8, with the offsets of the file', async () => {
    const json = bytesOf('virtual-locks.to-file-25.json').toString().replaceAll('"name": "', '"name": "ü駐🅿');
    // Larger than a window, with damage in the first and the last one.
    const containers = json.indexOf('[') + 1;
    const end = json.lastIndexOf(']');
    const one = json.slice(containers, end);
    const many = json.slice(0, containers) + Array.from({ length: 100 }, () => one).join(',') + json.slice(end);
    const last = many.lastIndexOf('"tid"');
    const damaged = `${many.slice(0, last)}"tid${many.slice(last + 5)}`.replace('"tid"', '"tid');
    assert.ok(damaged.length > 1 << 20);
    for (const text of [json, damaged]) {
      const bytes = Buffer.from(text);
      const plain = await read(bytes);
      assert.equal(plain.problems.list.length > 2, text === damaged);
      const unitsBefore = (offset: number): number => bytes.subarray(0, offset).toString().length;
      const little = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const [encoded, offsetOf] of [
        [little, (offset: number) => 2 + 2 * unitsBefore(offset)],
        [Buffer.from(little).swap16(), (offset: number) => 2 + 2 * unitsBefore(offset)],
        [Buffer.from(`\ufeff${text}`), (offset: number) => 3 + offset],
      ] as const) {
        assert.equal(threadDump.probe(headOf('dump', encoded.subarray(0, 1 << 16), false)).confidence, 1);
        const recording = await read(encoded);
        assert.deepEqual(seenThreads(recording), seenThreads(plain));
        assert.deepEqual(
          recording.problems.list,
          plain.problems.list.map((problem) => ({ ...problem, offset: offsetOf(problem.offset ?? 0) })),
        );
      }
    }
  });

  test('a JSON dump without its process, time or version is not whole', async () => {
    const json = bytesOf('made-by-hand.jdk-21-to-file.json').toString();
    for (const key of ['processId', 'time', 'runtimeVersion']) {
      const without = json.replace(new RegExp(`"${key}": "[^"]*",\\s*`), '');
      const recording = await read(without);
      assert.deepEqual([recording.complete, codes(recording)], [false, ['thread-dump-key']], key);
      assert.deepEqual(seenThreads(recording), seenThreads(await read(json)));
    }
    // Found by random damage.
    assert.deepEqual(codes(await read(json.slice(0, 24) + json.slice(48))), ['thread-dump-key']);
  });

  test('log lines between dumps are skipped; among the lines of a thread they are reported', async () => {
    const log = `INFO started\n"quoted" text\n\n${DUMP}\n#1 of many\n\tat night\n${DUMP}`;
    const clean = await read(log);
    assert.deepEqual([clean.complete, codes(clean), clean.locks?.snapshots.length], [true, [], 2]);
    const mixed = await read(DUMP.replace('\tat MonitorDeadlock.main', 'INFO working\n\tat MonitorDeadlock.main'));
    assert.deepEqual(codes(mixed), ['thread-dump-line']);
    assert.deepEqual(seenThreads(mixed), seenThreads(await read(DUMP)));
  });

  test('other output after a blank line is skipped, at any length and directly before a header', async () => {
    const text = bytesOf('made-by-hand.jdk-21.txt').toString('latin1');
    const threads = seenThreads(await read(text));
    const [first = '', second = ''] = text.split('\n').filter((line) => /^"/.test(line));
    const foreign = text
      .replace(first, `10:11:12 a log line\n            "na\n${first}`)
      .replace(second, `21+35-2513\nanother\n\n${second}`);
    const recording = await read(foreign);
    assert.deepEqual(seenThreads(recording), threads);
    assert.deepEqual(codes(recording), []);
  });

  test('other output above the synchronizers of a thread leaves them to it', async () => {
    const text = bytesOf('made-by-hand.jdk-8.txt').toString();
    const heading = '   Locked ownable synchronizers:\n\t- <0x';
    const foreign = await read(text.replace(heading, `\0d\0.\0j\n${heading}`));
    assert.deepEqual([foreign.complete, codes(foreign)], [true, []]);
    assert.deepEqual(foreign.locks?.monitors, (await read(text)).locks?.monitors);
  });

  test('a second list of synchronizers belongs to a thread that was lost', async () => {
    const text = bytesOf('made-by-hand.jdk-8.txt').toString();
    const header = text.indexOf('"main"');
    const synchronizers = text.indexOf('   Locked ownable', header);
    const recording = await read(text.slice(0, header) + text.slice(synchronizers));
    assert.deepEqual([recording.complete, codes(recording)], [false, ['thread-dump-orphan']]);
    assert.equal(recording.problems.list[0]?.offset, text.indexOf('\t- ', synchronizers) - (synchronizers - header));
  });

  test('a dump that ends early is reported; one without its heading is read', async () => {
    const cut = await read(DUMP.slice(0, DUMP.indexOf('JNI global')));
    assert.deepEqual([cut.complete, codes(cut)], [false, ['thread-dump-cut']]);
    const inDeadlocks = await read(DUMP.slice(0, DUMP.indexOf('Found 1 deadlock')));
    assert.deepEqual(codes(inDeadlocks), ['thread-dump-cut']);
    const fragment = await read(DUMP.slice(DUMP.indexOf('"main"'), DUMP.indexOf('"Reference')));
    assert.deepEqual([fragment.complete, codes(fragment)], [true, ['thread-dump-heading']]);
    assert.equal(fragment.locks?.deadlocks, undefined);
  });

  test('two dumps without a heading between them stay two', async () => {
    const second = DUMP.slice(DUMP.indexOf('"main"'));
    const recording = await read(DUMP + second);
    assert.equal(recording.locks?.snapshots.length, 2);
    assert.deepEqual(codes(recording), ['thread-dump-heading']);
  });

  test('text without any part of a dump is an error', async () => {
    await assert.rejects(read('INFO nothing here\n'), /expected threads with their stacks, found none/);
    await assert.rejects(read('{"threadDump": {}}'), /found none/);
  });
});
