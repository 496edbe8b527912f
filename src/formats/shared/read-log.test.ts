/** Records in logs, behind prefixes, in other encodings and beside one another: read as they are alone. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { detect } from '../../session/inputs/detect.js';
import { amount, runs } from '../../testing/amount.js';
import { rowsOf } from '../class-histogram/testing/histogram-oracle.js';
import { FORMATS, formatOf } from '../registry.js';
import { seenLocks, seenThreads } from '../thread-dump/testing/thread-dump-seen.js';
import { PREFIX_KINDS, type PrefixKind, prefixed } from './testing/prefixes.js';

const FOLDERS = ['class-histogram/fixtures', 'class-histogram/testing/fixtures', 'thread-dump/fixtures'];
const ROOM = new URL('../../../../src/formats/', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, ROOM), 'utf8');
/** Histograms and dumps with a heading; in unified logging a histogram has decorations of its own. */
const TEXTS = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(folder, ROOM))
    .filter((name) => name.endsWith('.txt') && !/to-file|bare|agent|utf16/.test(name))
    .map((name) => ({ name, text: textOf(`${folder}/${name}`).replaceAll('\r\n', '\n') })),
);
const SMALL = TEXTS.filter(({ text }) => text.length < 12_000);

const source = (bytes: Uint8Array | string): ByteSource =>
  memorySource('log', typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
/** Reads with the formats as the registry has them. */
const read = (bytes: Uint8Array | string, id = 'thread-dump'): Promise<Recording> =>
  (formatOf(id) ?? FORMATS[0]).read(source(bytes));

/** All but where in the file things stood. */
function withoutOffsets(recording: Recording): unknown {
  const { locks } = recording;
  const offsets = locks === undefined ? undefined : column(locks.snapshots, 'offset');
  const list = recording.problems.list.map(({ offset: _, ...problem }) => problem);
  const columns = Object.values(locks?.snapshots.columns ?? {}).filter((values) => values !== offsets);
  return {
    ...recording,
    ...(locks && { locks: { ...locks, snapshots: columns } }),
    problems: { ...recording.problems, list },
  };
}

async function sameButOffsets(one: Uint8Array | string, other: Uint8Array | string, what: string): Promise<void> {
  deepEqual(withoutOffsets(await read(one)), withoutOffsets(await read(other)), what);
}

function withoutNotes(recording: Recording): Recording {
  const { 'log-other-output': _, ...counts } = recording.problems.counts;
  const list = recording.problems.list.filter(({ code }) => code !== 'log-other-output');
  return { ...recording, problems: { list, counts } };
}

describe('behind a prefix', () => {
  for (const kind of PREFIX_KINDS) {
    test(`${kind.name}: each fixture reads as without it`, async () => {
      for (const { name, text } of SMALL.filter((_, i) => i % amount(1, 2) === 0)) {
        const [log, alone] = [await read(prefixed(text, kind)), await read(text)];
        deepEqual(withoutOffsets(withoutNotes(log)), withoutOffsets(alone), name);
      }
    });
  }

  test('with other output anywhere', async () => {
    const amongOthers = fc.uniqueArray(fc.nat(200), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PREFIX_KINDS.keys()),
        fc.constantFrom(...SMALL.keys()),
        amongOthers,
        async (prefix, file, others) => {
          const { text } = SMALL[file];
          const mixed = withoutNotes(await read(prefixed(text, PREFIX_KINDS[prefix], new Set(others))));
          deepEqual(withoutOffsets(mixed), withoutOffsets(await read(text)));
        },
      ),
      runs(600),
    );
  });

  test('the larger fixtures, in the formats of containers', async () => {
    for (const { name, text } of TEXTS)
      for (const kind of PREFIX_KINDS.slice(0, 2))
        await sameButOffsets(prefixed(text, kind), text, `${name} ${kind.name}`);
  });

  test('offsets are those of the file', async () => {
    const text = textOf('thread-dump/fixtures/monitor-deadlock.jstack-17.txt').replace(/^\tat .*$/m, '\tat nowhere');
    for (const kind of PREFIX_KINDS.filter(({ name }) => !name.includes('parts'))) {
      const log = `${kind.other(0)}\n${prefixed(text, kind)}`;
      const { problems, locks } = await read(log);
      const at = problems.list[0]?.offset ?? -1;
      match(Buffer.from(log).subarray(at).toString(), /^[^\n]*at nowhere/);
      match(
        Buffer.from(log)
          .subarray(locks === undefined ? 0 : column(locks.snapshots, 'offset')[0])
          .toString(),
        /^[^\n]*Full thread/,
      );
    }
  });

  test('a line with a damaged prefix is reported if it belonged to a thread', async () => {
    for (const kind of PREFIX_KINDS) {
      const lines = prefixed(SAMPLE, kind).split('\n');
      const at = lines.findIndex((line) => /MonitorDeadlock\.(?:lambda|$)/.test(line));
      const damaged = lines.with(at, `?${lines[at]?.slice(1)}`).join('\n');
      const { complete, problems } = await read(damaged);
      equal(complete, false, kind.name);
      ok(
        problems.list.some(({ code }) => code === 'thread-dump-line'),
        kind.name,
      );
    }
  });
});

const SAMPLE = textOf('thread-dump/fixtures/monitor-deadlock.jcmd-17.txt');
const OTHER = textOf('thread-dump/fixtures/cycle-of-three.jcmd-25.txt');
const HISTOGRAM = textOf('class-histogram/testing/fixtures/jdk6.txt');
const HISTOGRAM_ROWS = HISTOGRAM.match(/^ *\d+: +\d+ +\d+ {2}\S/gm)?.length;
const classRows = ({ sections }: Recording): number | undefined =>
  sections.find(({ name }) => name === 'rows')?.entries;
/** All but the number of the dump. */
const spelled = ({ dump: _, ...thread }: ReturnType<typeof seenThreads>[number]): string => JSON.stringify(thread);
const kindOf = (name: string): PrefixKind => PREFIX_KINDS.find((kind) => kind.name === name) ?? PREFIX_KINDS[0];

describe('one log', () => {
  test('dumps of several services, and without a service, each with its own prefix', async () => {
    const compose = kindOf('docker compose');
    const second = { ...compose, wrap: (line: string) => `web-1  | ${line}` };
    const log = prefixed(SAMPLE, compose) + prefixed(OTHER, second) + SAMPLE + prefixed(OTHER, kindOf('a journal'));
    const seen = seenThreads(await read(log));
    const [one, two] = [seenThreads(await read(SAMPLE)), seenThreads(await read(OTHER))];
    const numbered = [one, two, one, two].flatMap((threads, dump) => threads.map((thread) => ({ ...thread, dump })));
    deepEqual(seen, numbered);
  });

  test('dumps of two services between one another, in any order of their lines', async () => {
    const compose = kindOf('docker compose');
    const services = ['app-1', 'web-1', 'db-1'];
    const texts = [SAMPLE, OTHER, HISTOGRAM + SAMPLE];
    const lanes = texts.map((text, i) =>
      prefixed(`${text}done\n`, { ...compose, wrap: (line: string) => `${services[i]}  | ${line}` })
        .split('\n')
        .slice(0, -1),
    );
    const alone = await Promise.all(
      texts.map(async (text) =>
        seenThreads(await read(text))
          .map(spelled)
          .join('\n'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 40 })), { maxLength: 60 }),
        async (turns) => {
          const left = lanes.map((lines) => [...lines]);
          const taken = turns.flatMap(([service, count]) => left[service]?.splice(0, count) ?? []);
          const recording = await read(`${[...taken, ...left.flat()].join('\n')}\n`);
          const dumps = new Map<number, string[]>();
          for (const thread of seenThreads(recording))
            dumps.set(thread.dump, [...(dumps.get(thread.dump) ?? []), spelled(thread)]);
          deepEqual([...dumps.values()].map((threads) => threads.join('\n')).sort(), [...alone].sort());
          deepEqual([recording.complete, classRows(recording)], [true, HISTOGRAM_ROWS]);
        },
      ),
      runs(100),
    );
  });

  test('of two services whose lines mix, the dump that is cut is named', async () => {
    const [one, two] = ['app-1', 'app-2'].map((name) =>
      prefixed(SAMPLE, { ...kindOf('docker compose'), wrap: (line) => `${name}  | ${line}` }).split('\n'),
    );
    // The first service dies in the middle of its dump.
    const log = [...(one ?? []).slice(0, 40), ...(two ?? [])].join('\n');
    const { complete, problems, locks } = await read(log);
    const cut = problems.list.find(({ code }) => code === 'thread-dump-cut');
    deepEqual([complete, locks?.snapshots.length], [false, 2]);
    equal(cut?.message, 'dump 1 ends early: the next one begins before its last line');
    match(Buffer.from(log).subarray(cut?.offset).toString(), /^app-2 {2}\| Full thread dump/);
  });

  test('JSON lines: a line a message, or a whole dump in one, beside messages of other loggers', async () => {
    const line = (message: string, logger: string, n: number): string =>
      JSON.stringify({ '@timestamp': `2024-02-29T10:00:00.${n % 1000}Z`, message, logger, level: 'INFO', line: n });
    const other = (n: number): string => line(`GET /${n} "x"`, 'http', n);
    const lines = SAMPLE.split('\n').flatMap((text, n) => [line(text, 'aus/ü', n), ...(n % 3 === 0 ? [other(n)] : [])]);
    const single = [other(1), line(SAMPLE, 'aus/ü', 1), other(2), line(`${HISTOGRAM}\n`, 'aus/ü', 2), other(3)];
    for (const log of [lines, single, single.map((text) => text.replace('"message"', '"msg"'))]) {
      const recording = await read(`${log.join('\n')}\n`);
      deepEqual(seenThreads(recording), seenThreads(await read(SAMPLE)));
      deepEqual(seenLocks(recording), seenLocks(await read(SAMPLE)));
      equal(recording.complete, true);
      const detected = await detect(source(`${log.join('\n')}\n`));
      ok(['thread-dump', 'class-histogram'].includes(detected.id));
    }
    equal(classRows(await read(`${single.join('\n')}\n`)), HISTOGRAM_ROWS);
  });

  test('unified logging among the lines of a dump on the same output', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SMALL.keys()), fc.nat(), async (file, seed) => {
        const { text } = SMALL[file];
        const lines = text.split('\n');
        const heading = lines.findIndex((line) => /Full thread|#inst/.test(line));
        const at = heading + 1 + (seed % (lines.length - heading - 2));
        const mixed = lines.toSpliced(at, 0, '[1.492s][info][safepoint   ] Safepoint "PrintThreads", Total: 768508 ns');
        const recording = await read(mixed.join('\n'));
        deepEqual(withoutOffsets(withoutNotes(recording)), withoutOffsets(await read(text)));
        const { list } = recording.problems;
        for (const { code, offset } of list)
          if (code === 'log-other-output')
            ok(Buffer.from(mixed.join('\n')).subarray(offset).toString().startsWith('[1.492s]'));
      }),
      runs(200),
    );
  });

  test('threads and histograms are both read, with the same results as alone', async () => {
    const log = `starting\n${SAMPLE}200 1234 GET /\n${HISTOGRAM}\n${OTHER}${HISTOGRAM}`;
    for (const id of ['thread-dump', 'class-histogram']) {
      const recording = await read(log, id);
      deepEqual([recording.format, recording.complete, recording.problems.list], ['jvm-log', true, []]);
      const dumps = await read(`${SAMPLE}${OTHER}`);
      deepEqual(seenThreads(recording), seenThreads(dumps));
      deepEqual(seenLocks(recording), seenLocks(dumps));
      const classes = recording.profile?.events.filter(({ kind }) => kind === 'class') ?? [];
      const own = recording.profile && { ...recording, profile: { ...recording.profile, events: classes } };
      deepEqual(rowsOf(own ?? recording), rowsOf(await read(`${HISTOGRAM}${HISTOGRAM}`, 'class-histogram')));
      deepEqual(recording.profile?.metrics.map((metric) => metric.id).sort(), [
        'all-threads',
        'live-bytes',
        'live-objects',
        'threads',
      ]);
    }
  });

  for (const version of ['17', '25'])
    test(`the output of VM ${version} at SIGQUIT, among lines of the program and of unified logging`, async () => {
      const text = textOf(`thread-dump/testing/fixtures/busy.sigquit-${version}.txt`);
      const rows = text.match(/^ *\d+: +\d+ +\d+ {2}\S/gm)?.length;
      const threads = new Set(text.match(/(?<=^".* )tid=0x\w+/gm)).size;
      const frames = text.match(/^\tat /gm)?.length;
      for (const log of [
        text,
        prefixed(text, kindOf('a container runtime (CRI)')),
        Buffer.from(`\ufeff${text}`, 'utf16le'),
      ]) {
        const { complete, sections, problems } = await read(log);
        const entries = Object.fromEntries(sections.map((section) => [section.name, section.entries]));
        deepEqual([complete, problems.list.filter(({ severity }) => severity !== 'info')], [true, []]);
        deepEqual([entries.dumps, entries.threads, entries.frames], [2, threads, frames]);
        deepEqual([entries.histograms, entries.rows], [2, rows]);
      }
    });

  test('a log of one kind is a recording of that kind, for every format it was recognised as', async () => {
    equal((await read(HISTOGRAM, 'thread-dump')).format, 'class-histogram');
    equal((await read(SAMPLE, 'class-histogram')).format, 'thread-dump');
  });

  test('a cut histogram beside an intact dump is reported', async () => {
    const { complete, problems } = await read(`${SAMPLE}${HISTOGRAM.split('\n').slice(0, 2).join('\n')}\n`);
    deepEqual([complete, Object.keys(problems.counts)], [false, ['class-histogram-cut']]);
  });
});

describe('encodings', () => {
  test('UTF-16 of either order and marks of UTF-8 change nothing', async () => {
    for (const { name, text } of TEXTS.filter((_, i) => i % amount(1, 2) === 0)) {
      const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
      await sameButOffsets(wide, text, name);
      await sameButOffsets(Buffer.from(wide).swap16(), text, name);
      await sameButOffsets(`\ufeff${text}`, text, name);
      await sameButOffsets(Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le'), text, name);
    }
  });

  test('offsets are in bytes of the file', async () => {
    const text = textOf('thread-dump/fixtures/states.jcmd-l-e-17.txt').replace(/^\tat States.*$/m, '\tat nowhere');
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    const { problems } = await read(wide);
    const at = problems.list[0]?.offset ?? -1;
    equal(wide.subarray(at, at + 22).toString('utf16le'), '\tat nowhere');
  });

  test('half a character at the end is reported', async () => {
    const wide = Buffer.from(`\ufeff${SAMPLE}`, 'utf16le');
    const { complete, problems } = await read(wide.subarray(0, wide.length - 1));
    equal(complete, false);
    equal(problems.list.find(({ code }) => code === 'text-encoding')?.offset, wide.length - 2);
  });
});
