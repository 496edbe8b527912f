/** `convert` on recordings of JFR: parts as .jfr, which the JDK reads, and stacks in other formats, as jfrconv writes them. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { jdkHomes, jdkTool } from '../code/java/testing/jdks.js';
import { amount } from '../testing/amount.js';
import { ROOT, sharedData } from '../testing/shared-data.js';
import { printedEvents, unpacked } from '../views/events/testing/printed-events.js';
import { runCommand } from './testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-convert-jfr-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const run = (...words: string[]) => runCommand(words, { cwd: folder });

const WAREHOUSE = join(ROOT, 'src', 'formats', 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz');
writeFileSync(at('warehouse.jfr'), gunzipSync(readFileSync(WAREHOUSE)));

/** Nanoseconds of `2026-11-21T09:35:41.566486526Z`, without loss. */
function nanosOf(time: unknown): bigint {
  const [, seconds = '', fraction = '', zone = ''] = /^(.*?)(?:\.(\d+))?(Z|[-+]\d\d:\d\d)$/.exec(String(time)) ?? [];
  return BigInt(Date.parse(seconds + zone)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const threadOf = ({ eventThread }: Readonly<Record<string, unknown>>): unknown =>
  typeof eventThread === 'object' && eventThread !== null && 'javaName' in eventThread ? eventThread.javaName : null;

/** The start of the recording: its first chunk's. */
const START = new DataView(new Uint8Array(readFileSync(at('warehouse.jfr')).subarray(32, 40)).buffer).getBigInt64(0);
const TYPES = ['jdk.ThreadPark', 'jdk.ThreadSleep', 'jdk.JavaMonitorWait', 'jdk.GarbageCollection', 'jdk.ThreadStart'];

function printed(home: string, file: string, ...words: string[]): readonly { type: string; values: object }[] {
  return printedEvents(jdkTool(home, 'jfr', ['print', '--json', '--stack-depth', '64', ...words, at(file)]));
}

describe('parts of a recording, as the JDK prints them', () => {
  test('by type, time and thread, and the span of an event', async (t) => {
    const home = jdkHomes(t).at(-1);
    if (home === undefined) return;
    const all = printedEvents(
      jdkTool(home, 'jfr', [
        'print',
        '--json',
        '--stack-depth',
        '64',
        '--events',
        TYPES.join(','),
        at('warehouse.jfr'),
      ]),
    );
    const [from, to] = [START + 500_000_000n, START + 1_500_000_000n];
    const within = ({ values }: (typeof all)[number]): boolean =>
      nanosOf(values.startTime) >= from && nanosOf(values.startTime) < to;
    const thread = String(threadOf(all.find(({ type }) => type === 'jdk.ThreadPark')?.values ?? {}));
    const first = all.find(({ type }) => type === 'jdk.ThreadSleep');
    ok(first);
    const begin = nanosOf(first.values.startTime);
    const end = begin + BigInt(Math.round(Number(/^PT([\d.]+)S$/.exec(String(first.values.duration))?.[1]) * 1e9));
    const parts: readonly [string, readonly string[], (event: (typeof all)[number]) => boolean][] = [
      ['time.jfr', ['--time', '0.5..1.5'], within],
      [
        'thread.jfr',
        ['--time', '0.5..1.5', '--thread', `^${thread}$`],
        (event) => within(event) && (!('eventThread' in event.values) || threadOf(event.values) === thread),
      ],
      [
        'at.jfr',
        ['--at', 'jdk.ThreadSleep#1'],
        ({ values }) => {
          const time = nanosOf(values.startTime);
          return (
            time >= begin && time <= end && (!('eventThread' in values) || threadOf(values) === threadOf(first.values))
          );
        },
      ],
    ];
    for (const [name, scope, isKept] of amount(parts, parts.slice(1, 2))) {
      const { status, stderr } = await run('convert', 'warehouse.jfr', name, '--type', TYPES.join(','), ...scope);
      equal(status, 0, stderr);
      const expectedEvents = all.filter(isKept);
      ok(
        expectedEvents.length > 0 && expectedEvents.length < all.length,
        `${name}: ${expectedEvents.length} of ${all.length}`,
      );
      deepEqual(printed(home, name), expectedEvents, name);
      ok(statSync(at(name)).size < 250_000, `${name}: ${statSync(at(name)).size} bytes; 97 kB are metadata`);
      match(stderr, /^dropped: [\d,]+ of [\d,]+ events: .* jdk\./m);
      match(stderr, /^dropped: [\d,]+ of [\d,]+ constants: no written event refers to them/m);
    }
  });

  test('whole recordings are printed alike', async (t) => {
    const data = amount(sharedData(t, 'interop/jfr'), undefined);
    const homes = jdkHomes(t);
    if (data === undefined) return;
    for (const [file, depth, readers] of [
      ['jmc-9u0.jfr', '64', homes],
      ['warehouse-jdk17.jfr', '1', homes.slice(-1)],
    ] as const) {
      writeFileSync(at('whole.jfr'), unpacked(join(data, file)));
      const { status } = await run('convert', 'whole.jfr', 'again.jfr', '--secrets');
      equal(status, 0);
      for (const home of readers)
        equal(
          jdkTool(home, 'jfr', ['print', '--stack-depth', depth, at('again.jfr')]),
          jdkTool(home, 'jfr', ['print', '--stack-depth', depth, at('whole.jfr')]),
          file,
        );
    }
  });

  test('of a file that the JDK refuses, the part that is whole', async (t) => {
    const data = sharedData(t, 'interop/jfr');
    const home = jdkHomes(t).at(-1);
    if (data === undefined || home === undefined) return;
    for (const [file, status] of [
      ['truncated-jdk17', 4],
      ['growing-jdk17', 0],
    ] as const) {
      equal((await run('convert', join(data, `${file}.jfr.gz`), 'mended.jfr')).status, status, file);
      const counts = jdkTool(home, 'jfr', ['summary', at('mended.jfr')]);
      const { stdout } = await run('events', join(data, `${file}.jfr.gz`), '--json', '--limit', '0');
      for (const { type, count } of JSON.parse(stdout).rows)
        match(counts, new RegExp(`^ ${String(type).replaceAll('.', '\\.')} +${count} `, 'm'));
    }
  });
});

test('check --salvage writes what is whole of a cut file, as convert does', async () => {
  writeFileSync(at('cut.jfr'), readFileSync(at('warehouse.jfr')).subarray(0, 400_000));
  equal((await run('convert', 'cut.jfr', 'converted.jfr')).status, 4);
  const { status, stderr } = await run('check', 'cut.jfr', '--salvage', 'salvaged.jfr');
  equal(status, 1, stderr);
  deepEqual(readFileSync(at('salvaged.jfr')), readFileSync(at('converted.jfr')));
  equal((await run('check', 'salvaged.jfr')).status, 0);
});

describe('convert to .jfr', () => {
  test('hides what looks like a secret, unless it shall stay', async () => {
    await run(
      'convert',
      'warehouse.jfr',
      'hidden.jfr',
      '--type',
      'InitialEnvironmentVariable,InitialSystemProperty,JVMInformation',
    );
    await run(
      'convert',
      'warehouse.jfr',
      'kept.jfr',
      '--type',
      'InitialEnvironmentVariable',
      '--type',
      'JVMInformation,SystemProp',
      '--secrets',
    );
    for (const type of ['InitialEnvironmentVariable', 'InitialSystemProperty', 'JVMInformation']) {
      const eventRows = async (file: string, ...words: string[]): Promise<unknown> =>
        JSON.parse((await run('events', file, type, '--json', '--limit', '0', ...words)).stdout).rows;
      deepEqual(await eventRows('hidden.jfr', '--secrets'), await eventRows('warehouse.jfr'));
      deepEqual(await eventRows('kept.jfr', '--secrets'), await eventRows('warehouse.jfr', '--secrets'));
    }
  });

  test('compressed, on standard output, and for its owner only', async () => {
    equal((await run('convert', 'warehouse.jfr', 'part.jfr.gz', '--type', 'ThreadPark')).status, 0);
    equal((await run('convert', 'warehouse.jfr', 'part.jfr', '--type', 'ThreadPark')).status, 0);
    equal((await run('convert', 'warehouse.jfr', 'named', '--as', 'jfr', '--type', 'ThreadPark')).status, 0);
    const bytes = readFileSync(at('part.jfr'));
    deepEqual(gunzipSync(readFileSync(at('part.jfr.gz'))), bytes);
    deepEqual(readFileSync(at('named')), bytes);
    equal(statSync(at('part.jfr')).mode & 0o077, 0);
  });

  test('refuses what would not be the file, or none', async () => {
    const refused: readonly (readonly [RegExp, ...string[]])[] = [
      [/--hide: the stacks of the file are written as they are/, '--hide', 'main'],
      [/the scope selects nothing in warehouse\.jfr/, '--time', '500..'],
      [/no events have a field durtion/, '--filter', 'durtion > 20ms'],
      [/has no events of type NoSuch/, '--type', 'NoSuch'],
      [/events of \.jfr files are written as they are/, '--metric', 'samples'],
      [/this recording has no states of threads/, '--state', 'runnable'],
    ];
    for (const [message, ...words] of refused) {
      const { status, stderr } = await run('convert', 'warehouse.jfr', 'none.jfr', ...words);
      equal(status, 2, stderr);
      match(stderr, message);
      ok(!existsSync(at('none.jfr')));
    }
    const other = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures', 'ap44-threads.collapsed');
    match((await run('convert', other, 'none.jfr')).stderr, /such files are written only from others of their format/);
    match((await run('convert', 'warehouse.jfr', 'warehouse.jfr')).stderr, /is also the input/);
    match(
      (await run('convert', 'warehouse.jfr', 'x.collapsed', '--type', 'ThreadPark')).stderr,
      /--type and --secrets are for/,
    );
  });
});

describe('stacks in other formats', () => {
  test('within the span of an event: those of its thread during it', async () => {
    const { rows } = JSON.parse((await run('events', 'warehouse.jfr', 'ThreadSleep', '--json', '--limit', '1')).stdout);
    const { startTime, duration, eventThread } = rows[0];
    const span = `${startTime / 1e9}..${(startTime + duration + 1) / 1e9}`;
    await run('convert', 'warehouse.jfr', 'at.collapsed', '--at', 'jdk.ThreadSleep#1', '--metric', 'slept');
    await run(
      'convert',
      'warehouse.jfr',
      'span.collapsed',
      '--thread',
      `^${eventThread}$`,
      '--time',
      span,
      '--metric',
      'slept',
    );
    const text = readFileSync(at('at.collapsed'), 'utf8');
    equal(text, readFileSync(at('span.collapsed'), 'utf8'));
    equal(Number(/ (\d+)$/m.exec(text)?.[1]), duration);
  });

  const asTheyAre = (text: string): string => text;
  /** As jfrconv with `--norm`. */
  const withoutAddresses = (text: string): string => text.replace(/\/0x[0-9a-f]+/g, '');

  /** Sums by stack of collapsed lines, with the frames of jfrconv as ours. */
  function sums(text: string): [string, number][] {
    const stackSums = new Map<string, number>();
    for (const line of text.trim().split('\n')) {
      const [, stack = '', value = ''] = /^(.*) (\d+)$/.exec(line) ?? [];
      const frames = stack.split(';').map((frame) =>
        frame
          .replace(/_\[.\]$/, '')
          .replaceAll('/', '.')
          .replace(/\.(?=0x[0-9a-f]+)/, '/'),
      );
      stackSums.set(frames.join(';'), (stackSums.get(frames.join(';')) ?? 0) + Number(value));
    }
    return [...stackSums].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The same of a speedscope file. */
  function sumsOfSpeedscope(text: string): [string, number][] {
    const { shared, profiles } = JSON.parse(text);
    const stackSums = new Map<string, number>();
    for (const { samples, weights } of profiles)
      for (const [i, sample] of samples.entries()) {
        const stack = sample.map((frame: number) => shared.frames[frame].name).join(';');
        stackSums.set(stack, (stackSums.get(stack) ?? 0) + weights[i]);
      }
    return [...stackSums].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  for (const [file, golden, metric, normal] of [
    ['ap44-warehouse.jfr.gz', 'ap44-warehouse.jfrconv-cpu', 'samples', withoutAddresses],
    ['warehouse-jdk25.jfr.gz', 'warehouse-jdk25.jfrconv-cpu-time', 'cpu-samples', asTheyAre],
  ] as const)
    test(`${golden}`, async (t) => {
      const data = sharedData(t, 'interop/jfr');
      if (data === undefined) return;
      const expectedSums = sums(unpacked(join(data, 'expected', `${golden}.collapsed.gz`)).toString('utf8'));
      await run('convert', join(data, file), 'x.collapsed', '--metric', metric);
      deepEqual(sums(normal(readFileSync(at('x.collapsed'), 'utf8'))), expectedSums);
      await run('convert', join(data, file), 'x.speedscope.json', '--metric', metric);
      deepEqual(sumsOfSpeedscope(normal(readFileSync(at('x.speedscope.json'), 'utf8'))), expectedSums);
    });
});
